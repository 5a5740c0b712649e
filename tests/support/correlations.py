"""The figures of a metric computed with SciPy, as a reference for ours."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr

from naturalness.arrays import FloatArray


def mse(x: FloatArray, y: FloatArray, *more: FloatArray) -> float:
    """Return the mean squared error of the best linear map of columns onto y."""
    table = np.column_stack([np.ones(len(y)), x, *more])
    return float(((y - table @ np.linalg.lstsq(table, y, rcond=None)[0]) ** 2).mean())


def partial(x: FloatArray, y: FloatArray, z: FloatArray) -> float:
    """Return the partial correlation by the textbook formula; NaN if z explains everything."""
    xy, xz, yz = (float(pearsonr(a, b).statistic) if np.ptp(a) and np.ptp(b) else math.nan
                  for a, b in ((x, y), (x, z), (y, z)))  # fmt: skip
    rest = (1 - xz**2) * (1 - yz**2)
    return (xy - xz * yz) / math.sqrt(rest) if rest > 1e-9 else math.nan


def figures(x: FloatArray, y: FloatArray, z: FloatArray | None = None) -> dict[str, float]:
    """Return the figures of rows without NaN; NaN for constant columns."""
    known = ~np.isnan(x + y)
    if z is not None:
        x, y, z = x[known], y[known], z[known]
        ranked = [rankdata(v) for v in (x, y, z)]
        return {"pearson": partial(x, y, z), "spearman": partial(*ranked), "kendall": math.nan, "mse": mse(x, y, z)}
    x, y = x[known], y[known]
    if not np.ptp(x) or not np.ptp(y):
        return dict.fromkeys(("pearson", "spearman", "kendall", "mse"), math.nan)
    measures = {"pearson": pearsonr, "spearman": spearmanr, "kendall": kendalltau}
    return {name: float(measure(x, y).statistic) for name, measure in measures.items()} | {"mse": mse(x, y)}
