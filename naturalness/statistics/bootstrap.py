"""95 % intervals of correlations by the bias-corrected and accelerated bootstrap (BCa; Efron 1987, JASA).

Sources are resampled, not rows, and all metrics are evaluated on the same resamples. The acceleration comes from the
jackknife over sources or, if there are more than `MAX_BUNCHES` of them, over `MAX_BUNCHES` bunches of sources.
Kendall's tau compares all pairs of rows, so fewer resamples are used for it above `MANY_ROWS` rows; results state how
many. Weights are drawn in blocks, so that memory use does not grow with the number of resamples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics import weighted
from naturalness.statistics.weighted import Column, Ranked

STATISTICS = ("pearson", "spearman", "kendall", "mse")
RESAMPLES = 2000
MIN_SOURCES = 10
"""The smallest number of sources for which intervals are computed; with fewer, resamples vary too little."""
ENDS = ((1 - 0.95) / 2, (1 + 0.95) / 2)
"""The quantiles at which a 95 % interval starts and ends."""
MAX_BUNCHES = 1000
MANY_ROWS = 1500
MIN_KENDALL_RESAMPLES = 300
CACHED_CELLS = 1 << 19
"""The number of weights processed at a time, small enough to fit into the processor cache."""
MAX_CELLS = 1 << 21
"""The largest number of weights held in memory at a time."""


def too_few(sources: int) -> str:
    """Return why this number of sources is too small for an interval; an empty string if it is large enough."""
    return "" if sources >= MIN_SOURCES else f"{sources} source{'s'[: sources != 1]}, fewer than {MIN_SOURCES}"


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with the ends of its 95 % interval; undefined numbers are NaN."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Figures:
    """The correlations and errors of one metric on one set of rows."""

    n: int
    left_out: int
    """The number of rows that lack the metric, the rating or, if one is used, the covariate."""
    pearson: Interval = Interval()
    spearman: Interval = Interval()
    kendall: Interval = Interval()
    mse: Interval = Interval()
    resamples: int = 0
    """The number of resamples from which the intervals were computed; 0 if there are no intervals."""
    kendall_resamples: int = 0
    sources: int = 0
    """The number of distinct sources of these rows; there are no intervals for fewer than `MIN_SOURCES`."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """The number of bootstrap resamples, and the random seed."""

    resamples: int = RESAMPLES
    seed: int = 0


def draw(groups: IntArray, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield blocks of bootstrap weights, (n_rows, n_resamples in the block): how often each resample contains each row.

    Whole groups are resampled. The weights do not depend on the number of resamples per block.
    """
    names, members = np.unique(groups, return_inverse=True)
    n, generator = len(names), np.random.default_rng(seed)
    for start, stop in _spans(resamples, len(groups)):
        many = stop - start
        picks = generator.integers(n, size=(many, n))
        picks += n * np.arange(many)[:, None]
        counts = np.bincount(picks.ravel(), minlength=n * many).reshape(many, n)
        yield np.ascontiguousarray(counts.T, dtype=np.float64)[members]


def draw_rows(groups: IntArray, resamples: int, seed: int) -> Iterator[IntArray]:
    """Yield, for each resample of whole groups, the indices of its rows; a row is repeated as often as it is drawn."""
    for weights in draw(groups, resamples, seed) if len(groups) else ():
        for counts in weights.T.astype(np.int64):
            yield np.repeat(np.arange(len(groups)), counts)


def leave_out(groups: IntArray, seed: int) -> Iterator[FloatArray]:
    """Yield blocks of jackknife weights; each column leaves out one group or one of `MAX_BUNCHES` bunches of groups."""
    names, members = np.unique(groups, return_inverse=True)
    bunch = np.arange(len(names))
    if len(names) > MAX_BUNCHES:
        bunch = np.random.default_rng(seed).permutation(bunch % MAX_BUNCHES)
    gone = bunch[members]
    for start, stop in _spans(int(gone.max()) + 1, len(groups)):
        yield (gone[:, None] != np.arange(start, stop)).astype(np.float64)


