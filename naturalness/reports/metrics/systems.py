"""Do metrics rank systems as people do? Correlations of means over each system's texts.

Systems are few and stay fixed; texts (or sources) are resampled, so an interval says how far the
figure depends on the texts that were rated, not how other systems would fare.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.bootstrap import FEWEST_SOURCES, STATISTICS, Figures, Found, Resampling, ends, replicates

FEWEST_SYSTEMS = 3


def system_figures(
    scores: FloatArray, ratings: FloatArray, systems: Sequence[str | None], groups: IntArray, how: Resampling
) -> list[Figures]:
    """Figures over systems for each metric, a column of ``scores``; `n` counts systems.

    Rows whose system is None, as of a text that several wrote, are left out.
    """
    own = np.array([system is not None for system in systems], dtype=bool)
    names = np.array([system for system in systems if system is not None])
    member = (names[None, :] == np.unique(names)[:, None]).astype(np.float64)
    y, groups, table = ratings[own], groups[own], scores[own]
    known = ~(np.isnan(table) | np.isnan(y)[:, None])
    n_systems = (member @ known > 0).sum(axis=0)
    ranked = np.flatnonzero(n_systems >= FEWEST_SYSTEMS).tolist()
    out = [
        Figures(int(many), len(ratings) - int(kept.sum()), sources=len(np.unique(groups[kept])))
        for many, kept in zip(n_systems, known.T, strict=True)
    ]
    if not ranked:
        return out

    def measure(weights: FloatArray, taus: int) -> Found:
        found = []
        for metric in ranked:
            inside = member * known[:, metric]
            inside = inside[inside.sum(axis=1) > 0]
            found.append(across(*(_means(inside, v, weights) for v in (table[:, metric], y))))
        return {name: np.array([told[name] for told in found]) for name in STATISTICS}

    whole, drawn, left = replicates(measure, groups, how, how.resamples)
    for place, metric in enumerate(ranked):
        was = out[metric]
        sure = was.sources >= FEWEST_SOURCES
        many = how.resamples if sure else 0
        figures = ends(whole, drawn if sure else {}, left, place, how.resamples)
        out[metric] = Figures(
            was.n, was.left_out, **figures, resamples=many, kendall_resamples=many, sources=was.sources
        )
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
