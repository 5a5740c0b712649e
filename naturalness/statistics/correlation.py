"""How a metric correlates with ratings: Pearson, Spearman, Kendall, error of the best line; one sample.

These are the plain definitions, one pair of columns at a time; `weighted` has the same numbers for
many resamples and metrics at once, and tests hold the two together. Undefined is NaN.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray

MIN_ROWS = 10
"""Rows under which no figure is given: an interval of so few says nothing."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """All figures of one metric on one set of rows."""

    n: int
    left_out: int
    """Pairs of which one is NaN."""
    pearson: float
    spearman: float
    kendall: float
    mse: float


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Return the linear correlation, -1..1; NaN where one of the two does not vary."""
    if len(x) < 2:
        return math.nan
    if _constant(x) or _constant(y):
        return math.nan
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))


def _constant(values: FloatArray) -> bool:
    """Whether what varies is no more than rounding leaves."""
    return float(np.ptp(values)) <= 1e-12 * float(np.abs(values).max())


def ranks(values: FloatArray) -> FloatArray:
    """Return ranks from 1, the mean rank for equal values."""
    from scipy.stats import rankdata

    out: FloatArray = rankdata(values).astype(np.float64)
    return out


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Return the rank correlation, -1..1; Spearman (1904)."""
    return pearson(ranks(x), ranks(y))


def kendall(x: FloatArray, y: FloatArray) -> float:
    """Return tau-b, -1..1: concordant less discordant pairs, ties in both columns allowed for.

    Kendall (1945). NaN where one of the two does not vary.
    """
    from scipy.stats import kendalltau

    if len(x) < 2 or not np.ptp(x) or not np.ptp(y):
        return math.nan
    return float(kendalltau(x, y).statistic)


def mse_after_line(x: FloatArray, y: FloatArray) -> float:
    """Return the mean squared error of y after the best linear map of x, 0..var(y); lower is better.

    It equals (1 - r^2) var(y), with the variance that divides by n; Kann, Rothe & Filippova (2018).
    """
    r = pearson(x, y)
    return (1 - r * r) * float(np.var(y)) if r == r else math.nan


def residuals(y: FloatArray, covariate: FloatArray) -> FloatArray:
    """Return the residuals of y on the best line over a third column."""
    z = covariate - covariate.mean()
    spread = float(z @ z)
    slope = float(z @ y) / spread if spread else 0.0
    out: FloatArray = y - y.mean() - slope * z
    return out


def partial_pearson(x: FloatArray, y: FloatArray, covariate: FloatArray) -> float:
    """Return Pearson of the residuals of two columns on a third, -1..1: what is left, say, given length.

    NaN where the third column leaves nothing of one of them.
    """
    if len(x) < 3:
        return math.nan
    left_x, left_y = residuals(x, covariate), residuals(y, covariate)
    for left, whole in ((left_x, x), (left_y, y)):
        if not np.ptp(whole) or float(left @ left) <= 1e-9 * float(np.var(whole)) * len(whole):
            return math.nan
    return pearson(left_x, left_y)


def partial_spearman(x: FloatArray, y: FloatArray, covariate: FloatArray) -> float:
    """Return the same of ranks: Pearson of the residuals of ranks on ranks of the third column, -1..1."""
    return partial_pearson(ranks(x), ranks(y), ranks(covariate))


def correlate(x: FloatArray, y: FloatArray, covariate: FloatArray | None = None) -> Correlation:
    """Return all figures of a metric x and ratings y; pairs with a NaN are left out and counted.

    ``covariate`` takes a third column, such as length, out of both: `pearson` and `spearman` are then
    partial, `mse` is the error of the best linear map of metric and third column together, and
    `kendall` is NaN.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    if covariate is not None:
        known &= ~np.isnan(covariate)
    left_out = int((~known).sum())
    x, y = x[known], y[known]
    if covariate is None:
        return Correlation(len(x), left_out, pearson(x, y), spearman(x, y), kendall(x, y), mse_after_line(x, y))
    z = covariate[known]
    r = partial_pearson(x, y, z)
    rest = float(np.var(residuals(y, z))) if len(y) else math.nan
    rank = partial_spearman(x, y, z)
    return Correlation(len(x), left_out, r, rank, math.nan, (1 - r * r) * rest)
