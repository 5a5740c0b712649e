"""Nearest neighbours: the mean target of the nearest training rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.shapley import Parts, by_row, coalitions, distances, from_worths
from naturalness.models.learners.units import INTEGERS, MATRIX, POSITIVE, Form, require, require_shapes, shares

MAX_DISTANCES = 1 << 22
"""Maximum number of distances in memory at a time."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The mean target of the nearest training rows, optionally weighted by 1 / distance."""

    kind: ClassVar[str] = "neighbours"
    points: FloatArray = field(metadata=MATRIX)
    targets: FloatArray
    count: IntArray = field(metadata={**INTEGERS, **POSITIVE})
    by_distance: IntArray = field(metadata=INTEGERS)

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the mean target of each row's nearest training rows."""
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            distance = self._distances(row)
            near = np.argsort(distance, kind="stable")[: self.count[0]]
            weight = np.ones(len(near))
            if self.by_distance[0]:
                same = distance[near] == 0.0
                weight = same.astype(np.float64) if same.any() else 1.0 / distance[near]
            out[i] = (weight * self.targets[near]).sum() / weight.sum()
        return out

    def settled(self, rows: FloatArray) -> BoolArray:
        """Return whether each row's nearest training rows are unambiguous.

        They are unambiguous if all other training rows are farther away. Of equally near training rows, this class
        takes the first, but scikit-learn takes arbitrary ones.
        """
        k = int(self.count[0])
        if k >= len(self.points):
            return np.ones(len(rows), dtype=np.bool_)
        nearest = [np.partition(self._distances(row), (k - 1, k)) for row in rows]
        return np.array([far[k] - far[k - 1] > 1e-9 for far in nearest], dtype=np.bool_)

    def _distances(self, row: FloatArray) -> FloatArray:
        out: FloatArray = np.sqrt(((self.points - row) ** 2).sum(axis=1))
        return out

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless each training row has a target, and there are at least ``count`` rows."""
        require_shapes(self, name, count=(1,), by_distance=(1,), points=(len(self.targets), width))
        require(1 <= self.count[0] <= len(self.points), f"{name}.count", "value")

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values by enumerating all coalitions; a coalition's squared distances are sums over parts."""
        n_coalitions = 1 << len(parts)
        step = max(1, MAX_DISTANCES // len(self.points))

        def values(row: FloatArray) -> FloatArray:
            near = distances(self.points, row, parts)
            total = np.zeros(n_coalitions)
            for other in background:
                far = distances(self.points, other, parts)
                for start in range(0, n_coalitions, step):
                    inside = coalitions(len(parts), start, min(start + step, n_coalitions))
                    squared = inside @ near.T + (1 - inside) @ far.T
                    total[start : start + len(inside)] += self._means(squared)
            return from_worths(total / len(background), len(parts))

        return by_row(values, rows, parts)

    def _means(self, squared: FloatArray) -> FloatArray:
        """Return the mean target of the nearest training rows, given squared distances, (n, n_training_rows)."""
        count = int(self.count[0])
        near = np.argpartition(squared, count - 1, axis=1)[:, :count]
        weight = np.ones(near.shape)
        if self.by_distance[0]:
            distance = np.sqrt(np.maximum(np.take_along_axis(squared, near, axis=1), 0.0))
            same = distance == 0.0
            with np.errstate(divide="ignore"):
                weight = np.where(same.any(axis=1, keepdims=True), same, 1.0 / distance)
        mean: FloatArray = (weight * self.targets[near]).sum(axis=1) / weight.sum(axis=1)
        return mean


def compile_neighbours(estimator: Any) -> Neighbours:
    """Return the unit of a fitted scikit-learn nearest-neighbour model."""
    from sklearn.base import is_classifier

    targets = estimator._y.astype(np.float64).ravel()
    if is_classifier(estimator):
        targets = (estimator.classes_[estimator._y.ravel()] == 1).astype(np.float64)
    return Neighbours(
        points=np.ascontiguousarray(estimator._fit_X, dtype=np.float64),
        targets=targets,
        count=np.array([min(estimator.n_neighbors, len(targets))], dtype=np.int64),
        by_distance=np.array([estimator.weights == "distance"], dtype=np.int64),
    )


NEIGHBOURS = Form(compile_neighbours, shares)
