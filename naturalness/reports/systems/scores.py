"""Systems beside each other by their scores alone: who sounds more natural, and how surely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.reports.systems.answers import codes
from naturalness.reports.systems.pairs import Pair, compare_pairs, means_per_input
from naturalness.reports.systems.resampling import mean, sum_up
from naturalness.reports.systems.wording import tell_groups
from naturalness.statistics.bootstrap import FEWEST_SOURCES, Interval, Resampling


@dataclass(frozen=True, slots=True)
class Scored:
    """A system and the scores of its texts."""

    system: str
    n_texts: int
    n_scored: int
    mean: Interval
    """Naturalness, 0..1; the ends are NaN of fewer than `FEWEST_SOURCES` texts."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Systems, the best first, with all their pairs."""

    systems: tuple[Scored, ...]
    pairs: tuple[Pair, ...]
    verdict: tuple[str, ...]
    """Who differs from whom, in sentences."""


def compare_scores(scores: Mapping[str, Sequence[float]], *, paired: bool, how: Resampling | None = None) -> Compared:
    """Compare systems by the naturalness of their texts; NaN is a text without a score.

    Where ``paired``, the first text of each system answers the same input, and so on: inputs are
    drawn, and differences taken on each. Pairs are corrected for their number (Holm).
    """
    how = how or Resampling()
    names = sorted(scores, key=lambda name: (_badness(scores[name]), name))
    member = codes([name for name in names for _ in scores[name]], names)
    table = np.array([value for name in names for value in scores[name]], dtype=np.float64)
    inputs = None
    if paired:
        inputs = np.array([i for name in names for i in range(len(scores[name]))], dtype=np.int64)
    sums = sum_up(table.reshape(-1, 1), member, len(names), inputs, how)
    per_input = None
    if inputs is not None and len(inputs):
        per_input = means_per_input(table, member, inputs, len(names))
    pairs = compare_pairs(names, 0, sums, per_input, how)
    enough = [name for name, n in zip(names, sums.units, strict=True) if n >= FEWEST_SOURCES]
    return Compared(
        tuple(
            Scored(
                name,
                len(scores[name]),
                sum(not math.isnan(value) for value in scores[name]),
                sums.figure(mean(place, 0), place),
            )
            for place, name in enumerate(names)
        ),
        pairs,
        tuple(tell_groups(enough, pairs, [name for name in names if name not in enough])),
    )


def _badness(scores: Sequence[float]) -> float:
    """Systems by mean naturalness; those without any score last."""
    known = [value for value in scores if not math.isnan(value)]
    return -float(np.mean(known)) if known else math.inf
