"""What became better and worse between two runs: in the mean, by cause, and text by text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import IntArray
from naturalness.explaining.explanation import Explanation, Finding
from naturalness.pages.formats import between, change, enumeration
from naturalness.reports.systems.answers import (
    BELOW,
    SCORE,
    SENTENCES,
    WORDS,
    Answer,
    Judge,
    Measured,
    cause_column,
    codes,
    kind_column,
    measure_answers,
    sure,
)
from naturalness.reports.systems.causes import MAX_NAMED, amount
from naturalness.reports.systems.resampling import Statistic, Sums, difference, mean_or_rate, sum_up
from naturalness.reports.systems.standings import histogram
from naturalness.statistics.bootstrap import Interval, Resampling
from naturalness.statistics.significance import ALPHA, holm

KEY, ORDER, NOTHING = "key", "order", "nothing"
"""By what texts of two runs are paired."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Texts of an older and a newer run that belong together."""

    by: str
    """`KEY`, `ORDER` or `NOTHING`."""
    pairs: tuple[tuple[int, int], ...]
    """Places in the older and in the newer run."""
    n_before: int
    n_after: int

    @property
    def alone_before(self) -> int:
        """Texts of the older run without a partner."""
        return self.n_before - len(self.pairs)

    @property
    def alone_after(self) -> int:
        """Texts of the newer run without a partner."""
        return self.n_after - len(self.pairs)


def pair_up(before: Sequence[Answer], after: Sequence[Answer]) -> Pairing:
    """Pair by system and key where texts have keys, else by order where each system has equally
    many texts in both runs, else not at all. Runs without a system in common have none.

    Of several texts of one system with the same key, the first is paired with the first, and so on.
    """
    keyed = all(answer.key for answer in (*before, *after)) and bool(before) and bool(after)
    named = bool({answer.system for answer in before} & {answer.system for answer in after})
    old, new = (_rows_by_name(run, named=named, keyed=keyed) for run in (before, after))
    if not keyed and {name: len(rows) for name, rows in old.items()} != {name: len(rows) for name, rows in new.items()}:
        return Pairing(NOTHING, (), len(before), len(after))
    pairs = [pair for name, rows in old.items() for pair in zip(rows, new.get(name, ()), strict=False)]
    by = KEY if keyed else ORDER
    return Pairing(by if pairs else NOTHING, tuple(pairs), len(before), len(after))


def _rows_by_name(run: Sequence[Answer], *, named: bool, keyed: bool) -> dict[tuple[str, str], list[int]]:
    rows: dict[tuple[str, str], list[int]] = {}
    for row, answer in enumerate(run):
        name = answer.system if named else "", answer.key if keyed else ""
        rows.setdefault(name, []).append(row)
    return rows


def shared_inputs(answers: Sequence[Answer]) -> IntArray | None:
    """Return the number of each text's input where systems answered the same ones; else None.

    They did where at least half of the inputs have texts of two systems or more.
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
"""Naturalness by which a text must change to count as better or worse."""
MAX_CHANGES = 10
"""Texts that fell or rose most."""


@dataclass(frozen=True, slots=True)
class Change:
    """A text of both runs."""

    before: Answer
    after: Answer
    causes: tuple[tuple[str, float], ...]
    """Titles of causes and what each adds now less what it added, the largest change first."""
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]

    @property
    def gain(self) -> float:
        """Naturalness now less naturalness then."""
        return self.after.explanation.naturalness - self.before.explanation.naturalness


def change_of(old: Answer, new: Answer) -> Change:
    """Return what changed between two texts."""
    then, now = _amounts(old.explanation), _amounts(new.explanation)
    titles = {item.cause: item.title for answer in (old, new) for item in answer.explanation.contributions}
    moved = [(title, now.get(cause, 0.0) - then.get(cause, 0.0)) for cause, title in titles.items()]
    gone, more = sure(old.explanation), sure(new.explanation)
    return Change(
        old,
        new,
        tuple(sorted(moved, key=lambda item: (-abs(item[1]), item[0]))),
        gone=_without(gone, more),
        new=_without(more, gone),
    )


def _amounts(explanation: Explanation) -> dict[str, float]:
    return {contribution.cause: contribution.value for contribution in explanation.contributions}


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that are not among others, by kind and words."""
    left = Counter((finding.kind, finding.text.casefold()) for finding in others)
    out = []
    for finding in findings:
        key = finding.kind, finding.text.casefold()
        if left[key]:
            left[key] -= 1
        else:
            out.append(finding)
    return tuple(out)


