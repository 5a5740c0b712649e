"""Do metrics rank systems as people do? Correlations of means over each system's texts.

Systems are few and stay fixed; texts (or sources) are resampled, so an interval says how far the
figure depends on the texts that were rated, not how other systems would fare.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naturalness.models.learners.prepared import FloatArray
from naturalness.pipelines.comparison.bootstrap import (
    STATISTICS,
    Figures,
    Resampling,
    bca,
    draw,
    leave_out,
)
from naturalness.pipelines.folds import IntArray

FEWEST_SYSTEMS = 3


def system_figures(
    scores: FloatArray, ratings: FloatArray, systems: Sequence[str], groups: IntArray,
    how: Resampling,
) -> list[Figures]:  # fmt: skip
    """Figures over systems for each metric, a column of ``scores``; `n` counts systems."""
    out = []
    names = np.unique(np.asarray(systems))
    member = (np.asarray(systems)[None, :] == names[:, None]).astype(np.float64)
    n_rows = len(ratings)
    drawn, left = draw(groups, how.resamples, how.seed), leave_out(groups, how.seed)
    weights = np.hstack([np.ones((n_rows, 1)), drawn, left])
    for column in scores.T:
        known = ~(np.isnan(column) | np.isnan(ratings))
        has = (member * known).sum(axis=1) > 0
        if has.sum() < FEWEST_SYSTEMS:
            out.append(Figures(int(has.sum()), n_rows - int(known.sum())))
            continue
        inside = member[has] * known
        x, y = (_means(inside, values, weights) for values in (column, ratings))
        found = across(x, y)
        figures = {
            name: bca(
                float(found[name][0]),
                found[name][1 : 1 + how.resamples],
                found[name][1 + how.resamples :],
            )
            for name in STATISTICS
        }
        out.append(
            Figures(int(has.sum()), n_rows - int(known.sum()), **figures, resamples=how.resamples,
                    kendall_resamples=how.resamples)
        )  # fmt: skip
    return out


def _means(member: FloatArray, values: FloatArray, weights: FloatArray) -> FloatArray:
    """Mean of each system in each resample: (n_systems, n_weights); NaN where it has no text."""
    many = member @ weights
    sums = (member * np.nan_to_num(values)) @ weights
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(many > 0, sums / many, np.nan)
    # Means that should be equal differ in their last digits, which would decide ranks.
    return np.asarray(np.round(means, 12), dtype=np.float64)


def across(x: FloatArray, y: FloatArray) -> dict[str, FloatArray]:
    """All statistics down the columns of x and y, (n_systems, n_columns); NaN where undefined."""
    from scipy.stats import rankdata

    r = _pearson(x, y)
    missing = np.isnan(x).any(axis=0) | np.isnan(y).any(axis=0)
    rank = _pearson(rankdata(x, axis=0), rankdata(y, axis=0))
    first, second = np.triu_indices(len(x), 1)
    signs = [np.sign(values[first] - values[second]) for values in (x, y)]
    free = np.sqrt((signs[0] ** 2).sum(axis=0) * (signs[1] ** 2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = np.where(free > 0, (signs[0] * signs[1]).sum(axis=0) / free, np.nan)
    found = {"pearson": r, "spearman": rank, "kendall": tau, "mse": (1 - r**2) * y.var(axis=0)}
    return {name: np.where(missing, np.nan, values) for name, values in found.items()}


def _pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    scale = np.sqrt((x * x).sum(axis=0) * (y * y).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(scale > 1e-15, (x * y).sum(axis=0) / scale, np.nan)
