"""A report on systems, or on two runs, as plain data; `page` renders it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness import __version__
from naturalness.data.frames import frame_of_rows
from naturalness.pipelines.summary import rounded
from naturalness.reports.systems.answers import (
    SCORE,
    SENTENCES,
    TOTAL,
    ScoringModel,
    SystemText,
    causes_of,
    codes,
    inputs_of,
    kinds_of,
    measure_answers,
    names_of_systems,
)
from naturalness.reports.systems.causes import TITLES, CauseShare, shares, tell_causes
from naturalness.reports.systems.resampling import SystemPair, best_first, compare_systems
from naturalness.reports.systems.standings import SystemFigures, standing, worst_of
from naturalness.statistics.bootstrap import Interval, Resampling

if TYPE_CHECKING:
    import pandas as pd


MIN_CHANGE = 0.01
"""The smallest change in naturalness at which a text counts as better or worse."""
MAX_CHANGES = 20
"""The largest number of texts listed as worse."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """The texts of an older and a newer run for the same input."""

    before: SystemText
    after: SystemText

    @property
    def gain(self) -> float:
        """The change in naturalness; above 0 if the newer text is more natural."""
        return self.after.explanation.naturalness - self.before.explanation.naturalness


@dataclass(frozen=True, slots=True)
class Runs:
    """A comparison of an older and a newer run."""

    older: str
    newer: str
    is_worse: bool
    """Whether mean naturalness fell, and the interval of the difference excludes 0."""
    n_paired: int
    """The number of inputs for which both runs have a text with a score."""
    n_fell: int
    """The number of them whose naturalness fell by `MIN_CHANGE` or more."""
    n_rose: int
    fell: tuple[TextChange, ...]
    """The texts that fell most, at most `MAX_CHANGES`."""


def compare_runs(answers: Sequence[SystemText], older: str, newer: str, pairs: Sequence[SystemPair]) -> Runs:
    """Compare two runs, given their texts and the test of the pair; of several texts for an input, only the first in
    each run is compared.
    """
    runs: dict[str, dict[str, SystemText]] = {older: {}, newer: {}}
    for answer in answers:
        if answer.scored and answer.source:
            runs[answer.system].setdefault(answer.source, answer)
    changes = [
        TextChange(before, runs[newer][source]) for source, before in runs[older].items() if source in runs[newer]
    ]
    fell = [change for change in changes if change.gain <= -MIN_CHANGE]
    return Runs(
        older,
        newer,
        any(pair.first == older and pair.difference.low > 0 for pair in pairs),
        len(changes),
        len(fell),
        sum(change.gain >= MIN_CHANGE for change in changes),
        tuple(sorted(fell, key=lambda change: (change.gain, change.after.row))[:MAX_CHANGES]),
    )


@dataclass(frozen=True, slots=True)
class SystemsReport:
    """A report on unrated texts by one or more systems."""

    judge: ScoringModel
    n_texts: int
    n_inputs: int
    """The number of inputs that systems share; 0 if there are none, so that each system's texts are resampled
    separately.
    """
    standings: tuple[SystemFigures, ...]
    """The standing of each system. The best system comes first, here and in all other fields."""
    pairs: tuple[SystemPair, ...]
    verdict: tuple[str, ...]
    """Sentences that say which systems differ."""
    totals: tuple[CauseShare, ...]
    causes: tuple[CauseShare, ...]
    cause_sentences: Mapping[str, str]
    """A sentence on the causes in which each system differs from the others, keyed by system."""
    kinds: tuple[CauseShare, ...]
    worst: Mapping[str, tuple[SystemText, ...]]
    resampling: Resampling
    runs: Runs | None = None
    """The texts that got worse, if the systems are an older and a newer run."""
    notes: tuple[str, ...] = field(default=())

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per system, the best first: counts, mean naturalness and voice, and shares, with 95 %
        intervals.
        """
        return frame_of_rows(
            [
                {
                    "system": standing.system,
                    "n_texts": standing.n_texts,
                    "n_scored": standing.n_scored,
                    **_with_ends("mean", standing.mean),
                    **_with_ends("voice", standing.voice),
                    "median": standing.median,
                    **_with_ends("below", standing.below),
                    **_with_ends("unlike", standing.unlike),
                    "words": standing.words,
                }
                for standing in self.standings
            ]
        )

    @property
    def systems(self) -> list[str]:
        """The names of the systems, the best first."""
        return [standing.system for standing in self.standings]

    @property
    def several(self) -> bool:
        """Whether there are two or more systems to compare."""
        return len(self.standings) > 1


def _with_ends(name: str, figure: Interval) -> dict[str, float]:
    return {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}


def make_report(
    answers: Sequence[SystemText],
    judge: ScoringModel,
    *,
    runs: tuple[str, str] | None = None,
    how: Resampling | None = None,
    notes: Sequence[str] = (),
) -> SystemsReport:
    """Return the report on texts; if the systems are two ``runs``, the older is named first."""
    how = how or Resampling()
    causes, kinds = causes_of(answers), {k: TITLES.get(k, k) for k in kinds_of(answers)}
    systems, sources = [answer.system for answer in answers], [answer.source for answer in answers]
    answers_of: dict[str, list[SystemText]] = {name: [] for name in names_of_systems(systems)}
    for answer in answers:
        answers_of[answer.system].append(answer)
    names = best_first({name: [a.explanation.naturalness for a in answers_of[name]] for name in answers_of})
    measured = measure_answers(answers, judge, causes, tuple(kinds))
    inputs = inputs_of(sources, systems)
    sums, pairs, verdict = compare_systems(names, codes(systems, names), measured.table, measured[SCORE], inputs, how)
    by_cause = shares(names, causes, [measured["cause", cause] for cause in causes], sums)
    by_kind = shares(names, kinds, [measured["kind", kind] for kind in kinds], sums, measured[SENTENCES])
    return SystemsReport(
        judge,
        len(answers),
        0 if inputs is None else len(np.unique(inputs)),
        standings=tuple(standing(n, i, answers_of[n], measured, sums) for i, n in enumerate(names)),
        pairs=pairs,
        verdict=verdict,
        totals=shares(names, {"": "all causes"}, [measured[TOTAL]], sums),
        causes=by_cause,
        cause_sentences=tell_causes(names, by_cause, judge.unit),
        kinds=by_kind,
        worst={name: worst_of(answers_of[name]) for name in names},
        resampling=how,
        runs=None if runs is None else compare_runs(answers, *runs, pairs),
        notes=tuple(notes),
    )


def everything(report: SystemsReport) -> dict[str, Any]:
    """Return a report as plain data; numbers have six significant digits, and undefined numbers are None."""
    data: dict[str, Any] = rounded({"made_with": f"naturalness {__version__}", **asdict(report)})
    return data
