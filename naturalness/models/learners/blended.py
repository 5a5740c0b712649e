"""The mean of several learners: each learns by itself, and what they say is added up.

Learners speak in units of their own: margins, ratings, shares of trees. Each is divided by the
deviation of what it said out of fold, so that all of them count the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.models.learners.table import LEARNERS, Parameters

FLAT = 1e-9
"""Range inside a fold, beside the numbers' size, up to which nothing was told."""


@dataclass(slots=True)
class Blended:
    """Estimators that learn the same rows, and the weight of each."""

    parts: Sequence[Any]
    weights: FloatArray

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> Blended:
        """Learn, each by itself."""
        for part in self.parts:
            part.fit(rows, target, sample_weight=sample_weight)
        return self


def build_blend(seed: int, parameters: Mapping[str, Parameters], *, classes: bool) -> Blended:
    """Estimators of the learners that ``parameters`` name; their weights are those of a mean."""
    check_parts(parameters, classes=classes)
    parts = []
    for name, own in parameters.items():
        build = LEARNERS[name].classifier if classes else LEARNERS[name].regressor
        assert build is not None  # check_parts refuses a learner without it
        parts.append(build(seed, dict(own)))
    return Blended(parts, np.full(len(parts), 1.0 / len(parts)))


def check_parts(parameters: Mapping[str, Any], *, classes: bool) -> None:
    """Refuse, in words, parameters that are not those of learners by name."""
    able = [
        name
        for name, entry in LEARNERS.items()
        if entry.weights and not (entry.reads or entry.parts or entry.adapts) and (classes or entry.regressor)
    ]
    good = parameters and all(name in able and isinstance(own, Mapping) for name, own in parameters.items())
    if not good:
        example = {"logistic-l2": {"C": 0.01} if classes else {"alpha": 100.0}, "xgboost": {}}
        raise TrainingError(
            f"a blend with parameters {dict(parameters)!r}; expected those of each of its parts "
            f"by name, such as {example!r}; parts can be {', '.join(able)}"
        )


def weights_of(decisions: Sequence[FloatArray], tests: Sequence[IntArray]) -> FloatArray:
    """What each part's numbers are multiplied by, (n_units, n_parts), so that all count the same.

    ``decisions`` are those out of fold, (n, n_units) of each part; ``tests`` the rows that each
    fold tested. A part that says the same of all rows of a fold counts nothing: what its folds
    differ in is owed to their training rows, and runs against the target.
    """
    columns = [_weights(found, tests) for found in decisions]
    return np.column_stack(columns) / len(columns)


def _weights(decisions: FloatArray, tests: Sequence[IntArray]) -> FloatArray:
    """One over the deviation, of each unit."""
    spread = np.nanstd(decisions, axis=0)
    several = [rows for rows in tests if len(rows) > 1] or [np.concatenate(tests)]
    inside = np.max([np.ptp(decisions[rows], axis=0) for rows in several], axis=0)
    told = inside > FLAT * np.maximum(np.nanmax(np.abs(decisions), axis=0), 1.0)
    out: FloatArray = np.where(told, 1.0 / np.where(told, spread, 1.0), 0.0)
    return out


def joint(decisions: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """The numbers of the blend, (n, n_units)."""
    out: FloatArray = (np.stack(decisions, axis=2) * weights).sum(axis=2)
    return out
