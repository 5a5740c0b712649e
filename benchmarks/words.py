"""A baseline that uses the words of texts: tf-idf."""

from __future__ import annotations

from typing import Any

import numpy as np

from naturalness.models.learners.verdict import on_scale
from naturalness.pipelines.evaluation import Judged
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.statistics.measures import choose_threshold


def tf_idf(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Learn from words and word pairs, weighted by tf-idf, by logistic or ridge regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    use = np.flatnonzero(train.teaching)
    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\S+")
    last: Any = (
        Ridge(alpha=1.0)
        if train.rates
        else LogisticRegression(C=10.0, class_weight=settings.class_weight, max_iter=1000)
    )
    model = make_pipeline(words, last).fit([train.texts[i] for i in use], train.target[use])
    if train.rates:
        naturalness = on_scale(model.predict(test.texts), *train.scale)
        return naturalness, (naturalness >= _rating_cut(train)).astype(np.int64)
    share = model.predict_proba(test.texts)
    positions = model.classes_ / max(len(train.classes) - 1, 1)
    predicted = model.classes_[share.argmax(axis=1)].astype(np.int64)
    return (share * positions).sum(axis=1), predicted


def _rating_cut(train: Rated) -> float:
    """Return the naturalness, 0 to 1, that best separates the labels of the training part."""
    use = train.teaching & (train.labels >= 0)
    naturalness = on_scale(train.ratings[use], *train.scale)
    return choose_threshold(naturalness, train.labels[use] == len(train.classes) - 1, "accuracy")
