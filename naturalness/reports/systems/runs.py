"""Compare two runs: find the changes in the mean, in each cause, and in single texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import IntArray
from naturalness.explaining.explanation import Finding
from naturalness.pages.templating import render_lines
from naturalness.reports.systems.answers import (
    BELOW,
    SCORE,
    SENTENCES,
    WORDS,
    Column,
    ScoringModel,
    SystemText,
    TextTable,
    codes,
    measure_answers,
    sure,
)
from naturalness.reports.systems.causes import MAX_NAMED, amount
from naturalness.reports.systems.resampling import Sums, difference, mean, sum_up
from naturalness.reports.systems.standings import histogram
from naturalness.statistics.bootstrap import Interval, Resampling
from naturalness.statistics.significance import ALPHA, with_holm

KEY, ORDER, NOTHING = "key", "order", "nothing"
"""The ways of pairing the texts of two runs: by key, by order, or not at all."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of corresponding texts from an older and a newer run."""

    by: str
    """The way in which texts are paired: `KEY`, `ORDER` or `NOTHING`."""
    pairs: tuple[tuple[int, int], ...]
    """The indices of each pair's texts: first in the older run, then in the newer run."""
    n_before: int
    n_after: int

    @property
    def alone_before(self) -> int:
        """The number of texts in the older run that are not in a pair."""
        return self.n_before - len(self.pairs)

    @property
    def alone_after(self) -> int:
        """The number of texts in the newer run that are not in a pair."""
        return self.n_after - len(self.pairs)


def pair_up(before: Sequence[SystemText], after: Sequence[SystemText]) -> Pairing:
    """Return the pairs of corresponding texts in two runs.

    If all texts have keys, they are paired by system and key; otherwise, if each system has the same number of texts in
    both runs, they are paired by order; otherwise, they are not paired. If the runs have no system in common, systems
    are ignored. Several texts of a system with the same key are paired in order.
    """
    keyed = all(answer.key for answer in (*before, *after)) and bool(before) and bool(after)
    named = bool({answer.system for answer in before} & {answer.system for answer in after})
    old, new = (_rows_by_name(run, named=named, keyed=keyed) for run in (before, after))
    if not keyed and {name: len(rows) for name, rows in old.items()} != {name: len(rows) for name, rows in new.items()}:
        return Pairing(NOTHING, (), len(before), len(after))
    pairs = [pair for name, rows in old.items() for pair in zip(rows, new.get(name, ()), strict=False)]
    by = KEY if keyed else ORDER
    return Pairing(by if pairs else NOTHING, tuple(pairs), len(before), len(after))


def _rows_by_name(run: Sequence[SystemText], *, named: bool, keyed: bool) -> dict[tuple[str, str], list[int]]:
    rows: dict[tuple[str, str], list[int]] = {}
    for row, answer in enumerate(run):
        name = answer.system if named else "", answer.key if keyed else ""
        rows.setdefault(name, []).append(row)
    return rows


def shared_inputs(answers: Sequence[SystemText]) -> IntArray | None:
    """Return the index of each text's input if systems share inputs, else None.

    Systems share inputs if at least half of the inputs have texts by two or more systems.
    """
    if not answers or not all(answer.source for answer in answers):
        return None
    systems_of: dict[str, set[str]] = {}
    for answer in answers:
        systems_of.setdefault(answer.source, set()).add(answer.system)
    if 2 * sum(len(systems) > 1 for systems in systems_of.values()) < len(systems_of):
        return None
    return codes([answer.source for answer in answers], list(systems_of))


MIN_CHANGE = 0.01
"""The smallest change in naturalness at which a text counts as better or worse."""
MAX_CHANGES = 10
"""The largest number of texts listed as better, and the largest number listed as worse."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text in both runs, with the changes from the older to the newer run."""

    before: SystemText
    after: SystemText
    causes: tuple[tuple[str, float], ...]
    """The title of each cause with the change in its contribution, the largest change first."""
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]

    @property
    def gain(self) -> float:
        """The change in naturalness; above 0 if the newer text is more natural."""
        return self.after.explanation.naturalness - self.before.explanation.naturalness


