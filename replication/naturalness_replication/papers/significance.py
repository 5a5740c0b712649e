"""Tests of two metrics as Kann, Rothe & Filippova (2018) have them: Fisher's z and the two-sample t.

Both treat two metrics on the same texts as independent samples, and are too conservative for metrics that agree.
"""

from __future__ import annotations

import math

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.statistics.significance import Test, two_sided


def fisher_z(r1: float, n1: int, r2: float, n2: int) -> Test:
    """Test the difference between the correlations of two independent samples; Fisher (1921).

    z = (atanh r1 - atanh r2) / sqrt(1 / (n1 - 3) + 1 / (n2 - 3)).
    """
    if min(n1, n2) <= 3 or not max(abs(r1), abs(r2)) < 1:
        return Test()
    spread = math.sqrt(1 / (n1 - 3) + 1 / (n2 - 3))
    z = (math.atanh(r1) - math.atanh(r2)) / spread
    return Test(z, math.erfc(abs(z) / math.sqrt(2)))


def two_sample_t(first: FloatArray, second: FloatArray) -> Test:
    """Test the difference in mean error of two samples of equal variance; t is positive if the first is smaller."""
    n, m = len(first), len(second)
    if min(n, m) < 2:
        return Test()
    pooled = ((n - 1) * np.var(first, ddof=1) + (m - 1) * np.var(second, ddof=1)) / (n + m - 2)
    spread = math.sqrt(float(pooled) * (1 / n + 1 / m))
    t = float(second.mean() - first.mean()) / spread if spread else math.nan
    return Test(t, two_sided(t, n + m - 2))


def squared_errors(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the squared error of each row when y is predicted from x by linear regression."""
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread if spread else 0.0
    out: FloatArray = (y - y.mean() - slope * centred) ** 2
    return out
