"""Simple models, called baselines, that a trained model has to beat.

Of the baselines, only SLOR and the shipped model know anything about language in general. If the shipped model is
better than the trained one, training was not worthwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.features.selected import BETWEEN
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.models.learners.differences import pair_accuracy
from naturalness.models.learners.verdict import on_scale
from naturalness.pages.formats import enumeration
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.pipelines.warm_start import shipped
from naturalness.statistics.correlation import spearman
from naturalness.statistics.measures import choose_threshold, roc_auc

Judged = tuple[FloatArray, IntArray]
SIMPLE = "logistic-l2"
SLOR = "word_lm__slor"
SHIPPED_MODEL = "shipped model"


def majority(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Predict the most frequent label, and the same score for all texts."""
    known = train.labels[train.labels >= 0]
    most = int(np.bincount(known, minlength=len(train.classes)).argmax())
    return np.full(len(test), 0.5), np.full(len(test), most, dtype=np.int64)


def chance(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Predict the same score for all texts; since ties count half, the accuracy on pairs is 1/2."""
    return np.full(len(test), 0.5), np.zeros(len(test), dtype=np.int64)


def slor(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Score texts by SLOR based on word n-grams, which needs no ratings (Kann et al. 2018)."""
    return test.table[:, test.columns.index(SLOR)], np.zeros(len(test), dtype=np.int64)


def length(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Learn from the numbers of characters and words, and from their squares, by logistic or ridge regression."""
    lengths = [_with(part, _squares(_lengths(part))) for part in (train, test)]
    return _columns(lengths[0], lengths[1], settings)


def _lengths(data: Rated) -> FloatArray:
    characters = np.array([len(text) for text in data.texts], dtype=np.float64)
    words = np.array([len(text.split()) for text in data.texts], dtype=np.float64)
    return np.log1p(np.column_stack([characters, words]))


def _squares(table: FloatArray) -> FloatArray:
    return np.hstack([table, table**2])


def single_feature(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Learn from the one feature that best predicts the training part."""
    best = strongest(train)
    return _columns(train.with_columns([best]), test.with_columns([best]), settings)


def strongest(train: Rated) -> int:
    """Return the index of the column that best predicts the training part by itself: its ROC AUC, share of correctly
    ordered pairs or rank correlation is furthest from the value for chance.
    """
    values = [abs(_strength(column, train)) for column in train.table.T]
    return int(np.nanargmax(values)) if not np.isnan(values).all() else 0


def _strength(column: FloatArray, train: Rated) -> float:
    use = train.teaching & ~np.isnan(column)
    if use.sum() < 0.5 * len(train):
        return float("nan")
    if train.pairs is not None:
        return pair_accuracy(column, train.pairs) - 0.5
    if len(train.classes) == 2 and not train.rates:
        return roc_auc(column[use], train.labels[use] == 1) - 0.5
    return spearman(column[use], train.target[use])


def _with(data: Rated, table: FloatArray) -> Rated:
    return replace(data, table=table, columns=tuple(f"x{i}" for i in range(table.shape[1])))


def _columns(train: Rated, test: Rated, settings: Settings) -> Judged:
    plain = Settings(learner=SIMPLE, folds=settings.folds, seed=settings.seed, class_weight=settings.class_weight)
    return learn(train, plain).judge(test.table)


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


def shipped_model(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Score texts by the shipped default model; labels follow from cuts that give each label the same share as in
    the training part.
    """
    scores, known = _shipped_scores(test), train.labels[train.labels >= 0]
    shares = np.cumsum(np.bincount(known, minlength=len(train.classes)))[:-1] / max(len(known), 1)
    cuts = np.quantile(_shipped_scores(train), shares)
    return scores, np.searchsorted(cuts, scores, side="right").astype(np.int64)


def _shipped_scores(data: Rated) -> FloatArray:
    model = shipped()
    numbers = {name: i for i, name in enumerate(data.columns)}
    values = model.compiled.decide(data.table[:, [numbers[name] for name in model.columns]])
    assert model.verdict is not None
    return model.verdict.naturalness(values)


def without_shipped(data: Rated) -> str:
    """Return the reason why the shipped model cannot be judged on these texts; empty if it can."""
    model = shipped()
    if not data.texts:
        return "it is not judged, since only numbers are known here, not the texts"
    if model.knows(data.texts):
        share = model.seen.share(data.texts)
        return f"it is not judged, since it was trained on {share:.0%} of these texts"
    here = set(data.columns)
    missing = dict.fromkeys(column.partition(BETWEEN)[0] for column in model.columns if column not in here)
    if missing:
        return (
            f"it is not judged, since it reads features of {enumeration(list(missing))} that were not measured here; "
            f"add {DEFAULT_MODEL} to `features`"
        )
    return ""


BASELINES: Mapping[str, Callable[[Rated, Rated, Settings], Judged]] = {
    "majority": majority,
    "length alone": length,
    "best single feature": single_feature,
    "tf-idf": tf_idf,
    "chance": chance,
    "SLOR": slor,
    SHIPPED_MODEL: shipped_model,
}
OF_RATINGS = ("majority", "length alone", "best single feature", "tf-idf", SHIPPED_MODEL)
OF_PAIRS = ("chance", "length alone", "SLOR", "best single feature", SHIPPED_MODEL)
READ_TEXTS = ("length alone", "tf-idf")


def baselines_for(data: Rated) -> list[str]:
    """Return the names of the baselines that suit the target and whose columns and texts are available."""
    here = set(data.columns)
    lacking = {name for name in READ_TEXTS if not data.texts}
    if SLOR not in here:
        lacking.add("SLOR")
    if without_shipped(data):
        lacking.add(SHIPPED_MODEL)
    return [name for name in (OF_RATINGS if data.pairs is None else OF_PAIRS) if name not in lacking]
