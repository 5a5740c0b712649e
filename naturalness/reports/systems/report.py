"""A report on systems and, if requested, on the changes between two runs, as plain data; `page` renders it."""

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
    kinds_of,
    measure_answers,
    names_of_systems,
)
from naturalness.reports.systems.causes import TITLES, CauseShare, shares, tell_causes
from naturalness.reports.systems.pairs import SystemPair, best_first, compare_systems
from naturalness.reports.systems.runs import Runs, compare_runs, pair_up, shared_inputs, tell_runs
from naturalness.reports.systems.standings import SystemFigures, Worst, standing, worst_of
from naturalness.statistics.bootstrap import Interval, Resampling

if TYPE_CHECKING:
    import pandas as pd


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
    worst: Mapping[str, tuple[Worst, ...]]
    resampling: Resampling
    runs: Runs | None = None
    verdict_of_runs: tuple[str, ...] = ()
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
    def axes(self) -> list[str]:
        """The names of the axes of an adapted model; empty for other models."""
        return list(dict.fromkeys(axis for standing in self.standings for axis in standing.axes))

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
    before: Sequence[SystemText] | None = None,
    how: Resampling | None = None,
    notes: Sequence[str] = (),
) -> SystemsReport:
    """Return the report on texts and, if an older run ``before`` is given, on the changes since that run."""
    how = how or Resampling()
    both = [*answers, *(before or ())]
    causes, kinds = causes_of(both), {k: TITLES.get(k, k) for k in kinds_of(both)}
    answers_of: dict[str, list[SystemText]] = {
        name: [] for name in names_of_systems(answer.system for answer in answers)
    }
    for answer in answers:
        answers_of[answer.system].append(answer)
    names = best_first({name: [a.explanation.naturalness for a in answers_of[name]] for name in answers_of})
    member = codes([answer.system for answer in answers], names)
    measured = measure_answers(answers, judge, causes, tuple(kinds))
    inputs = shared_inputs(answers)
    sums, pairs, verdict = compare_systems(names, member, measured.table, measured[SCORE], inputs, how)
    by_cause = shares(names, causes, [measured["cause", cause] for cause in causes], sums)
    by_kind = shares(names, kinds, [measured["kind", kind] for kind in kinds], sums, measured[SENTENCES])
    runs = None
    if before is not None:
        runs = compare_runs(before, answers, pair_up(before, answers), judge, causes, kinds, how)
    standings = tuple(standing(n, i, answers_of[n], measured, sums) for i, n in enumerate(names))
    return SystemsReport(
        judge,
        len(answers),
        0 if inputs is None else len(np.unique(inputs)),
        standings=standings,
        pairs=pairs,
        verdict=verdict,
        totals=shares(names, {"": "all causes"}, [measured[TOTAL]], sums),
        causes=by_cause,
        cause_sentences=tell_causes(names, by_cause, judge.unit),
        kinds=by_kind,
        worst={name: worst_of(answers_of[name]) for name in names},
        resampling=how,
        runs=runs,
        verdict_of_runs=() if runs is None else tell_runs(runs, judge.unit),
        notes=tuple(notes),
    )


def everything(report: SystemsReport) -> dict[str, Any]:
    """Return a report as plain data; numbers have six significant digits, and undefined numbers are None."""
    data: dict[str, Any] = rounded({"made_with": f"naturalness {__version__}", **asdict(report)})
    return data
