"""Pearson and Spearman correlations of two columns, and their partial correlations given a third column.

Undefined correlations are NaN. `weighted` computes the same correlations, and Kendall's tau, for many resamples and
metrics at once.
"""

from __future__ import annotations

import math

import numpy as np

from naturalness.arrays import FloatArray

MIN_ROWS = 10
"""The smallest number of rows for which figures are reported; with fewer, intervals would be uninformative."""


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Return the Pearson correlation, -1..1; NaN if x or y is constant."""
    # Values that vary only by rounding errors count as constant.
    if len(x) < 2 or any(float(np.ptp(v)) <= 1e-12 * float(np.abs(v).max()) for v in (x, y)):
        return math.nan
    x, y = x - x.mean(), y - y.mean()
    return float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))


def ranks(values: FloatArray) -> FloatArray:
    """Return ranks from 1; equal values get their mean rank."""
    from scipy.stats import rankdata

    out: FloatArray = rankdata(values).astype(np.float64)
    return out


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Return the rank correlation, -1..1; NaN if x or y is constant; Spearman (1904)."""
    return pearson(ranks(x), ranks(y))


def partial_pearson(x: FloatArray, y: FloatArray, covariate: FloatArray) -> float:
    """Return the partial correlation of two columns given a third, such as length, -1..1.

    This is the correlation between the residuals of the two columns after linear regression on the third. Return NaN if
    the third column is constant, or fully explains one of them.
    """
    if len(x) < 3 or not np.ptp(covariate):
        return math.nan
    z = covariate - covariate.mean()
    spread = float(z @ z)
    residuals = []
    for values in (x, y):
        rest = values - values.mean() - float(z @ values) / spread * z
        if not np.ptp(values) or float(rest @ rest) <= 1e-9 * float(np.var(values)) * len(values):
            return math.nan
        residuals.append(rest)
    return pearson(*residuals)


def partial_spearman(x: FloatArray, y: FloatArray, covariate: FloatArray) -> float:
    """Return the partial correlation of ranks given the ranks of a third column, -1..1."""
    return partial_pearson(ranks(x), ranks(y), ranks(covariate))
