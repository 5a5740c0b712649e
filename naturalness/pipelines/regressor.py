"""A regressor for ratings that follows scikit-learn's conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_y, check_consistent_length

from naturalness.arrays import FloatArray
from naturalness.errors import TrainingError
from naturalness.features.base import FeatureGroup
from naturalness.models.learners.verdict import on_scale
from naturalness.pipelines.estimator import TextEstimator
from naturalness.text.parsing import DEFAULT_PIPELINE


class NaturalnessRegressor(RegressorMixin, TextEstimator):  # type: ignore[misc]  # no stubs
    """Regressor that predicts ratings of texts or shares of votes.

    ``X`` and ``store`` are as for `NaturalnessClassifier`. ``scale`` gives the lowest and the highest possible rating
    (by default, the lowest and highest in the training data); `naturalness` is the position of the predicted rating on
    this scale. Predictions are calibrated by a least-squares line that is fitted on out-of-fold predictions, so that
    they are not too extreme.
    """

    def __init__(
        self,
        *,
        features: Sequence[str | FeatureGroup] | None = None,
        learner: str = "auto",
        parameters: Mapping[str, Any] | None = None,
        select: str = "none",
        folds: int = 5,
        scale: tuple[float, float] | None = None,
        nlp: str = DEFAULT_PIPELINE,
        random_state: int = 0,
        store: str | Path | None = None,
    ) -> None:
        self.features = features
        self.learner = learner
        self.parameters = parameters
        self.select = select
        self.folds = folds
        self.scale = scale
        self.nlp = nlp
        self.random_state = random_state
        self.store = store

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> NaturalnessRegressor:
        """Fit the regressor to ratings; rows of the same group stay in the same fold."""
        table, texts = self._read_training(X)
        target = np.asarray(_check_y(y, y_numeric=True, estimator=self), dtype=np.float64)
        check_consistent_length(table, target)
        self._fit(table, texts, target, groups, sample_weight)
        self.scale_ = self._scale(self.fitted_.target)
        return self

    def _scale(self, target: FloatArray) -> tuple[float, float]:
        low, high = self.scale or (float(target.min()), float(target.max()))
        if self.scale is not None and not low < high:
            raise TrainingError(f"a scale from {low} to {high}; the second must be the higher")
        # Constant ratings can be predicted, but define no scale.
        return (low, high) if low < high else (low, low + 1.0)

    def predict(self, X: Any) -> FloatArray:
        """Return ratings on the scale of the training data; raise an error for texts that cannot be judged."""
        values = self._predictable(X)
        return values[:, 0]

    def naturalness(self, X: Any) -> FloatArray:
        """Return naturalness, 0..1: the position of the predicted rating on the scale; NaN if undefined."""
        return on_scale(self._decide(X)[:, 0], *self.scale_)
