"""The pool as points: principal components of the prepared features, and predictions from the rated texts.

Two quantities depend only on which texts are rated, not on the ratings. The coverage of a text is its similarity to the
most similar rated text (generalized coverage; Bae, Noh & Sutherland 2024). The variance of a ridge regression's
prediction for a text follows from the posterior covariance of its weights; with it, the rating that would most lower
the mean variance over the pool can be found (transductive experimental design; Yu, Bi & Tresp 2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.prepared import learn_preparation
from naturalness.statistics.logistic import fit_logistic
from naturalness.studio.annotate.asking.pool import Pool

MAX_DIRECTIONS = 64
"""Number of principal components kept; further ones are mostly noise and would keep raters waiting."""
SAMPLE_ROWS = 1000
"""Number of rows, evenly spaced in the table, from which means, standard deviations and components are computed."""
BLOCK_ROWS = 256
MAX_POOLS = 4
"""Number of pools whose points are cached."""
MAX_REFERENCES = 400
"""Maximum number of reference texts, evenly spaced in the pool, on which coverage is measured."""
LIKENESS_WIDTH = 0.5
"""Width of the similarity kernel, relative to the median distance between two texts."""
SIGNAL = 1.0
"""Expected ratio of the variance explained by features to the noise variance."""
MIN_STEP = 1e-8
"""Step size below which Newton's method stops."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A pool as points; unusable texts are at the origin."""

    points: FloatArray
    """Coordinates of the texts, (n, d)."""
    usable: BoolArray
    spread: FloatArray
    """Mean outer product of the usable points, (d, d)."""
    penalty: float
    """Ridge penalty that corresponds to features explaining `SIGNAL` times the noise variance."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Predictions and their certainty for each text, from the rated texts."""

    variance: FloatArray
    """Variance of a ridge regression's prediction for each text, in units of the noise variance; (n,)."""
    covered: FloatArray
    """Similarity of each reference text to the most similar rated text, 0..1; (`MAX_REFERENCES` or fewer,)."""
    mean: FloatArray | None
    """Predicted ratings, in standard deviations from the mean of the ratings; None unless the ratings differ."""


@lru_cache(maxsize=MAX_POOLS)
def space_of(pool: Pool) -> Space:
    """Return the points of a pool."""
    usable = pool.usable
    rows = np.flatnonzero(usable)
    if not len(rows):
        return Space(np.zeros((len(pool), 1)), usable, np.eye(1), 1.0)
    sample = rows[:: max(1, len(rows) // SAMPLE_ROWS)]
    preparation = learn_preparation(pool.table[sample])
    some = preparation.apply(pool.table[sample])
    centre = some.mean(axis=0)
    some = some - centre
    _, directions = np.linalg.eigh(some.T @ some)
    axes = directions[:, ::-1][:, :MAX_DIRECTIONS]
    points = np.zeros((len(pool), axes.shape[1]))
    for start in range(0, len(rows), BLOCK_ROWS):  # few enough rows to fit in the processor's cache
        part = rows[start : start + BLOCK_ROWS]
        points[part] = (preparation.apply(pool.table[part]) - centre) @ axes
    spread = points.T @ points / len(rows)
    penalty = max(float(np.trace(spread)), 1e-9) / SIGNAL
    return Space(points, usable, spread, penalty)


@lru_cache(maxsize=MAX_POOLS)
def likeness_of(space: Space) -> FloatArray:
    """Return the similarity of each text to each reference text, 0..1; (n, `MAX_REFERENCES` or fewer)."""
    points = space.points
    rows = np.flatnonzero(space.usable)
    among = rows[:: max(1, -(-len(rows) // MAX_REFERENCES))]
    sample = points[among]
    squares = (points**2).sum(axis=1)[:, None] + (sample**2).sum(axis=1) - 2 * points @ sample.T
    squares = np.clip(squares, 0.0, None)
    usual = float(np.median(squares[among])) if len(rows) else 0.0
    out: FloatArray = np.exp(-squares / (2 * LIKENESS_WIDTH**2 * usual + 1e-12))
    return out


def uncovered(space: Space, belief: Belief, texts: IntArray) -> FloatArray:
    """Return how much a rating of each of these texts would improve the coverage of the pool, 0..1."""
    better = np.maximum(likeness_of(space)[texts] - belief.covered, 0.0)
    out: FloatArray = better.mean(axis=1)
    return out


def believe(space: Space, rated: IntArray, taught: IntArray, values: FloatArray) -> Belief:
    """Return the belief about all texts, given which texts are ``rated``; ``values`` are the ratings of ``taught``, a
    subset of ``rated``."""
    points = space.points
    covariance = covariance_of(space, points[rated])
    variance = np.einsum("ij,ij->i", points @ covariance, points)
    like = likeness_of(space)
    covered = like[rated].max(axis=0) if len(rated) else np.zeros(like.shape[1])
    return Belief(variance, covered, _predicted(space, taught, values))


def _predicted(space: Space, taught: IntArray, values: FloatArray) -> FloatArray | None:
    deviation = float(values.std()) if len(values) else 0.0
    if deviation <= 0:
        return None
    seen, target = space.points[taught], (values - values.mean()) / deviation
    mean = seen.mean(axis=0)
    seen = seen - mean
    ridge = space.penalty * np.eye(seen.shape[1])
    weights = np.linalg.solve(seen.T @ seen + ridge, seen.T @ target)
    out: FloatArray = (space.points - mean) @ weights
    return out


def covariance_of(space: Space, seen: FloatArray) -> FloatArray:
    """Return the covariance of a ridge regression's weights given ratings of these points or differences of points."""
    ridge = space.penalty * np.eye(space.points.shape[1])
    return np.asarray(np.linalg.inv(seen.T @ seen + ridge), dtype=np.float64)


def gain_of(space: Space, covariance: FloatArray, points: FloatArray) -> FloatArray:
    """Return how much a rating of each point, or a comparison with each difference, would lower the mean variance over
    the pool."""
    turned = points @ covariance
    variance = np.einsum("ij,ij->i", turned, points)
    out: FloatArray = np.einsum("ij,ij->i", turned @ space.spread, turned) / (1.0 + variance)
    return out


def weights_of(apart: FloatArray, better: BoolArray, strength: float) -> FloatArray:
    """Return the weights, (d,), of a score whose difference predicts which of two texts people prefer.

    Logistic regression without an intercept on the difference of two texts' features (Bradley & Terry 1952, with
    features for strengths): ``apart`` holds first minus second, (n, d); ``better`` tells whether the first is
    preferred; ``strength`` is the inverse of the penalty. Newton's method minimises the convex loss, in as many
    dimensions as there are pairs or columns, whichever are fewer.
    """
    signed = np.where(better[:, None], apart, -apart)
    n, d = signed.shape
    if n < d:
        # The weights are a linear combination of the rows, so only inner products of rows are needed.
        values, vectors = np.linalg.eigh(signed @ signed.T)
        roots = np.sqrt(np.clip(values, 0.0, None))
        inner = _fit(vectors * roots, 1.0 / strength)
        inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > MIN_STEP * roots.max())
        out: FloatArray = signed.T @ (vectors @ (inverse * inner))
        return out
    return _fit(signed, 1.0 / strength)


def _fit(signed: FloatArray, penalty: float) -> FloatArray:
    n, d = signed.shape
    return fit_logistic(signed, np.ones(n), np.ones(n), np.full(d, penalty), min_step=MIN_STEP)
