"""Test whether one metric correlates better with ratings than another.

Two metrics are evaluated on the same rows, so their correlations with ratings are dependent. Williams' test allows for
this dependence, and decides which metric is significantly better. p values are two-sided unless a name says otherwise;
undefined values are NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.correlation import pearson, ranks
from naturalness.statistics.measures import effective_number

ALPHA = 0.05
Row = TypeVar("Row", bound=Any)


@dataclass(frozen=True, slots=True)
class Test:
    """A test statistic, which is positive if the first metric is better, and its two-sided p value."""

    statistic: float = math.nan
    p: float = math.nan

    @property
    def p_greater(self) -> float:
        """The one-sided p value; the alternative is that the first metric is better."""
        half = self.p / 2
        return half if self.statistic > 0 else 1 - half


def williams(r1: float, r2: float, between: float, n: float) -> Test:
    """Test whether two metrics correlate equally with the same ratings; Williams (1959), Steiger (1980, eq. 7).

    ``between`` is the correlation between the two metrics. The statistic is t with n - 3 degrees of freedom. If both
    metrics have the same correlation with the ratings, t is 0 and p is 1.
    """
    if n <= 3 or any(math.isnan(r) for r in (r1, r2, between)):
        return Test()
    if r1 == r2:
        return Test(0.0, 1.0)
    determinant = 1 - r1**2 - r2**2 - between**2 + 2 * r1 * r2 * between
    mean = (r1 + r2) / 2
    below = 2 * (n - 1) / (n - 3) * max(determinant, 0) + mean**2 * (1 - between) ** 3
    # The metrics are equal up to rounding, so any difference is a rounding error.
    if below <= 1e-15:
        return Test(0.0, 1.0) if abs(r1 - r2) < 1e-9 else Test()
    t = (r1 - r2) * math.sqrt((n - 1) * (1 + between) / below)
    return Test(t, two_sided(t, n - 3))


def two_sided(t: float, degrees: float) -> float:
    """Return the two-sided p value of Student's t; NaN if there are no degrees of freedom."""
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(t))) if degrees > 0 else math.nan


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for multiple testing; Holm (1979). NaN stays NaN and is not counted."""
    known = sorted((p, position) for position, p in enumerate(p_values) if not math.isnan(p))
    out, highest = [math.nan] * len(p_values), 0.0
    for rank, (p, position) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        out[position] = highest
    return out


def with_holm(rows: Sequence[Row], p_values: Sequence[float]) -> list[Row]:
    """Return copies of rows, each with its Holm-corrected p value in the field ``corrected``."""
    return [replace(row, corrected=p) for row, p in zip(rows, holm(p_values), strict=True)]


def ranked(values: Mapping[str, float]) -> list[str]:
    """Return names in order of their values, highest first; names with undefined values come last."""
    return sorted(values, key=lambda name: (math.isnan(values[name]), -values[name]))


def beaten_by(metric: str, pairs: Sequence[Any]) -> list[str]:
    """Return the metrics that ``metric`` significantly outperforms, given pairs with a ``winner()``."""
    return [pair.second if pair.first == metric else pair.first for pair in pairs if pair.winner() == metric]


def as_good_as_best(values: Mapping[str, float], pairs: Sequence[Any]) -> list[str]:
    """Return the metric with the highest value and the metrics that it does not significantly outperform."""
    order = [name for name in ranked(values) if not math.isnan(values[name])]
    worse = beaten_by(order[0], pairs) if order else []
    return [name for name in order if name not in worse]


MIN_TESTED = 4
"""The smallest number of sources on which two metrics are compared."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Williams' test of the Spearman correlations of two metrics, on the rows for which both are defined.

    Instead of the number of rows, the test takes their effective number for the difference of the correlations, so that
    rows of one source that are alike do not count as independent.
    """

    first: str
    second: str
    n: int
    test: Test = Test()
    corrected: float = math.nan
    """The p value of the test, corrected for the number of pairs."""

    def winner(self) -> str:
        """Return the metric with the significantly higher Spearman correlation after correction; empty if there is
        none.
        """
        if not self.corrected < ALPHA:
            return ""
        return self.first if self.test.statistic > 0 else self.second


def compare_pair(
    first: str, second: str, x1: FloatArray, x2: FloatArray, y: FloatArray, groups: IntArray | None = None
) -> Pair:
    """Return the test of two metrics; rows with a NaN are left out. ``groups`` has the index of each row's source."""
    known = ~(np.isnan(x1) | np.isnan(x2) | np.isnan(y))
    n, sources = int(known.sum()), np.flatnonzero(known) if groups is None else groups[known]
    if len(np.unique(sources)) < MIN_TESTED:
        return Pair(first, second, n)
    r1, r2, r = (ranks(values[known]) for values in (x1, x2, y))
    gap = _influences(r1, r) - _influences(r2, r)
    effective = effective_number(gap, sources, float(np.mean(gap**2)))
    return Pair(first, second, n, williams(pearson(r1, r), pearson(r2, r), pearson(r1, r2), effective))


def _influences(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the influence of each row on a correlation; Devlin, Gnanadesikan & Kettenring (1975)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        x, y = ((values - values.mean()) / values.std() for values in (x, y))
    influences: FloatArray = x * y - pearson(x, y) * (x**2 + y**2) / 2
    return influences


def compare_all(scores: Mapping[str, FloatArray], ratings: FloatArray, groups: IntArray | None = None) -> list[Pair]:
    """Return the tests of all pairs of metrics, with p values corrected for the number of pairs."""
    pairs = [compare_pair(a, b, scores[a], scores[b], ratings, groups) for a, b in combinations(scores, 2)]
    return with_holm(pairs, [pair.test.p for pair in pairs])


def n_tested(pairs: Sequence[Pair]) -> int:
    """Return the number of pairs with a defined p; p values are corrected for this number."""
    return sum(not math.isnan(pair.test.p) for pair in pairs)