def most_changed(changes: Sequence[Change], sign: int) -> tuple[Change, ...]:
    """Return the texts that changed most in a direction."""
    moved = [change for change in changes if sign * change.gain >= MIN_CHANGE]
    return tuple(sorted(moved, key=lambda item: (-sign * item.gain, item.after.row))[:MAX_CHANGES])


BEFORE, AFTER = 0, 1


@dataclass(frozen=True, slots=True)
class Moved:
    """A figure of both runs and its change."""

    name: str
    title: str
    before: float
    after: float
    change: Interval
    corrected: float = math.nan
    """p of the change, corrected among its like (Holm)."""
    gone: int = 0
    """Of kinds of findings: those of the older run that the paired text no longer has."""
    new: int = 0

    @property
    def differs(self) -> bool:
        """Whether it changed beyond chance."""
        return self.corrected < ALPHA


@dataclass(frozen=True, slots=True)
class Runs:
    """Two runs beside each other."""

    pairing: Pairing
    n_compared: tuple[int, int]
    """Texts of each run that are compared: those with a score, where paired in both."""
    mean: Moved
    below: Moved
    words: Moved
    n_same_text: int
    worse: float
    """Share of pairs whose naturalness fell by `MIN_CHANGE` or more; NaN where nothing is paired."""
    better: float
    lost: int
    """Pairs that had a score and have none now."""
    gained: int
    causes: tuple[Moved, ...]
    kinds: tuple[Moved, ...]
    """Findings per 100 sentences."""
    systems: tuple[Moved, ...]
    """Mean naturalness of each system, where there are several."""
    fell: tuple[Change, ...]
    rose: tuple[Change, ...]
    histograms: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def is_worse(self) -> bool:
        """Whether the mean fell and its interval leaves out 0."""
        return self.mean.change.high < 0

    @property
    def is_better(self) -> bool:
        """Whether the mean rose and its interval leaves out 0."""
        return self.mean.change.low > 0


def compare_runs(
    before: Sequence[Answer],
    after: Sequence[Answer],
    pairing: Pairing,
    judge: Judge,
    causes: Mapping[str, str],
    kinds: Mapping[str, str],
    how: Resampling,
) -> Runs:
    """Compare the older and the newer run; ``causes`` and ``kinds`` give titles by key."""
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
    return Runs(
        pairing,
        (len(compared[0]), len(compared[1])),
        mean=_moved(SCORE, "mean naturalness", measured[SCORE], None, sums),
        below=_moved(BELOW, "below the threshold", measured[BELOW], None, sums),
        words=_moved(WORDS, "words per text", measured[WORDS], None, sums),
        n_same_text=sum(old.explanation.text == new.explanation.text for old, new in pairs),
        worse=float(np.mean(gains <= -MIN_CHANGE)) if len(gains) else math.nan,
        better=float(np.mean(gains >= MIN_CHANGE)) if len(gains) else math.nan,
        lost=sum(old.scored and not new.scored for old, new in pairs),
        gained=sum(new.scored and not old.scored for old, new in pairs),
        causes=_corrected(
            [_moved(cause, title, measured[cause_column(cause)], None, sums) for cause, title in causes.items()]
        ),
        kinds=_kinds(kinds, measured, sums, changes),
        systems=_systems(measured, compared, pairing, how),
        fell=most_changed(changes, -1),
        rose=most_changed(changes, 1),
        histograms=_histograms(compared),
    )


BothRuns = tuple[Sequence[Answer], Sequence[Answer]]


def _histograms(compared: BothRuns) -> tuple[tuple[int, ...], tuple[int, ...]]:
    old, new = (histogram([answer.explanation.naturalness for answer in run]) for run in compared)
    return old, new


def _sum(measured: Measured, compared: BothRuns, pairing: Pairing, how: Resampling) -> Sums:
    """Sum both runs; pairs, or all pairs of one input, are drawn together."""
    old, new = len(compared[0]), len(compared[1])
    member = np.repeat([BEFORE, AFTER], [old, new])
    groups = np.tile(_units(compared[0]), 2) if pairing.pairs else None
    return sum_up(measured.table, member, 2, groups, how)


