"""A naturalness classifier that follows scikit-learn's conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from naturalness.arrays import FloatArray
from naturalness.errors import TrainingError
from naturalness.features.base import FeatureGroup
from naturalness.models.learners.verdict import Interpretation, graded, probabilities
from naturalness.pipelines.estimator import TextEstimator
from naturalness.pipelines.fitting import ClassWeight
from naturalness.statistics.measures import choose_threshold
from naturalness.text.parsing import DEFAULT_PIPELINE

OUR_LABELS = ("unnatural", "not sure", "natural")
"""Labels whose order is known, from worst to best."""


class NaturalnessClassifier(ClassifierMixin, TextEstimator):  # type: ignore[misc]  # no stubs
    """Classifier of texts into two labels, or into several labels that are ordered from worst to best.

    ``X`` is a list of texts, a list of parsed Docs, or a table of features (with which all of scikit-learn's tools
    work). ``classes_`` are the labels in sorted order. Their order from worst to best is given by ``labels``; by
    default, it is ``unnatural``, ``not sure``, ``natural``, or numerical order if the labels are numbers. One model is
    fitted on all rows, and then calibrated by a sigmoid that is fitted on out-of-fold decisions, so that its log-odds
    are a fixed function of the features.

    Parameters
    ----------
    features : names of feature groups or columns (``lexical__root_ttr``); by default, those of the default model;
        ``["all"]`` for all of `features.GROUPS`.
    learner : a name in `naturalness.models.learners.table.LEARNERS`, or ``"auto"``.
    parameters : fixed parameters, in place of the learner's grid.
    select : ``"rfe"`` for recursive feature elimination, or ``"none"``.
    folds : number of folds for tuning; rows of the same group stay together.
    class_weight : ``"balanced"`` or None.
    threshold : the smallest probability at which the better class is predicted, or a metric that the threshold
        maximises: weighted_f1, macro_f1, f1, accuracy, balanced_accuracy.
    labels : labels from worst to best.
    store : a folder in which features are stored, so that no text is parsed again in a grid search, another fit or
        another process; None for no store. Texts themselves are not stored.
    """

    def __init__(
        self,
        *,
        features: Sequence[str | FeatureGroup] | None = None,
        learner: str = "auto",
        parameters: Mapping[str, Any] | None = None,
        select: str = "none",
        folds: int = 5,
        class_weight: ClassWeight = "balanced",
        threshold: float | str = 0.5,
        labels: Sequence[Any] | None = None,
        nlp: str = DEFAULT_PIPELINE,
        random_state: int = 0,
        store: str | Path | None = None,
    ) -> None:
        self.features = features
        self.learner = learner
        self.parameters = parameters
        self.select = select
        self.folds = folds
        self.class_weight = class_weight
        self.threshold = threshold
        self.labels = labels
        self.nlp = nlp
        self.random_state = random_state
        self.store = store

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> NaturalnessClassifier:
        """Fit the classifier to labels; rows of the same group stay in the same fold."""
        if self.class_weight not in (None, "balanced"):
            raise TrainingError(f"class_weight={self.class_weight!r}; expected 'balanced' or None")
        if not isinstance(self.threshold, str) and not 0.0 <= self.threshold <= 1.0:
            raise TrainingError(f"threshold={self.threshold!r}; expected 0 to 1, or the name of a metric")
        table, texts = self._read_training(X)
        y = column_or_1d(y, warn=True)
        check_consistent_length(table, y)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.order_ = self._order()
        number = {label: i for i, label in enumerate(self.classes_[self.order_].tolist())}
        target = np.array([number[label] for label in y.tolist()], dtype=np.float64)
        classes = self.classes_[self.order_]
        self._fit(table, texts, target, groups, sample_weight, classes, self.class_weight)
        self.threshold_ = self._threshold()
        return self

    def _order(self) -> Any:
        """Return the indices of the labels in ``classes_``, ordered from the worst label to the best."""
        labels = self.classes_.tolist()
        if len(labels) < 2:
            raise TrainingError(
                f"only 1 class in the labels, {labels[0]!r}; a classifier needs two: choose another "
                "label rule or threshold, or learn the ratings themselves"
            )
        named = list(OUR_LABELS) if self.labels is None else list(self.labels)
        if self.labels is None and not set(labels) <= set(OUR_LABELS):
            return np.arange(len(labels))
        if self.labels is not None and set(named) != set(labels):
            raise TrainingError(f"labels {named} named, {labels} found in y")
        return np.array([labels.index(label) for label in named if label in labels])

    @property
    def knows_order(self) -> bool:
        """Whether the order of the labels is known: from ``labels``, from the names in `OUR_LABELS`, or from
        numbers.
        """
        ours = set(self.classes_.tolist()) <= set(OUR_LABELS)
        return self.labels is not None or ours or self.classes_.dtype.kind in "biuf"

    def _threshold(self) -> float:
        if not isinstance(self.threshold, str):
            return float(self.threshold)
        if len(self.classes_) > 2:
            return 0.5
        naturalness, target = graded(self.fitted_.out_of_fold), self.fitted_.target
        return choose_threshold(naturalness, target == 1, self.threshold)

    def _in_class_order(self, values: FloatArray) -> FloatArray:
        """Reorder columns, which are ordered from worst to best, to match ``classes_``."""
        return values[:, np.argsort(self.order_)]

    def predict_proba(self, X: Any) -> FloatArray:
        """Return calibrated probabilities of shape (n, n_classes); NaN for texts that cannot be judged."""
        return self._in_class_order(probabilities(self._decide(X)))

    def decision_function(self, X: Any) -> FloatArray:
        """Return calibrated log-odds; with two classes, positive values predict the second class."""
        values = self._decide(X)
        if len(self.classes_) > 2:
            return self._in_class_order(values)
        with np.errstate(divide="ignore"):
            at = float(np.log(self.threshold_) - np.log1p(-self.threshold_))
        out: FloatArray = values[:, 0] - at
        return out if self.order_[1] == 1 else -out

    def predict(self, X: Any) -> Any:
        """Return labels; raise an error for texts that cannot be judged."""
        values = self._predictable(X)
        verdict = Interpretation(len(self.classes_), rates=False, threshold=self.threshold_)
        return self.classes_[self.order_][verdict.predictions(values, verdict.naturalness(values))]

    def naturalness(self, X: Any) -> FloatArray:
        """Return naturalness, 0..1: the probability of the better class, or the expected position among several."""
        if not self.knows_order:
            raise TrainingError(
                f"which of {self.classes_.tolist()} is better is not known; name them from worst "
                "to best with labels=[...]"
            )
        return graded(self._decide(X))
