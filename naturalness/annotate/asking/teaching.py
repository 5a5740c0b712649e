"""Learn from the answers so far, and say how good that is: within seconds, from the table alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from naturalness.annotate.asking.advising import advise, lacking
from naturalness.annotate.asking.growing import grow
from naturalness.annotate.asking.intervals import auc_figure, share_figure, spearman_figure
from naturalness.annotate.asking.material import (
    LABELS,
    PAIRS,
    Compared,
    Texts,
    classes_of,
    pairs_of,
    rated_of,
    texts_of,
)
from naturalness.annotate.asking.model import Model, causes_picked, teach_pairs, teach_rated
from naturalness.annotate.asking.pool import AnswerScale, Given, Pool
from naturalness.annotate.asking.repeating import ceiling, own_agreement
from naturalness.annotate.asking.taught import Figure, Taught
from naturalness.arrays import FloatArray, IntArray
from naturalness.reports.raters.learning_curve import LearningCurve
from naturalness.statistics.measures import label_figures, roc_auc, spearman

FEWEST = 20
"""Texts, or pairs, besides the test share from which a model is taught."""
EACH = 5
"""Texts of each of two labels: one for each fold."""
CURVE_FOLDS = 3


def teach(pool: Pool, given: Sequence[Given], scale: AnswerScale) -> Taught:
    """What the answers teach. Where they are too few, ``why`` says what is lacking, and there is no
    more than the raters' agreement with themselves.
    """
    own = own_agreement(given, scale)
    ratings = sum(not one.again for one in given)
    if scale.kind == PAIRS:
        return replace(_taught_pairs(pool, given), ratings=ratings, own=own)
    return replace(_taught_texts(pool, given, scale, ceiling(own)), ratings=ratings, own=own)


def _taught_texts(pool: Pool, given: Sequence[Given], scale: AnswerScale, top: float) -> Taught:
    texts = texts_of(pool, given)
    n, n_test = int((~texts.test).sum()), int(texts.test.sum())
    classes = classes_of(scale)
    why = _lacking_texts(texts, scale)
    model = teach_rated(rated_of(pool, texts, scale, ~texts.test)) if not why else None
    if model is None:
        return _nothing(pool, n, n_test, texts.waiting, why or "too few different sentences yet")
    table, values = pool.table[texts.rows[texts.test]], texts.values[texts.test]
    figures = _figures(model, table, values, scale) if n_test else ()
    curve = _curve_of_texts(pool, texts, scale, model, figures[0].name) if n_test else None
    every = np.ones(len(texts.rows), dtype=np.bool_)
    final = teach_rated(rated_of(pool, texts, scale, every), parameters=model.parameters) or model
    kind = "logistic regression" if classes else "ridge regression"
    return _taught(
        pool,
        final,
        texts=n,
        test=n_test,
        waiting=texts.waiting,
        figures=figures,
        curve=curve,
        learner=f"{kind} on {len(pool.columns)} features",
        top=top if figures and figures[0].name == "spearman" else math.nan,
        what="sentences",
    )


def _lacking_texts(texts: Texts, scale: AnswerScale) -> str:
    """What answers are lacking before a model can be taught; empty where none are."""
    values = texts.values[~texts.test]
    if len(values) < FEWEST:
        later = f", and {texts.waiting} more are not measured yet" if texts.waiting else ""
        return f"a model needs {FEWEST} rated sentences besides those it is measured on; there are {len(values)}{later}"
    if classes := classes_of(scale):
        for place, name in enumerate(classes):
            have = int(((values - scale.low > 0.5) == bool(place)).sum())
            if have < EACH:
                return f"a model needs {EACH} sentences of each label; {have} are {name!r} so far"
    if len(np.unique(values)) < 2:
        return "all sentences have the same rating so far; a model needs better and worse ones"
    return ""


def _figures(model: Model, table: FloatArray, values: FloatArray, scale: AnswerScale) -> tuple[Figure, ...]:
    """On the test share; the chief one first."""
    scores = model.rank(table)
    rank = spearman_figure(scores, values)
    if scale.kind != LABELS:
        return (rank,)
    names = scale.labels or tuple(str(n) for n in range(round(scale.high - scale.low) + 1))
    truth = np.rint(values - scale.low).astype(np.int64)
    told = model.judge(table)[1]
    if not classes_of(scale):
        told = np.clip(np.rint(model.told(table) - scale.low), 0, len(names) - 1).astype(np.int64)
    f1 = label_figures(truth, told, names)["weighted_f1"]
    best = auc_figure(scores, truth == len(names) - 1)
    others = (best, share_figure("weighted_f1", f1, len(truth)))
    return others if classes_of(scale) else (rank, *others)


def _curve_of_texts(pool: Pool, texts: Texts, scale: AnswerScale, model: Model, name: str) -> LearningCurve | None:
    taught = rated_of(pool, texts, scale, ~texts.test)
    table, values = pool.table[texts.rows[texts.test]], texts.values[texts.test]

    def scores_of(part: IntArray) -> FloatArray | None:
        own = teach_rated(taught.part(part), parameters=model.parameters, folds=CURVE_FOLDS)
        return None if own is None else own.rank(table)

    def figure(scores: FloatArray, places: IntArray) -> float:
        if name == "roc_auc":
            return roc_auc(scores[places], values[places] - scale.low > 0.5)
        return spearman(scores[places], values[places])

    return grow(len(taught), scores_of, model.rank(table), figure, name)


def _taught_pairs(pool: Pool, given: Sequence[Given]) -> Taught:
    pairs = pairs_of(pool, given)
    n, n_test = int((~pairs.test).sum()), int(pairs.test.sum())
    if n < FEWEST:
        later = f", and {pairs.waiting} more are not measured yet" if pairs.waiting else ""
        why = (
            f"a model needs {FEWEST} pairs of which one was preferred, besides those it is "
            f"measured on; there are {n}{later}"
        )
        return _nothing(pool, n, n_test, pairs.waiting, why)
    model = teach_pairs(pool, pairs, ~pairs.test)
    name = "pairs_right"
    right = _pairs_right(model, pool, pairs)
    figures = (share_figure(name, float(right.mean()), n_test),) if n_test else ()
    taught = np.flatnonzero(~pairs.test)

    def scores_of(part: IntArray) -> FloatArray | None:
        use = np.isin(np.arange(len(pairs.rows)), taught[part])
        own = teach_pairs(pool, pairs, use, parameters=model.parameters)
        return _pairs_right(own, pool, pairs)

    def figure(scores: FloatArray, places: IntArray) -> float:
        return float(scores[places].mean())

    curve = grow(n, scores_of, right, figure, name) if n_test else None
    every = np.ones(len(pairs.rows), dtype=np.bool_)
    final = teach_pairs(pool, pairs, every, parameters=model.parameters)
    return _taught(
        pool,
        final,
        texts=n,
        test=n_test,
        waiting=pairs.waiting,
        figures=figures,
        curve=curve,
        learner=f"logistic regression on differences of {len(pool.columns)} features",
        top=math.nan,
        what="pairs",
    )


def _pairs_right(model: Model, pool: Pool, pairs: Compared) -> FloatArray:
    """Of each pair of the test share 1 where the model prefers the same text, else 0."""
    rows, better = pairs.rows[pairs.test], pairs.better[pairs.test]
    first, second = (model.rank(pool.table[rows[:, side]]) for side in (0, 1))
    out: FloatArray = ((first > second) == better).astype(np.float64)
    return out


def _nothing(pool: Pool, n: int, n_test: int, waiting: int, why: str) -> Taught:
    unknown = np.full(len(pool), np.nan)
    return Taught(0, n, n_test, waiting, lacking(why), why=why, naturalness=unknown)


def _taught(
    pool: Pool,
    model: Model,
    *,
    texts: int,
    test: int,
    waiting: int,
    learner: str,
    figures: tuple[Figure, ...],
    curve: LearningCurve | None,
    top: float,
    what: str,
) -> Taught:
    naturalness = np.full(len(pool), np.nan)
    usable = pool.usable
    naturalness[usable] = model.judge(pool.table[usable])[0]
    chief = figures[0] if figures else None
    return Taught(
        ratings=0,
        texts=texts,
        test=test,
        waiting=waiting,
        advice=advise(chief, curve, texts, top, what),
        learner=learner,
        figures=figures,
        curve=curve,
        picked=causes_picked(model, pool.table[usable], pool.columns),
        naturalness=naturalness,
    )
