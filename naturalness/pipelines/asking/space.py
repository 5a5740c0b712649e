"""The pool as points: features made ready and turned to their main directions, and what ratings
of some points say of all others.

Without any rating, a linear model's variance at each text follows from which texts were rated: the
ridge's posterior covariance. So it can be told which text would lower the variance over the whole
pool most (transductive experimental design; Yu, Bi & Tresp 2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from naturalness.features.base import FloatArray
from naturalness.models.learners.prepared import learn_preparation
from naturalness.pipelines.asking.pool import BoolArray, IntArray, Pool

DIRECTIONS = 64
"""Main directions kept; further ones are mostly noise, and a question must not keep a rater
waiting."""
SAMPLE = 1000
"""Rows, evenly spaced, that means, deviations and directions are learned from."""
KEPT = 4
"""Pools whose points are remembered."""
SIGNAL = 1.0
"""Variance that features are expected to explain, over what they are not."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Points of the pool; those of texts that cannot be used are 0."""

    points: FloatArray
    """(n, d)"""
    usable: BoolArray
    spread: FloatArray
    """Mean outer product of the usable points, (d, d)."""
    penalty: float
    """Of the ridge, under which features explain as much as `SIGNAL` says."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What a ridge regression knows of each text once some are rated."""

    variance: FloatArray
    """Of its prediction, in units of the noise; (n,)."""
    gain: FloatArray
    """By how much one more rating would lower the mean variance over the pool; (n,)."""
    mean: FloatArray | None
    """Predicted rating, with mean 0 and deviation 1 over the ratings; None without ratings that
    differ."""


@lru_cache(maxsize=KEPT)
def space_of(pool: Pool) -> Space:
    """The points of a pool."""
    usable = pool.usable
    rows = np.flatnonzero(usable)
    if not len(rows):
        return Space(np.zeros((len(pool), 1)), usable, np.eye(1), 1.0)
    sample = rows[:: max(1, len(rows) // SAMPLE)]
    preparation = learn_preparation(pool.table[sample])
    some = preparation.apply(pool.table[sample])
    centre = some.mean(axis=0)
    some = some - centre
    _, directions = np.linalg.eigh(some.T @ some)
    kept = directions[:, ::-1][:, :DIRECTIONS]
    points = np.zeros((len(pool), kept.shape[1]))
    points[rows] = (preparation.apply(pool.table[rows]) - centre) @ kept
    spread = points.T @ points / len(rows)
    penalty = max(float(np.trace(spread)), 1e-9) / SIGNAL
    return Space(points, usable, spread, penalty)


def believe(space: Space, rated: IntArray, taught: IntArray, values: FloatArray) -> Belief:
    """What is known once ``rated`` are; ``values`` are the ratings of ``taught``, some of them."""
    points = space.points
    seen = points[rated]
    covariance = np.linalg.inv(seen.T @ seen + space.penalty * np.eye(points.shape[1]))
    turned = points @ covariance
    variance = np.einsum("ij,ij->i", turned, points)
    gain = np.einsum("ij,ij->i", turned @ space.spread, turned) / (1.0 + variance)
    return Belief(variance, gain, _predicted(space, taught, values))


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


def pair_gain(space: Space, rated: FloatArray, asked: FloatArray) -> FloatArray:
    """The gain of comparing two texts: ``rated`` and ``asked`` are differences of points."""
    covariance = np.linalg.inv(rated.T @ rated + space.penalty * np.eye(space.points.shape[1]))
    turned = asked @ covariance
    variance = np.einsum("ij,ij->i", turned, asked)
    out: FloatArray = np.einsum("ij,ij->i", turned @ space.spread, turned) / (1.0 + variance)
    return out