def change_of(old: SystemText, new: SystemText) -> TextChange:
    """Return the changes from an older text to a newer one."""
    then, now = ({part.cause: part.value for part in answer.explanation.contributions} for answer in (old, new))
    titles = {item.cause: item.title for answer in (old, new) for item in answer.explanation.contributions}
    moved = [(title, now.get(cause, 0.0) - then.get(cause, 0.0)) for cause, title in titles.items()]
    gone, more = sure(old.explanation), sure(new.explanation)
    return TextChange(
        old,
        new,
        tuple(sorted(moved, key=lambda item: (-abs(item[1]), item[0]))),
        gone=_without(gone, more),
        new=_without(more, gone),
    )


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that are not among ``others``; findings are compared by kind and text."""
    left = Counter((finding.kind, finding.text.casefold()) for finding in others)
    out = []
    for finding in findings:
        key = finding.kind, finding.text.casefold()
        if left[key]:
            left[key] -= 1
        else:
            out.append(finding)
    return tuple(out)


def most_changed(changes: Sequence[TextChange], sign: int) -> tuple[TextChange, ...]:
    """Return the texts whose naturalness rose most (``sign`` 1) or fell most (``sign`` -1), by at least
    `MIN_CHANGE`.
    """
    moved = [change for change in changes if sign * change.gain >= MIN_CHANGE]
    return tuple(sorted(moved, key=lambda item: (-sign * item.gain, item.after.row))[:MAX_CHANGES])


BEFORE, AFTER = 0, 1


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure of both runs, with the change between them."""

    name: str
    title: str
    before: float
    after: float
    change: Interval
    corrected: float = math.nan
    """The p-value of the change, corrected for the number of rows in the same table (Holm)."""
    gone: int = 0
    """For a kind of finding, the number of findings in older texts that the paired newer texts no longer have."""
    new: int = 0

    @property
    def differs(self) -> bool:
        """Whether the change is significant after correction."""
        return self.corrected < ALPHA


@dataclass(frozen=True, slots=True)
class Runs:
    """A comparison of an older and a newer run."""

    pairing: Pairing
    n_compared: tuple[int, int]
    """The number of compared texts in the older and in the newer run. If texts are paired, only texts with a score in
    both runs are compared; otherwise, all texts with a score are.
    """
    mean: FigureChange
    below: FigureChange
    words: FigureChange
    n_same_text: int
    worse: float
    """The share of pairs whose naturalness fell by `MIN_CHANGE` or more; NaN if there are no pairs."""
    better: float
    lost: int
    """The number of pairs in which the older text has a score and the newer one does not."""
    gained: int
    causes: tuple[FigureChange, ...]
    kinds: tuple[FigureChange, ...]
    """The change in the rate of each kind of finding per 100 sentences."""
    systems: tuple[FigureChange, ...]
    """The change in each system's mean naturalness, if there are several systems."""
    fell: tuple[TextChange, ...]
    rose: tuple[TextChange, ...]
    histograms: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def is_worse(self) -> bool:
        """Whether mean naturalness fell significantly."""
        return self.mean.change.high < 0

    @property
    def is_better(self) -> bool:
        """Whether mean naturalness rose significantly."""
        return self.mean.change.low > 0


