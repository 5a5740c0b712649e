"""95 % intervals of correlations: the bias-corrected and accelerated bootstrap (BCa).

Efron (1987, JASA). Sources are resampled, not rows, where texts share one: all metrics see the same
resamples. The acceleration comes from leaving out one source at a time. With more than `BUNCHES`
sources it comes from leaving out bunches of them, and from `LONG` rows on Kendall's tau, which
compares all pairs, gets fewer resamples; a result says how many it had.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.models.learners.prepared import FloatArray
from naturalness.pipelines.comparison import weighted
from naturalness.pipelines.comparison.weighted import Column, Ranked
from naturalness.pipelines.folds import IntArray

STATISTICS = ("pearson", "spearman", "kendall", "mse")
RESAMPLES = 2000
LEVEL = 0.95
BUNCHES = 1000
LONG = 1500
FEWEST_KENDALL = 300
CHUNK = 1 << 19
"""Cells of an array of weights that are worked on together: it stays in the cache."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and the ends of its 95 % interval; NaN where undefined."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Figures:
    """What is told of one metric on one set of rows."""

    n: int
    left_out: int
    """Rows on which metric or rating (or length, where it is taken out) is NaN."""
    pearson: Interval = Interval()
    spearman: Interval = Interval()
    kendall: Interval = Interval()
    mse: Interval = Interval()
    resamples: int = 0
    kendall_resamples: int = 0


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often is drawn, and from which seed."""

    resamples: int = RESAMPLES
    seed: int = 0


def draw(groups: IntArray, resamples: int, seed: int) -> FloatArray:
    """How often each row is in each resample of whole groups: (n_rows, resamples)."""
    names, members = np.unique(groups, return_inverse=True)
    n = len(names)
    picks = np.random.default_rng(seed).integers(n, size=(resamples, n))
    picks += n * np.arange(resamples)[:, None]
    counts = np.bincount(picks.ravel(), minlength=n * resamples).reshape(resamples, n)
    return np.ascontiguousarray(counts.T, dtype=np.float64)[members]


def leave_out(groups: IntArray, seed: int) -> FloatArray:
    """Weights that leave out one group each, or one of `BUNCHES` bunches of groups."""
    names, members = np.unique(groups, return_inverse=True)
    bunch = np.arange(len(names))
    if len(names) > BUNCHES:
        bunch = np.random.default_rng(seed).permutation(bunch % BUNCHES)
    gone = bunch[members]
    weights = np.ones((len(groups), int(gone.max()) + 1))
    weights[np.arange(len(groups)), gone] = 0
    return weights


def bca(value: float, drawn: FloatArray, left: FloatArray, level: float = LEVEL) -> Interval:
    """The BCa interval of a value from its resamples and its leave-one-out values.

    Undefined resamples are not counted; fewer than half defined gives no interval.
    """
    from scipy.special import ndtr, ndtri

    defined = drawn[~np.isnan(drawn)]
    if math.isnan(value) or 2 * len(defined) < len(drawn) or not len(defined):
        return Interval(value)
    left = left[~np.isnan(left)]
    below = (np.sum(defined < value) + np.sum(defined <= value)) / (2 * len(defined))
    # A value beyond all resamples has no finite bias; half a resample is the least that is seen.
    edge = 0.5 / len(defined)
    bias = float(ndtri(min(max(below, edge), 1 - edge)))
    pull = (len(left) - 1) * (left.mean() - left) if len(left) else np.zeros(1)
    spread = float((pull**2).sum())
    speed = float((pull**3).sum()) / (6 * spread**1.5) if spread > 1e-24 else 0.0
    ends = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        z = bias + float(ndtri(share))
        ends.append(float(ndtr(bias + z / (1 - speed * z))))
    low, high = np.quantile(defined, ends)
    return Interval(value, float(low), float(high))


def kendall_resamples(n_rows: int, resamples: int) -> int:
    """Resamples of Kendall's tau: all, or with the square of the rows fewer."""
    if n_rows <= LONG:
        return resamples
    return min(resamples, max(FEWEST_KENDALL, round(resamples * (LONG / n_rows) ** 2)))


