"""Nearest neighbours, a learner of Groves et al. (2018): the mean target of the nearest training rows.

Importing this module adds the learner to the core's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.table import LEARNERS, Learner
from naturalness.models.learners.units import (
    INTEGERS,
    MATRIX,
    POSITIVE,
    Form,
    Parts,
    by_row,
    margins,
    require,
    require_shapes,
)
from naturalness_replication.coalitions import by_coalitions

NAME = "neighbours"
GRID: dict[str, list[Any]] = {"n_neighbors": [5, 15, 45], "weights": ["uniform", "distance"]}
"""The parameters that are tuned."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The mean target of the nearest training rows, optionally weighted by 1 / distance.

    Of equally near rows, the first ones are taken.
    """

    kind: ClassVar[str] = NAME
    points: FloatArray = field(metadata=MATRIX)
    targets: FloatArray
    count: IntArray = field(metadata={**INTEGERS, **POSITIVE})
    by_distance: IntArray = field(metadata=INTEGERS)

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the mean target of each row's nearest training rows."""
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            distance = np.sqrt(((self.points - row) ** 2).sum(axis=1))
            near = np.argsort(distance, kind="stable")[: self.count[0]]
            weight = np.ones(len(near))
            if self.by_distance[0]:
                same = distance[near] == 0.0
                weight = same.astype(np.float64) if same.any() else 1.0 / distance[near]
            out[i] = (weight * self.targets[near]).sum() / weight.sum()
        return out

    def check(self, name: str, width: int) -> None:
        """Raise an error unless each training row has a target, and there are at least ``count`` rows."""
        require_shapes(self, name, count=(1,), by_distance=(1,), points=(len(self.targets), width))
        require(1 <= self.count[0] <= len(self.points), f"{name}.count", "value")

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return exact Shapley values, computed from all coalitions of parts."""
        return by_row(lambda row: by_coalitions(self.decide, row, background, parts), rows, parts)


class NearestNeighbours:
    """An estimator that stores the training rows; it ignores the weights of rows."""

    def __init__(self, *, n_neighbors: int = 5, weights: str = "uniform") -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> NearestNeighbours:
        """Store ratings, or classes 0 and 1, with their rows."""
        count, by_distance = min(self.n_neighbors, len(rows)), self.weights == "distance"
        self.unit_ = Neighbours(rows, target.astype(np.float64), np.array([count]), np.array([int(by_distance)]))
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Return the mean target of each row's nearest training rows."""
        return self.unit_.decide(rows)


def _build(seed: int, parameters: dict[str, Any]) -> NearestNeighbours:
    return NearestNeighbours(**parameters)


LEARNERS[NAME] = Learner(Form(lambda estimator: estimator.unit_, margins), _build, _build, GRID, GRID)