def _units(run: Sequence[Answer]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the number of each pair's input: answers of several systems to one input belong together."""
    numbers: dict[str, int] = {}
    names = [answer.source or f" {i}" for i, answer in enumerate(run)]
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _moved(name: str, title: str, above: int, below: int | None, sums: Sums) -> Moved:
    def of(run: int) -> Statistic:
        return mean_or_rate(run, above, below)

    change = difference(of(AFTER), of(BEFORE))
    old, new = (float(of(run)(sums.whole)[0]) for run in (BEFORE, AFTER))
    p = sums.test(change, BEFORE, AFTER).p
    return Moved(name, title, old, new, sums.figure(change, BEFORE, AFTER), p)


def _corrected(rows: Sequence[Moved]) -> tuple[Moved, ...]:
    corrected = holm([row.corrected for row in rows])
    return tuple(replace(row, corrected=p) for row, p in zip(rows, corrected, strict=True))


def _kinds(kinds: Mapping[str, str], measured: Measured, sums: Sums, changes: Sequence[Change]) -> tuple[Moved, ...]:
    gone = Counter(finding.kind for change in changes for finding in change.gone)
    new = Counter(finding.kind for change in changes for finding in change.new)
    rows = [
        replace(
            _moved(kind, title, measured[kind_column(kind)], measured[SENTENCES], sums), gone=gone[kind], new=new[kind]
        )
        for kind, title in kinds.items()
    ]
    return _corrected(rows)


def _systems(measured: Measured, compared: BothRuns, pairing: Pairing, how: Resampling) -> tuple[Moved, ...]:
    """Return the change of each system that is in both runs, where there are several."""
    names = sorted({answer.system for answer in compared[0]} & {answer.system for answer in compared[1]})
    all_systems = {answer.system for run in compared for answer in run}
    if len(all_systems) < 2:
        return ()
    moves = []
    for name in names:
        rows = [i for i, answer in enumerate([*compared[0], *compared[1]]) if answer.system == name]
        of_system = Measured(measured.columns, measured.table[rows])
        parts = tuple([answer for answer in run if answer.system == name] for run in compared)
        sums = _sum(of_system, (parts[0], parts[1]), pairing, how)
        moves.append(_moved(name, name, of_system[SCORE], None, sums))
    return _corrected(moves)


def tell_runs(runs: Runs) -> str:
    """Say how the mean changed, in a sentence, and single texts, in another."""
    moved, difference = runs.mean, runs.mean.change
    if math.isnan(difference.value):
        return "No text has a score in both runs, so they cannot be compared."
    means = f"mean naturalness {moved.before:.3f} before, {moved.after:.3f} now"
    if math.isnan(difference.low):
        return f"Too few texts to distinguish a change from chance: {means}."
    means += f" ({change(difference.value)}; 95 % interval {between(difference.low, difference.high, change)})"
    if runs.is_worse:
        first = f"The texts sound less natural than before: {means}."
    elif runs.is_better:
        first = f"The texts sound more natural than before: {means}."
    else:
        first = f"No change beyond chance: {means}."
    if math.isnan(runs.worse):
        return first
    n, rest = runs.n_compared[1], abs(1 - runs.worse - runs.better)
    shares = f"{runs.worse:.0%} fell, {runs.better:.0%} rose and {rest:.0%} stayed within {MIN_CHANGE}"
    return f"{first} Of {n:,} texts {shares}."


def tell_moved(rows: Sequence[Moved], unit: str) -> str:
    """Say which causes changed beyond chance; empty where none did."""
    out = sorted((row for row in rows if row.differs), key=lambda row: -abs(row.change.value))
    parts = []
    for verb, some in (
        ("lost", [row for row in out if row.change.value < 0]),
        ("gained", [row for row in out if row.change.value > 0]),
    ):
        if some:
            named = [f"{amount(row.change.value)} by {row.title}" for row in some[:MAX_NAMED]]
            parts.append(f"{verb} {enumeration(named)}")
    if not parts:
        return ""
    return f"By cause, in {unit} per text, they have {', and '.join(parts)}."


def tell_systems(rows: Sequence[Moved]) -> str:
    """Say which systems changed; empty where there are none to compare."""
    if not rows:
        return ""
    parts = []
    for verb, some in (
        ("fell", [row for row in rows if row.differs and row.change.value < 0]),
        ("rose", [row for row in rows if row.differs and row.change.value > 0]),
    ):
        if some:
            order = sorted(some, key=lambda row: -abs(row.change.value))
            named = [f"{row.title} ({change(row.change.value)})" for row in order]
            parts.append(f"{enumeration(named)} {verb}")
    still = [row.title for row in rows if not row.differs]
    if still:
        parts.append(f"{enumeration(still)} did not change beyond chance")
    return f"By system: {'; '.join(parts)}."
