"""What both estimators share: they read ``X``, fit a model to its table, and predict with compiled arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from naturalness.arrays import FloatArray
from naturalness.errors import TrainingError
from naturalness.features import column_names, resolve
from naturalness.features.base import FeatureGroup, Measured
from naturalness.features.measuring import groups_for, measure
from naturalness.features.texts import as_texts
from naturalness.files.store import store_in
from naturalness.judging.hashes import known_texts
from naturalness.models.learners.differences import have_versions, pairs_of_sources
from naturalness.pipelines.fitting import Fitted, Settings, fit_table
from naturalness.pipelines.warm_start import start_for
from naturalness.statistics.folds import group_numbers
from naturalness.text.parsing import source_of

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
        measured = self._measure(texts)
        bad = [f"X[{row}] ({reason})" for row, reason in enumerate(measured.reasons) if reason]
        if bad:
            raise TrainingError(f"cannot train on {len(bad)} texts: {', '.join(bad[:5])}; leave them out")
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
            raise TrainingError("a table of numbers has no words to point at; give texts or Docs")
        fitted = self.fitted_
        background = Background(fitted.background)
        saved = Saved(describe_estimator(self), fitted.compiled, self.seen_, background, self._groups())
        model = NaturalnessModel(saved, type(self).__name__)
        return model.explain(texts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
