"""Blends: weighted sums of several units, such as an adapted model and the norms for one kind of text, or trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.linear import AdaptedRidge, compile_linear
from naturalness.models.learners.prepared import MAX_DEVIATIONS
from naturalness.models.learners.trees import compile_forest
from naturalness.models.learners.units import POSITIVE, Form, Parts, Unit, by_row, margins, require, require_shapes

WEIGHTS = (0.7, 0.3)
"""Weights of the adapted model and the trees. More weight on the trees gains a little more on average, but loses on
some sets (`benchmarks.small_data`)."""


@dataclass(frozen=True, slots=True)
class Blend:
    """A weighted sum of units that are not blends themselves."""

    weights: FloatArray
    parts: tuple[Unit, ...]

    @property
    def kind(self) -> str:
        """Kind of the blend, with the kinds of its parts, such as ``blend(linear,trees)``."""
        return f"blend({','.join(part.kind for part in self.parts)})"

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the weighted sums of the parts' outputs."""
        out = np.zeros(len(rows))
        for weight, part in zip(self.weights, self.parts, strict=True):
            out += weight * part.decide(rows)
        return out

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless every part is valid and has a weight of 0 or more."""
        require_shapes(self, name, weights=(len(self.parts),))
        require(bool((self.weights >= 0).all()), f"{name}.weights", "value (below 0)")
        for i, part in enumerate(self.parts):
            part.check(f"{name}.part{i}", width)

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return the weighted sums of the parts' Shapley values."""
        total = np.zeros((len(rows), len(parts)))
        for weight, unit in zip(self.weights, self.parts, strict=True):
            total += weight * unit.shapley(rows, background, parts)
        return total


def kinds_in(kind: str) -> tuple[str, ...]:
    """Return the kinds of the parts if ``kind`` names a blend; otherwise a tuple with only ``kind``."""
    if kind.startswith("blend(") and kind.endswith(")"):
        return tuple(kind[len("blend(") : -1].split(","))
    return (kind,)


@dataclass(frozen=True, slots=True)
class Norms:
    """The function ``along . z - apart . |z|``, where z is (value - usual) / spread, clipped to -4..4.

    *Shapes:* all arrays are (p,), for p columns.
    """

    kind: ClassVar[str] = "norms"
    usual: FloatArray
    spread: FloatArray = field(metadata=POSITIVE)
    along: FloatArray
    """Gain of each column per standard deviation above its usual value; below it, a loss."""
    apart: FloatArray
    """Cost of each column per standard deviation from its usual value, in either direction; 0 or more."""

    def by_column(self, row: FloatArray) -> FloatArray:
        """Return the contribution of each column, for one row or several."""
        z = np.clip((row - self.usual) / self.spread, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        return self.along * z - self.apart * np.abs(z)

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the sum of the contributions of each row's columns, (n,); higher means more usual."""
        return np.array([self.by_column(row).sum() for row in rows], dtype=np.float64)

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless each array has one number per column and costs are 0 or more."""
        require_shapes(self, name, usual=(width,), spread=(width,), along=(width,), apart=(width,))
        require(bool((self.apart >= 0).all()), f"{name}.apart", "value (below 0)")

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values.

        Since columns do not interact, a part's value is the sum over its columns of the row's contribution minus the
        mean contribution in the background.
        """
        mean = self.by_column(background).mean(axis=0)

        def values(row: FloatArray) -> FloatArray:
            moved = self.by_column(row) - mean
            return np.array([moved[part].sum() for part in parts])

        return by_row(values, rows, parts)


class AdaptedForest:
    """A weighted mean of two regressions on the same standardised target, which for two classes is 0 or 1.

    It has no grid, because the mean depends little on the parameters of its parts, and cross-validation on few texts
    chooses them badly. ``start`` and ``rises`` are as for `AdaptedRidge`.
    """

    def __init__(self, random_state: int) -> None:
        self.random_state = random_state
        self.start: FloatArray | None = None
        self.rises = True

    def fit(self, rows: FloatArray, target: FloatArray, sample_weight: FloatArray) -> AdaptedForest:
        """Fit ratings, or classes 0 and 1."""
        from sklearn.ensemble import ExtraTreesRegressor

        mean = np.average(target, weights=sample_weight)
        deviation = np.sqrt(np.average((target - mean) ** 2, weights=sample_weight))
        values = (target - mean) / (deviation or 1.0)
        adapted = AdaptedRidge(classes=False, alpha=10_000.0)
        adapted.start, adapted.rises = self.start, self.rises
        trees: Any = ExtraTreesRegressor(
            n_estimators=100, min_samples_leaf=3, max_features=0.3, random_state=self.random_state
        )
        self.parts_ = (adapted, trees)
        for part in self.parts_:
            part.fit(rows, values, sample_weight=sample_weight)
        return self

    @property
    def feature_importances_(self) -> FloatArray:
        """The importances of the columns in the trees."""
        return np.asarray(self.parts_[1].feature_importances_, dtype=np.float64)

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Return standardised ratings, or margins."""
        outputs = [weight * margins(part, rows) for weight, part in zip(WEIGHTS, self.parts_, strict=True)]
        return np.asarray(sum(outputs), dtype=np.float64)


def compile_mixture(estimator: AdaptedForest) -> Blend:
    """Return the arrays of a fitted mixture."""
    adapted, trees = estimator.parts_
    return Blend(np.array(WEIGHTS), (compile_linear(adapted), compile_forest(trees)))


MIXTURE = Form(compile_mixture, margins)
