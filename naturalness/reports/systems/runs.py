"""What became better and worse between two runs: in the mean, by cause, and text by text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.reports.systems.answers import (
    BELOW,
    SCORE,
    SENTENCES,
    WORDS,
    Answer,
    Judge,
    Measured,
    cause_column,
    kind_column,
    measure_answers,
)
from naturalness.reports.systems.causes import HUNDRED
from naturalness.reports.systems.changes import SAME, Change, change_of, most_changed
from naturalness.reports.systems.pairing import Pairing
from naturalness.reports.systems.resampling import Statistic, Sums, difference, mean, ratio, sum_up
from naturalness.reports.systems.standings import histogram
from naturalness.statistics.bootstrap import Interval, Resampling
from naturalness.statistics.significance import ALPHA, holm

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
    """Share of pairs whose naturalness fell by `SAME` or more; NaN where nothing is paired."""
    better: float
    lost: int
    """Pairs that had a score and have none now."""
    found: int
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
    """The older and the newer run; ``causes`` and ``kinds`` give titles by key."""
    pairs = [(before[i], after[j]) for i, j in pairing.pairs]
    both = [(old, new) for old, new in pairs if old.scored and new.scored]
    if pairs:
        chosen = [old for old, _ in both], [new for _, new in both]
    else:
        chosen = [one for one in before if one.scored], [one for one in after if one.scored]
    measured = measure_answers([*chosen[0], *chosen[1]], judge, causes, tuple(kinds))
    sums = _sum(measured, chosen, pairing, how)
    gains = np.array([new.explanation.naturalness - old.explanation.naturalness for old, new in both])
    changes = [change_of(old, new) for old, new in both]
    return Runs(
        pairing,
        (len(chosen[0]), len(chosen[1])),
        mean=_moved(SCORE, "mean naturalness", measured[SCORE], None, sums),
        below=_moved(BELOW, "below the threshold", measured[BELOW], None, sums),
        words=_moved(WORDS, "words per text", measured[WORDS], None, sums),
        n_same_text=sum(old.explanation.text == new.explanation.text for old, new in pairs),
        worse=float(np.mean(gains <= -SAME)) if len(gains) else math.nan,
        better=float(np.mean(gains >= SAME)) if len(gains) else math.nan,
        lost=sum(old.scored and not new.scored for old, new in pairs),
        found=sum(new.scored and not old.scored for old, new in pairs),
        causes=_corrected(
            [_moved(cause, title, measured[cause_column(cause)], None, sums) for cause, title in causes.items()]
        ),
        kinds=_kinds(kinds, measured, sums, changes),
        systems=_systems(measured, chosen, pairing, how),
        fell=most_changed(changes, -1),
        rose=most_changed(changes, 1),
        histograms=_histograms(chosen),
    )


Chosen = tuple[Sequence[Answer], Sequence[Answer]]


def _histograms(chosen: Chosen) -> tuple[tuple[int, ...], tuple[int, ...]]:
    old, new = (histogram([one.explanation.naturalness for one in run]) for run in chosen)
    return old, new


def _sum(measured: Measured, chosen: Chosen, pairing: Pairing, how: Resampling) -> Sums:
    """Sums of both runs; pairs, or all pairs of one input, are drawn together."""
    old, new = len(chosen[0]), len(chosen[1])
    member = np.repeat([BEFORE, AFTER], [old, new])
    groups = np.tile(_units(chosen[0]), 2) if pairing.pairs else None
    return sum_up(measured.table, member, 2, groups, how)


def _units(run: Sequence[Answer]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The number of each pair's input: answers of several systems to one input hang together."""
    place: dict[str, int] = {}
    names = [one.source or f" {i}" for i, one in enumerate(run)]
    return np.array([place.setdefault(name, len(place)) for name in names], dtype=np.int64)


def _moved(name: str, title: str, above: int, below: int | None, sums: Sums) -> Moved:
    def of(run: int) -> Statistic:
        if below is None:
            return mean(run, above)
        rate = ratio(run, above, below)
        return lambda drawn: HUNDRED * rate(drawn)

    change = difference(of(AFTER), of(BEFORE))
    old, new = (float(of(run)(sums.whole)[0]) for run in (BEFORE, AFTER))
    p = sums.test(change, BEFORE, AFTER).p
    return Moved(name, title, old, new, sums.figure(change, BEFORE, AFTER), p)


def _corrected(rows: Sequence[Moved]) -> tuple[Moved, ...]:
    found = holm([row.corrected for row in rows])
    return tuple(replace(row, corrected=p) for row, p in zip(rows, found, strict=True))


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


def _systems(measured: Measured, chosen: Chosen, pairing: Pairing, how: Resampling) -> tuple[Moved, ...]:
    """The change of each system that is in both runs, where there are several."""
    names = sorted({one.system for one in chosen[0]} & {one.system for one in chosen[1]})
    everyone = {one.system for run in chosen for one in run}
    if len(everyone) < 2:
        return ()
    rows = []
    for name in names:
        places = [i for i, one in enumerate([*chosen[0], *chosen[1]]) if one.system == name]
        own = Measured(measured.columns, measured.table[places])
        parts = tuple([one for one in run if one.system == name] for run in chosen)
        sums = _sum(own, (parts[0], parts[1]), pairing, how)
        rows.append(_moved(name, name, own[SCORE], None, sums))
    return _corrected(rows)
