"""A classifier and a regressor of texts that follow scikit-learn's conventions.

Both read ``X``, fit a model to its table, and predict with compiled arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from naturalness.arrays import FloatArray
from naturalness.errors import TrainingError, counted
from naturalness.features import column_names, resolve
from naturalness.features.base import FeatureGroup, Measured
from naturalness.features.measuring import groups_for, measure
from naturalness.features.texts import as_texts
from naturalness.files.store import store_in
from naturalness.judging.hashes import known_texts
from naturalness.models.learners.differences import have_versions, pairs_of_sources
from naturalness.models.learners.verdict import Interpretation, graded, on_scale, probabilities
from naturalness.pipelines.fitting import ClassWeight, Fitted, Settings, fit_table
from naturalness.pipelines.warm_start import start_for
from naturalness.statistics.folds import group_numbers
from naturalness.statistics.measures import choose_threshold
from naturalness.text.parsing import DEFAULT_PIPELINE, source_of

if TYPE_CHECKING:
    from naturalness.explaining.explanation import Explanations


class TextEstimator(BaseEstimator):  # type: ignore[misc]  # no stubs
    """An estimator of texts, Docs or tables of features."""

    features: Any
    learner: str
    parameters: Any
    select: str
    folds: int
    nlp: str
    random_state: int
    store: Any
    columns_: list[str]
    reads_texts_: bool
    seen_: Any
    fitted_: Fitted

    def _read_training(self, X: Any) -> tuple[FloatArray, list[str]]:
        """Return the feature table of the training data, and its texts (an empty list for a table of numbers).

        Set ``columns_``, ``reads_texts_`` and, for texts, ``seen_``.
        """
        texts = as_texts(X)
        self.reads_texts_ = texts is not None
        if texts is None:
            table = self._numbers(X, reset=True)
            names = getattr(self, "feature_names_in_", None)
            self.columns_ = [f"x{i}" for i in range(table.shape[1])] if names is None else [str(name) for name in names]
            return table, []
        if not texts:
            raise TrainingError("found 0 texts; a model cannot be trained without rated texts")
        measured = self._measure(texts)
        bad = [f"X[{row}] ({reason})" for row, reason in enumerate(measured.reasons) if reason]
        if bad:
            raise TrainingError(f"cannot train on {counted(len(bad), 'text')}: {', '.join(bad[:5])}; leave them out")
        self.columns_ = column_names(self._groups())
        originals = [x if isinstance(x, str) else source_of(x).original for x in texts]
        self.seen_ = known_texts(originals)
        return measured.table, originals

    def _groups(self) -> list[FeatureGroup]:
        return resolve(groups_for(self.features))

    def _measure(self, texts: Any) -> Measured:
        """Measure texts or Docs; texts are looked up in the store."""
        with store_in(self.store) as store:
            return measure(texts, groups_for(self.features), nlp=self.nlp, store=store)

    def _numbers(self, X: Any, *, reset: bool) -> FloatArray:
        table: FloatArray = validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")
        return table

    def _decide(self, X: Any) -> FloatArray:
        """Return calibrated log-odds or ratings, (n, n_units); NaN for a text that cannot be judged."""
        check_is_fitted(self)
        texts, compiled = as_texts(X), self.fitted_.compiled
        if self.reads_texts_ != (texts is not None):
            expected = "texts" if self.reads_texts_ else "a table of numbers"
            raise TrainingError(f"this estimator was fitted on {expected}; expected the same here")
        if texts is None:
            return compiled.decide(self._numbers(X, reset=False))
        measured = self._measure(texts)
        out = compiled.decide(measured.table)
        out[[bool(reason) for reason in measured.reasons]] = np.nan
        return out

    def _predictable(self, X: Any) -> FloatArray:
        """Return the decisions; raise an error if a text cannot be judged, since a prediction cannot be NaN."""
        values = self._decide(X)
        rows = np.flatnonzero(np.isnan(values).any(axis=1))
        if len(rows):
            raise TrainingError(
                f"{', '.join(f'X[{row}]' for row in rows[:5])} cannot be judged (empty, or no words); leave "
                "them out, or ask load_model(...).score, which gives such rows a reason"
            )
        return values

    def _fit(
        self,
        table: FloatArray,
        texts: Sequence[str],
        target: FloatArray,
        groups: Any,
        sample_weight: Any,
        classes: Sequence[Any] = (),
        class_weight: Any = None,
    ) -> None:
        """Fit the estimator on the rows with a positive weight, and set ``fitted_``; without ``classes``, to ratings.

        A row with weight 0 has no effect, as everywhere in scikit-learn.
        """
        weight = _check_sample_weight(sample_weight, table, dtype=np.float64)
        numbers, used = group_numbers(groups, len(table)), weight > 0
        known = texts or [row.tobytes() for row in table]
        versions = pairs_of_sources(numbers[used], target[used], [known[i] for i in np.flatnonzero(used).tolist()])
        self.fitted_ = fit_table(
            table[used],
            target[used],
            n_classes=len(classes),
            names=classes,
            groups=numbers[used],
            weight=weight[used],
            settings=Settings(self.learner, self.select, self.folds, class_weight, self.random_state, self.parameters),
            start=start_for(self.learner, self.columns_, texts),
            versions=versions if have_versions(versions, int(used.sum())) else None,
        )

    @property
    def feature_importances_(self) -> FloatArray:
        """The share of each of ``columns_`` in the model, 0..1, averaged over its units.

        The share comes from the absolute weights of standardised columns, or from trees as scikit-learn and XGBoost
        define it. Other learners have no such attribute, as scikit-learn's meta-estimators expect.
        """
        check_is_fitted(self)
        preparation = self.fitted_.compiled.preparation
        column = np.concatenate([np.arange(preparation.n_features), preparation.marked])[preparation.selected]
        total = np.zeros(preparation.n_features)
        for unit in self.fitted_.units:
            values = np.abs(unit.coef_).ravel() if hasattr(unit, "coef_") else unit.feature_importances_
            np.add.at(total, column, values / (values.sum() or 1.0) / len(self.fitted_.units))
        return total

    def explain(self, X: Any) -> Explanations:
        """Explain the score of each text or Doc: causes, findings, and whether the score can be trusted."""
        from naturalness.judging.background import Background
        from naturalness.judging.model import Saved
        from naturalness.pipelines.saving import describe_estimator
        from naturalness.pipelines.scorer import NaturalnessModel

        check_is_fitted(self)
        texts = as_texts(X)
        if texts is None:
            raise TrainingError("a table of numbers has no words to mark; give texts or Docs")
        fitted = self.fitted_
        background = Background(fitted.background)
        saved = Saved(describe_estimator(self), fitted.compiled, self.seen_, background, self._groups())
        model = NaturalnessModel(saved, type(self).__name__)
        return model.explain(texts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


OUR_LABELS = ("unnatural", "not sure", "natural")
"""Labels whose order is known, from worst to best."""


class NaturalnessClassifier(ClassifierMixin, TextEstimator):  # type: ignore[misc]  # no stubs
    """Text classifier for two labels, or for several labels ordered from worst to best.

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
        maximises: weighted_f1, macro_f1, f1, accuracy, balanced_accuracy; for two labels only.
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
        if len(self.classes_) > 2 and self.threshold != 0.5:
            raise TrainingError(
                f"threshold={self.threshold!r} is for two labels, and y has {len(self.classes_)}; leave it out"
            )
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
            raise TrainingError(f"found labels {labels} in y; expected those of `labels`, {named}")
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
        interpretation = Interpretation(len(self.classes_), rates=False, threshold=self.threshold_)
        return self.classes_[self.order_][interpretation.predictions(values, interpretation.naturalness(values))]

    def naturalness(self, X: Any) -> FloatArray:
        """Return naturalness, 0..1: the probability of the better class, or the expected position among several."""
        check_is_fitted(self)
        if not self.knows_order:
            raise TrainingError(
                f"cannot tell which of {self.classes_.tolist()} is better; name them from worst to best in labels"
            )
        return graded(self._decide(X))


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
        if self.scale is not None and not (len(self.scale) == 2 and -np.inf < self.scale[0] < self.scale[1] < np.inf):
            raise TrainingError(f"found {self.scale!r} as the scale; expected two finite numbers, the lower one first")
        low, high = (float(target.min()), float(target.max())) if self.scale is None else self.scale
        # Constant ratings can be predicted, but define no scale.
        return (low, high) if low < high else (low, low + 1.0)

    def predict(self, X: Any) -> FloatArray:
        """Return ratings on the scale of the training data; raise an error for texts that cannot be judged."""
        values = self._predictable(X)
        return values[:, 0]

    def naturalness(self, X: Any) -> FloatArray:
        """Return naturalness, 0..1: the position of the predicted rating on the scale; NaN if undefined."""
        return on_scale(self._decide(X)[:, 0], *self.scale_)