def intervals(
    scores: FloatArray, ratings: FloatArray, groups: IntArray, how: Resampling,
    *, given: FloatArray | None = None,
) -> list[Figures]:  # fmt: skip
    """Figures of each metric (a column of ``scores``, (n_rows, n_metrics)), with intervals.

    Each metric is judged on the rows on which it is defined. ``given`` is taken out of metric and
    rating, as `correlation.correlate` says.
    """
    known = ~np.isnan(scores) & ~np.isnan(ratings)[:, None]
    if given is not None:
        known &= ~np.isnan(given)[:, None]
    patterns, member = np.unique(known, axis=1, return_inverse=True)
    out = [Figures(0, len(ratings))] * scores.shape[1]
    for number in range(patterns.shape[1]):
        rows, columns = np.flatnonzero(patterns[:, number]), np.flatnonzero(member == number)
        if not len(rows):
            continue
        part = scores[np.ix_(rows, columns)]
        z = None if given is None else given[rows]
        told = _complete(part, ratings[rows], groups[rows], how, z)
        for column, (values, drawn, left, used) in zip(columns, told, strict=True):
            found = {name: bca(values[name], drawn[name], left[name]) for name in STATISTICS}
            out[column] = Figures(
                len(rows), len(ratings) - len(rows), **found, resamples=how.resamples,
                kendall_resamples=used,
            )  # fmt: skip
    return out


Told = tuple[dict[str, float], dict[str, FloatArray], dict[str, FloatArray], int]
"""The values, those of resamples, those of leaving out, and the resamples of Kendall's tau."""


def _complete(
    scores: FloatArray, ratings: FloatArray, groups: IntArray, how: Resampling,
    given: FloatArray | None,
) -> list[Told]:  # fmt: skip
    """For each metric the values, and those of resamples and of leaving out."""
    n, many = len(ratings), how.resamples
    ones = np.ones((n, 1))
    drawn, left = draw(groups, many, how.seed), leave_out(groups, how.seed)
    weights = np.hstack([ones, drawn, left])
    xs, y = [Column.of(column) for column in scores.T], Column.of(ratings)
    sums = replicate(weights, xs, y, None if given is None else Column.of(given))
    used = 0 if given is not None else kendall_resamples(n, many)
    some = np.r_[0 : 1 + used, 1 + many : weights.shape[1]]
    part = weights[:, some]
    told: list[Told] = []
    for i, x in enumerate(xs):
        rows = {name: sums[name][i] for name in ("pearson", "spearman", "mse")}
        rows["kendall"] = np.full(weights.shape[1], np.nan)
        if given is None:
            rows["kendall"][some] = weighted.kendall(part, x, y, sums["free"][i, some])
        values = {name: float(row[0]) for name, row in rows.items()}
        sampled = {name: row[1 : 1 + many] for name, row in rows.items()}
        sampled["kendall"] = sampled["kendall"][:used]
        told.append((values, sampled, {n: row[1 + many :] for n, row in rows.items()}, used))
    return told


def replicate(
    weights: FloatArray, xs: Sequence[Column], y: Column, z: Column | None
) -> dict[str, FloatArray]:
    """Pearson, Spearman and MSE under all weights, and the free pairs of x times those of y.

    Each is (n_metrics, n_weights).
    """
    shape = len(xs), weights.shape[1]
    out = {name: np.empty(shape) for name in ("pearson", "spearman", "mse", "free")}
    step = max(16, CHUNK // len(weights))
    x_values = np.array([x.values for x in xs])
    for start in range(0, shape[1], step):
        part = np.s_[:, start : start + step]
        w = np.ascontiguousarray(weights[part])
        r, rest = weighted.pearson(w, x_values, y.values), weighted.variance(w, y)
        rank_y, rank_z = Ranked.of(y, w), None if z is None else Ranked.of(z, w)
        if z is not None:
            yz = weighted.pearson(w, y.values[None], z.values)[0]
            r = weighted.partial(r, weighted.pearson(w, x_values, z.values), yz)
            rest = rest * (1 - yz**2)
        out["pearson"][part], out["mse"][part] = r, (1 - r**2) * rest
        for i, x in enumerate(xs):
            rank_x = Ranked.of(x, w)
            out["spearman"][i, start : start + step] = _spearman(w, rank_x, rank_y, rank_z)
            out["free"][i, start : start + step] = rank_x.free * rank_y.free
    return out


def _spearman(w: FloatArray, x: Ranked, y: Ranked, z: Ranked | None) -> FloatArray:
    r = weighted.spearman(w, x, y)
    if z is None:
        return r
    return weighted.partial(r, weighted.spearman(w, x, z), weighted.spearman(w, y, z))
