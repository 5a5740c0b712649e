"""A scikit-learn transformer from texts to a table of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from naturalness.arrays import FloatArray
from naturalness.errors import NaturalnessError, excerpt
from naturalness.features import check_requirements, column_names, resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.measuring import measure
from naturalness.features.texts import as_texts
from naturalness.files.store import MeasurementStore, store_in
from naturalness.text.parsing import DEFAULT_PIPELINE, pipeline_language


class FeatureExtractor(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # no stubs
    """Transformer from texts or parsed Docs to an array of features, (n_texts, n_columns); undefined values are NaN.

    A text that cannot be judged, such as an empty one, has NaN in all columns. Nothing is learned: `fit` only checks
    that everything the groups need is installed. ``store`` is a folder in which features are stored, so that no text is
    parsed again; None for no store.

    >>> from naturalness import FeatureExtractor
    >>> FeatureExtractor(features=["surface"]).fit_transform(["A plain sentence."]).shape
    (1, 8)
    """

    def __init__(
        self,
        features: Sequence[str | FeatureGroup] | None = None,
        *,
        nlp: str = DEFAULT_PIPELINE,
        store: str | Path | None = None,
    ) -> None:
        self.features = features
        self.nlp = nlp
        self.store = store

    def fit(self, X: Any, y: Any = None) -> FeatureExtractor:
        """Check that the groups exist and that everything they need is installed."""
        groups = resolve(self.features)
        check_requirements(groups, language=pipeline_language(self.nlp))
        _texts(X)
        if self.store is not None:  # raises errors now rather than after minutes of work
            MeasurementStore(self.store).check()
        self.feature_names_ = column_names(groups)
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return the features of texts or Docs; Docs are not parsed again."""
        check_is_fitted(self)
        texts, groups = _texts(X), resolve(self.features)
        with store_in(self.store) as store:
            return measure(texts, groups, nlp=self.nlp, store=store).table

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the column names, ``group__feature``."""
        check_is_fitted(self)
        return np.asarray(self.feature_names_, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = replace(tags.input_tags, string=True, one_d_array=True, two_d_array=False)
        tags.requires_fit = True
        return tags


def _texts(X: Any) -> list[Any]:
    texts = as_texts(X)
    if texts is None:
        raise NaturalnessError(
            f"expected a list of texts or parsed Docs, found {excerpt(X)}; a ready table of features needs no extractor"
        )
    return texts
