"""The pool as points: principal components of the prepared features, and predictions from the rated texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.prepared import learn_preparation
from naturalness.studio.annotate.asking.pool import Pool

MAX_DIRECTIONS = 64
"""Number of principal components; further ones are mostly noise and would keep raters waiting."""
SAMPLE_ROWS = 1000
"""Number of rows, evenly spaced in the table, from which means, standard deviations and components are computed."""
MAX_POOLS = 4
"""Number of pools whose points are cached."""
MAX_REFERENCES = 400
"""Maximum number of reference texts, evenly spaced in the pool, on which coverage is measured."""
LIKENESS_WIDTH = 0.5
"""Width of the similarity kernel, relative to the median distance between two texts."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A pool as points; unusable texts are at the origin."""

    points: FloatArray
    """Coordinates of the texts, (n, d)."""
    usable: BoolArray
    penalty: float
    """Ridge penalty for features that explain as much variance as there is noise: the mean squared length of points."""


@lru_cache(maxsize=MAX_POOLS)
def space_of(pool: Pool) -> Space:
    """Return the points of a pool."""
    from sklearn.decomposition import PCA

    usable = pool.usable
    rows = np.flatnonzero(usable)
    if not len(rows):
        return Space(np.zeros((len(pool), 1)), usable, 1.0)
    sample = pool.table[rows[:: max(1, len(rows) // SAMPLE_ROWS)]]
    preparation = learn_preparation(sample)
    prepared = preparation.apply(sample)
    directions = PCA(min(MAX_DIRECTIONS, *prepared.shape), svd_solver="full").fit(prepared)
    points = np.zeros((len(pool), directions.n_components_))
    points[rows] = directions.transform(preparation.apply(pool.table[rows]))
    return Space(points, usable, max(float((points**2).sum()) / len(rows), 1e-9))


@lru_cache(maxsize=MAX_POOLS)
def likeness_of(space: Space) -> FloatArray:
    """Return the similarity of each text to each reference text, 0..1; (n, `MAX_REFERENCES` or fewer)."""
    from sklearn.metrics.pairwise import euclidean_distances

    rows = np.flatnonzero(space.usable)
    references = rows[:: max(1, -(-len(rows) // MAX_REFERENCES))]
    squares = euclidean_distances(space.points, space.points[references], squared=True)
    return np.asarray(np.exp(-squares / (2 * LIKENESS_WIDTH**2 * float(np.median(squares[references])) + 1e-12)))


def coverage_gain(space: Space, rated: IntArray, texts: IntArray) -> FloatArray:
    """Return how much a rating of each of these texts would improve the coverage of the pool, 0..1.

    A reference text is covered as far as it is similar to the most similar rated text: generalized coverage (Bae, Noh
    & Sutherland 2024).
    """
    likeness = likeness_of(space)
    covered = likeness[rated].max(axis=0, initial=0.0)
    return np.asarray(np.maximum(likeness[texts] - covered, 0.0).mean(axis=1))


def certainty(space: Space, rated: IntArray, taught: IntArray, values: FloatArray) -> FloatArray | None:
    """Return how far each text's predicted rating is from the mean, relative to its standard deviation; None unless
    the ratings differ.

    The prediction is a ridge regression of the ``values`` of ``taught``. Its variance follows from the posterior
    covariance of the weights given all ``rated`` texts, which include ``taught``.
    """
    from sklearn.linear_model import Ridge

    if not len(values) or not np.ptp(values):
        return None
    points = space.points
    model = Ridge(space.penalty).fit(points[taught], values)
    precision = points[rated].T @ points[rated] + space.penalty * np.eye(points.shape[1])
    variance = np.einsum("ij,ji->i", points, np.linalg.solve(precision, points.T))
    return np.asarray(np.abs(model.predict(points) - values.mean()) / np.sqrt(variance + 1e-12))
