"""Simple models, called baselines, that a trained model has to beat.

Of the baselines, only SLOR and the shipped model know anything about language in general. If the shipped model is
better than the trained one, training was not worthwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.features.selected import BETWEEN
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.pages.formats import enumeration
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.pipelines.warm_start import shipped

Judged = tuple[FloatArray, IntArray]
Baseline = Callable[[Rated, Rated, Settings], Judged]
"""A function of training texts, test texts and settings: the naturalness of the test texts, and their labels."""
SIMPLE = "logistic-l2"
"""The learner of baselines that learn from columns."""
SLOR = "word_lm__slor"
SHIPPED_MODEL = "shipped model"


def majority(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Predict the most frequent label, and the same score for all texts."""
    known = train.labels[train.labels >= 0]
    most = int(np.bincount(known, minlength=len(train.classes)).argmax())
    return np.full(len(test), 0.5), np.full(len(test), most, dtype=np.int64)


def slor(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Score texts by SLOR based on word n-grams, which needs no ratings (Kann et al. 2018)."""
    return test.table[:, test.columns.index(SLOR)], np.zeros(len(test), dtype=np.int64)


def length(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Learn from the numbers of characters and words, and from their squares, by logistic or ridge regression."""
    return learn(_lengths(train), replace(settings, learner=SIMPLE, select="none")).judge(_lengths(test).table)


def _lengths(data: Rated) -> Rated:
    counts = np.log1p([[len(text), len(text.split())] for text in data.texts])
    columns = ("characters", "words", "characters squared", "words squared")
    return replace(data, table=np.hstack([counts, counts**2]), columns=columns)


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


def baselines_for(data: Rated) -> dict[str, Baseline]:
    """Return the baselines that suit the target and whose columns and texts are available."""
    baselines: dict[str, Baseline] = {}
    if data.pairs is None:
        baselines["majority"] = majority
    if data.texts:
        baselines["length alone"] = length
    if data.pairs is not None and SLOR in data.columns:
        baselines["SLOR"] = slor
    if not without_shipped(data):
        baselines[SHIPPED_MODEL] = shipped_model
    return baselines