def _spans(columns: int, n_rows: int) -> Iterator[tuple[int, int]]:
    """Yield the start and the (exclusive) end of each block of columns."""
    width = max(16, MAX_CELLS // n_rows)
    for start in range(0, columns, width):
        yield start, min(start + width, columns)


Replicates = dict[str, FloatArray]
"""Arrays of replicates, (n_metrics, n_weights), keyed by the name of the statistic."""
Measure = Callable[[FloatArray, int], Replicates]
"""A function that computes statistics for all columns of weights, and Kendall's tau for the first n columns."""


def replicates(
    measure: Measure, groups: IntArray, how: Resampling, taus: int
) -> tuple[Replicates, Replicates, Replicates]:
    """Return the values, the bootstrap replicates and the jackknife replicates, computed block by block.

    ``taus`` is the number of resamples for which Kendall's tau is computed. If there are fewer than `MIN_SOURCES`
    sources, there are no replicates.
    """
    whole = measure(np.ones((len(groups), 1)), min(taus, 1))
    if len(np.unique(groups)) < MIN_SOURCES:
        return whole, {}, {}
    drawn, done = [], 0
    for weights in draw(groups, how.resamples, how.seed):
        drawn.append(measure(weights, min(max(taus - done, 0), weights.shape[1])))
        done += weights.shape[1]
    left = [measure(weights, weights.shape[1] if taus else 0) for weights in leave_out(groups, how.seed)]
    return whole, _side_by_side(drawn), _side_by_side(left)


def _side_by_side(blocks: Sequence[Replicates]) -> Replicates:
    return {name: np.hstack([block[name] for block in blocks]) for name in blocks[0]}


def ends(whole: Replicates, drawn: Replicates, left: Replicates, metric: int, taus: int) -> dict[str, Interval]:
    """Return the interval of each statistic for one metric, which is row ``metric`` of the arrays from `replicates`."""
    out = {}
    for name in STATISTICS:
        value = float(whole[name][metric, 0])
        if not drawn:
            out[name] = Interval(value)
            continue
        some = drawn[name][metric, :taus] if name == "kendall" else drawn[name][metric]
        out[name] = bca(value, some, left[name][metric])
    return out


def bca(value: float, drawn: FloatArray, left: FloatArray) -> Interval:
    """Return the BCa interval of a value from its bootstrap and jackknife replicates.

    Undefined replicates are ignored; there is no interval if more than half are undefined.
    """
    from scipy.special import ndtr, ndtri

    defined = drawn[~np.isnan(drawn)]
    if math.isnan(value) or 2 * len(defined) < len(drawn) or not len(defined):
        return Interval(value)
    left = left[~np.isnan(left)]
    below = (np.sum(defined < value) + np.sum(defined <= value)) / (2 * len(defined))
    # The bias correction would be infinite if all replicates were on the same side of the value, so at least half a
    # replicate is counted on each side.
    edge = 0.5 / len(defined)
    bias = float(ndtri(min(max(below, edge), 1 - edge)))
    pull = (len(left) - 1) * (left.mean() - left) if len(left) else np.zeros(1)
    spread = float((pull**2).sum())
    speed = float((pull**3).sum()) / (6 * spread**1.5) if spread > 1e-24 else 0.0
    ends = []
    for share in ENDS:
        z = bias + float(ndtri(share))
        ends.append(float(ndtr(bias + z / (1 - speed * z))))
    low, high = np.quantile(defined, ends)
    return Interval(value, float(low), float(high))


def percentile_ends(drawn: Sequence[float] | FloatArray) -> tuple[float, float]:
    """Return the ends of the 95 % percentile interval of replicates, ignoring undefined ones; Efron (1979)."""
    defined = np.asarray(drawn, dtype=np.float64)
    defined = defined[~np.isnan(defined)]
    if not len(defined):
        return math.nan, math.nan
    low, high = np.quantile(defined, ENDS)
    return float(low), float(high)


def kendall_resamples(n_rows: int, resamples: int) -> int:
    """Return the number of resamples for Kendall's tau; in long tables, it falls with the squared number of rows."""
    if n_rows <= MANY_ROWS:
        return resamples
    return min(resamples, max(MIN_KENDALL_RESAMPLES, round(resamples * (MANY_ROWS / n_rows) ** 2)))


def intervals(
    scores: FloatArray, ratings: FloatArray, groups: IntArray, how: Resampling, *, covariate: FloatArray | None = None
) -> list[Figures]:
    """Return the figures of each metric (a column of ``scores``, (n_rows, n_metrics)), with intervals.

    Each metric is evaluated on the rows for which it is defined. If there is a ``covariate``, Pearson and
    Spearman correlations are partial, ``mse`` is the error of the best linear map from metric and covariate to rating,
    and Kendall's tau is NaN.
    """
    known = ~np.isnan(scores) & ~np.isnan(ratings)[:, None]
    if covariate is not None:
        known &= ~np.isnan(covariate)[:, None]
    patterns, member = np.unique(known, axis=1, return_inverse=True)
    out = [Figures(0, len(ratings))] * scores.shape[1]
    for number in range(patterns.shape[1]):
        rows, columns = np.flatnonzero(patterns[:, number]), np.flatnonzero(member == number)
        if not len(rows):
            continue
        y, sources = Column.of(ratings[rows]), len(np.unique(groups[rows]))
        xs = [Column.of(scores[rows, column]) for column in columns]
        z = None if covariate is None else Column.of(covariate[rows])
        taus = 0 if covariate is not None else kendall_resamples(len(rows), how.resamples)
        samples = replicates(partial(replicate, xs, y, z), groups[rows], how, taus)
        drawn, few = (how.resamples, taus) if samples[1] else (0, 0)
        for position, column in enumerate(columns):
            out[column] = Figures(
                len(rows),
                len(ratings) - len(rows),
                **ends(*samples, position, taus),
                resamples=drawn,
                kendall_resamples=few,
                sources=sources,
            )
    return out


def replicate(
    xs: Sequence[Column], y: Column, z: Column | None, weights: FloatArray, taus: int = 0
) -> dict[str, FloatArray]:
    """Return all statistics for all columns of weights, (n_metrics, n_weights), and Kendall's tau for the first
    ``taus`` of them, else NaN.
    """
    shape = len(xs), weights.shape[1]
    out = {name: np.full(shape, np.nan) for name in STATISTICS}
    free = np.empty((len(xs), taus))
    step = max(16, CACHED_CELLS // len(weights))
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
            free[i, start : start + step] = (rank_x.free * rank_y.free)[: max(taus - start, 0)]
    for i, x in enumerate(xs if taus else ()):
        out["kendall"][i, :taus] = weighted.kendall(weights[:, :taus], x, y, free[i])
    return out


def _spearman(w: FloatArray, x: Ranked, y: Ranked, z: Ranked | None) -> FloatArray:
    r = weighted.spearman(w, x, y)
    if z is None:
        return r
    return weighted.partial(r, weighted.spearman(w, x, z), weighted.spearman(w, y, z))