def compare_runs(
    before: Sequence[SystemText],
    after: Sequence[SystemText],
    pairing: Pairing,
    judge: ScoringModel,
    causes: Mapping[str, str],
    kinds: Mapping[str, str],
    how: Resampling,
) -> Runs:
    """Compare an older and a newer run; ``causes`` and ``kinds`` map keys to titles."""
    pairs = [(before[i], after[j]) for i, j in pairing.pairs]
    both = [(old, new) for old, new in pairs if old.scored and new.scored]
    if pairs:
        compared = [old for old, _ in both], [new for _, new in both]
    else:
        compared = [answer for answer in before if answer.scored], [answer for answer in after if answer.scored]
    measured = measure_answers([*compared[0], *compared[1]], judge, causes, tuple(kinds))
    sums = _sum(measured, compared, pairing, how)
    gains = np.array([new.explanation.naturalness - old.explanation.naturalness for old, new in both])
    changes = [change_of(old, new) for old, new in both]
    gone, added = (
        Counter(finding.kind for change in changes for finding in getattr(change, name)) for name in ("gone", "new")
    )
    rates = [
        replace(_moved(kind, title, measured, ("kind", kind), sums, SENTENCES), gone=gone[kind], new=added[kind])
        for kind, title in kinds.items()
    ]
    old_counts, new_counts = (histogram([answer.explanation.naturalness for answer in run]) for run in compared)
    return Runs(
        pairing,
        (len(compared[0]), len(compared[1])),
        mean=_moved(SCORE, "mean naturalness", measured, SCORE, sums),
        below=_moved(BELOW, "below the threshold", measured, BELOW, sums),
        words=_moved(WORDS, "words per text", measured, WORDS, sums),
        n_same_text=sum(old.explanation.text == new.explanation.text for old, new in pairs),
        worse=float(np.mean(gains <= -MIN_CHANGE)) if len(gains) else math.nan,
        better=float(np.mean(gains >= MIN_CHANGE)) if len(gains) else math.nan,
        lost=sum(old.scored and not new.scored for old, new in pairs),
        gained=sum(new.scored and not old.scored for old, new in pairs),
        causes=_corrected([_moved(cause, title, measured, ("cause", cause), sums) for cause, title in causes.items()]),
        kinds=_corrected(rates),
        systems=_systems(measured, compared, pairing, how),
        fell=most_changed(changes, -1),
        rose=most_changed(changes, 1),
        histograms=(old_counts, new_counts),
    )


BothRuns = tuple[Sequence[SystemText], Sequence[SystemText]]


def _sum(measured: TextTable, compared: BothRuns, pairing: Pairing, how: Resampling) -> Sums:
    """Return the sums over both runs. The two texts of a pair, or all pairs with the same input, are resampled as a
    unit.
    """
    old, new = len(compared[0]), len(compared[1])
    member = np.repeat([BEFORE, AFTER], [old, new])
    groups = None
    if pairing.pairs:
        names = [answer.source or f" {i}" for i, answer in enumerate(compared[0])]
        groups = np.tile(codes(names, list(dict.fromkeys(names))), 2)
    return sum_up(measured.table, member, 2, groups, how)


def _moved(
    name: str, title: str, measured: TextTable, column: Column, sums: Sums, below: str | None = None
) -> FigureChange:
    """Return the change in a column's mean or, if ``below`` is given, in 100 times its sum divided by the sum of
    column ``below``; p is not yet corrected.
    """
    per = None if below is None else measured[below]
    old, new = (mean(run, measured[column], per) for run in (BEFORE, AFTER))
    gain = difference(new, old)
    p = sums.test(gain, BEFORE, AFTER).p
    return FigureChange(name, title, sums.value(old), sums.value(new), sums.figure(gain, BEFORE, AFTER), p)


def _corrected(rows: Sequence[FigureChange]) -> tuple[FigureChange, ...]:
    return tuple(with_holm(rows, [row.corrected for row in rows]))


def _systems(measured: TextTable, compared: BothRuns, pairing: Pairing, how: Resampling) -> tuple[FigureChange, ...]:
    """Return the change in the mean of each system that both runs contain; empty unless there are several systems."""
    old, new = ({answer.system for answer in run} for run in compared)
    if len(old | new) < 2:
        return ()
    moves = []
    for name in sorted(old & new):
        rows = [i for i, answer in enumerate([*compared[0], *compared[1]]) if answer.system == name]
        of_system = TextTable(measured.columns, measured.table[rows])
        parts = tuple([answer for answer in run if answer.system == name] for run in compared)
        moves.append(_moved(name, name, of_system, SCORE, _sum(of_system, (parts[0], parts[1]), pairing, how)))
    return _corrected(moves)


def tell_runs(runs: Runs, unit: str) -> tuple[str, ...]:
    """Return sentences on the changes in the mean and in single texts, and on significant changes in systems and
    causes.
    """
    return tuple(
        render_lines(
            "runs.txt.j2", runs=runs, unit=unit, sides=_sides, amount=amount, min_change=MIN_CHANGE, max_named=MAX_NAMED
        )
    )


def _sides(rows: Sequence[FigureChange]) -> tuple[list[FigureChange], list[FigureChange]]:
    """Return two lists: the rows that fell significantly and the rows that rose significantly, the largest change
    first.
    """
    order = sorted((row for row in rows if row.differs), key=lambda row: -abs(row.change.value))
    return [row for row in order if row.change.value < 0], [row for row in order if row.change.value > 0]
