"""The mean of several learners: each learns by itself, and what they say is added up.

Learners speak in units of their own: margins, ratings, shares of trees. Each is divided by the
deviation of what it said out of fold, so that all of them count the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.shapley import Parts
from naturalness.models.learners.units import Form, Unit, require, require_shapes

MIN_RANGE = 1e-9
"""Range inside a fold, beside the numbers' size, up to which a part said the same of all rows."""


@dataclass(frozen=True, slots=True)
class Blend:
    """The sum of units of other kinds, each with a weight of its own, added one by one."""

    weights: FloatArray
    parts: tuple[Unit, ...]

    @property
    def kind(self) -> str:
        """Its parts by their kinds: ``blend(linear,trees)``."""
        return f"blend({','.join(part.kind for part in self.parts)})"

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return weighted sums of what the parts give."""
        out = np.zeros(len(rows))
        for weight, part in zip(self.weights, self.parts, strict=True):
            out += weight * part.decide(rows)
        return out

    def check(self, name: str, width: int) -> None:
        """Require a weight from 0 up for each part, and sound parts."""
        require_shapes(self, name, weights=(len(self.parts),))
        require(bool((self.weights >= 0).all()), f"{name}.weights", "value (below 0)")
        for i, part in enumerate(self.parts):
            part.check(f"{name}.part{i}", width)

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return the weighted sums of the units' values."""
        total = np.zeros((len(rows), len(parts)))
        for weight, unit in zip(self.weights, self.parts, strict=True):
            total += weight * unit.shapley(rows, background, parts)
        return total


def kinds_in(kind: str) -> tuple[str, ...]:
    """Return the kinds of a blend's parts; of another unit its own alone."""
    if kind.startswith("blend(") and kind.endswith(")"):
        return tuple(kind[len("blend(") : -1].split(","))
    return (kind,)


@dataclass(slots=True)
class Blended:
    """Estimators that learn the same rows, each with its form and its weight."""

    forms: Sequence[Form]
    parts: Sequence[Any]
    weights: FloatArray

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> Blended:
        """Learn, each by itself."""
        for part in self.parts:
            part.fit(rows, target, sample_weight=sample_weight)
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Return weighted sums of what the estimators say."""
        decisions = [form.decide(part, rows) for form, part in zip(self.forms, self.parts, strict=True)]
        out: FloatArray = (np.column_stack(decisions) * self.weights).sum(axis=1)
        return out


def compile_blend(estimator: Blended) -> Blend:
    """Return the arrays of all parts."""
    parts = zip(estimator.forms, estimator.parts, strict=True)
    return Blend(estimator.weights, tuple(form.compile(part) for form, part in parts))


BLEND = Form(compile_blend, Blended.decision_function)


def weights_of(decisions: Sequence[FloatArray], tests: Sequence[IntArray]) -> FloatArray:
    """Return what each part's numbers are multiplied by, (n_units, n_parts), so that all count the
    same.

    ``decisions`` are those out of fold, (n, n_units) of each part; ``tests`` the rows that each
    fold tested. A part that says the same of all rows of a fold counts nothing: what its folds
    differ in is owed to their training rows, and runs against the target.
    """
    return np.column_stack([_weights(part, tests) for part in decisions]) / len(decisions)


def _weights(decisions: FloatArray, tests: Sequence[IntArray]) -> FloatArray:
    """Return one over the deviation, of each unit."""
    spread = np.nanstd(decisions, axis=0)
    several = [rows for rows in tests if len(rows) > 1] or [np.concatenate(tests)]
    inside = np.max([np.ptp(decisions[rows], axis=0) for rows in several], axis=0)
    varies = inside > MIN_RANGE * np.maximum(np.nanmax(np.abs(decisions), axis=0), 1.0)
    out: FloatArray = np.where(varies, 1.0 / np.where(varies, spread, 1.0), 0.0)
    return out


def joint(decisions: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Return the numbers of the blend, (n, n_units)."""
    out: FloatArray = (np.stack(decisions, axis=2) * weights).sum(axis=2)
    return out
