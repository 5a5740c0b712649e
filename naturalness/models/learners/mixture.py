"""The mixture that `auto` fits to few texts: an adapted model and randomised trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.blend import Blend
from naturalness.models.learners.linear import Adapted, compile_linear
from naturalness.models.learners.trees import compile_forest
from naturalness.models.learners.units import Form, margins

WEIGHTS = (0.7, 0.3)
"""Weights of the adapted model and the trees. More weight on the trees gains a little more on average, but loses on
some sets (`benchmarks.small_data`)."""


class Mixture:
    """A weighted mean of two regressions on the same standardised target, which for two classes is 0 or 1.

    It has no grid, because the mean depends little on the parameters of its parts, and cross-validation on few texts
    chooses them badly. ``start`` and ``rises`` are as for `Adapted`.
    """

    def __init__(self, random_state: int) -> None:
        self.random_state = random_state
        self.start: FloatArray | None = None
        self.rises = True

    def fit(self, rows: FloatArray, target: FloatArray, sample_weight: FloatArray) -> Mixture:
        """Fit ratings, or classes 0 and 1."""
        from sklearn.ensemble import ExtraTreesRegressor

        mean = np.average(target, weights=sample_weight)
        deviation = np.sqrt(np.average((target - mean) ** 2, weights=sample_weight))
        values = (target - mean) / (deviation or 1.0)
        adapted = Adapted(classes=False, alpha=10_000.0)
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


def compile_mixture(estimator: Mixture) -> Blend:
    """Return the arrays of a fitted mixture."""
    adapted, trees = estimator.parts_
    return Blend(np.array(WEIGHTS), (compile_linear(adapted), compile_forest(trees)))


MIXTURE = Form(compile_mixture, margins)
