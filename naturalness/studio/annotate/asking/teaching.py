"""Learn from the answers, and evaluate on a test set that is held out from the first question on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.data.paired import CLASSES
from naturalness.errors import TrainingError
from naturalness.explaining.causes import cause_title, parts_of
from naturalness.explaining.contributions import share_out
from naturalness.judging.background import herd
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.models.learners.verdict import Verdict
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.reports.raters.learning_curve import (
    PLAIN_LEARNER,
    SLOPE_SIZES,
    LearningCurve,
    Step,
    answer,
    known_deviation,
    known_mean,
    slope,
)
from naturalness.statistics.correlation import spearman
from naturalness.statistics.measures import label_figures, roc_auc
from naturalness.studio.annotate.asking.pool import Judgement, Pool, means_of
from naturalness.studio.annotate.asking.space import SAMPLE_ROWS, weights_of
from naturalness.studio.annotate.asking.taught import (
    Figure,
    LearnedCause,
    Taught,
    advise,
    auc_figure,
    ceiling,
    lacking,
    self_agreements,
    share_figure,
    spearman_figure,
)
from naturalness.studio.annotate.project.records import LABELS, PAIRS, Scale


@dataclass(frozen=True, slots=True)
class RatedTexts:
    """Rated texts, each once, with the mean of its answers."""

    rows: IntArray
    """Places in the pool."""
    values: FloatArray
    test: BoolArray
    """Whether a text is in the test set, whichever rater was asked."""
    waiting: int
    """Rated texts that are not measured."""


def texts_of(pool: Pool, judgements: Sequence[Judgement]) -> RatedTexts:
    """Return the rated texts that are measured."""
    rows, values = means_of(judgements)
    apart = {judgement.text for judgement in judgements if judgement.test}
    known = pool.usable[rows]
    test = np.array([int(row) in apart for row in rows], dtype=np.bool_)
    return RatedTexts(rows[known], values[known], test[known], int((~known).sum()))


@dataclass(frozen=True, slots=True)
class RatedPairs:
    """Distinct pairs with a preference."""

    rows: IntArray
    """Places of both texts, (n, 2)."""
    better: BoolArray
    """Whether the first was preferred."""
    test: BoolArray
    waiting: int


def pairs_of(pool: Pool, judgements: Sequence[Judgement]) -> RatedPairs:
    """Return the pairs of measured texts of which one was preferred."""
    sums: dict[tuple[int, int], float] = {}
    apart: set[int] = set()
    for judgement in judgements:
        if judgement.other is None:
            continue
        first, second = sorted((judgement.text, judgement.other))
        sign = 1.0 if judgement.text == first else -1.0
        sums[first, second] = sums.get((first, second), 0.0) + sign * judgement.value
        if judgement.test:
            apart.update(judgement.asked)
    rows = np.array(list(sums), dtype=np.int64).reshape(-1, 2)
    values = np.array(list(sums.values()), dtype=np.float64)
    known = pool.usable[rows].all(axis=1)
    decided = known & (values != 0)
    inside: IntArray = np.isin(rows, sorted(apart)).sum(axis=1)
    decided &= inside != 1  # one text in the test set: the pair is used for neither training nor testing
    return RatedPairs(rows[decided], values[decided] > 0, inside[decided] == 2, int((~known).sum()))


def classes_of(scale: Scale) -> tuple[str, ...]:
    """Return the labels where there are two, which are learned as classes.

    More than two are learned as ratings, so that a rare middle one can be learned too.
    """
    if scale.kind != LABELS or round(scale.high - scale.low) != 1:
        return ()
    return scale.labels if len(scale.labels) == 2 else CLASSES


def rated_of(pool: Pool, texts: RatedTexts, scale: Scale, use: BoolArray) -> Rated:
    """Return some of the rated texts in the form that learning reads."""
    rows, values = texts.rows[use], texts.values[use]
    classes = classes_of(scale)
    labels = np.full(len(rows), -1, dtype=np.int64)
    if classes:
        # A tie between the two labels gives no label.
        share = values - scale.low
        labels = np.where(share == 0.5, -1, (share > 0.5).astype(np.int64))
    same = np.array([pool.texts[row] for row in rows.tolist()])
    groups = np.unique(same, return_inverse=True)[1] if len(rows) else np.empty(0)
    return Rated(
        texts=(),
        table=pool.table[rows],
        columns=pool.columns,
        labels=labels,
        ratings=values,
        groups=groups.astype(np.int64),
        classes=classes or CLASSES,
        scale=(scale.low, scale.high),
        rates=not classes,
    )


CURVE_SHARES = (0.25, 0.5, 0.75)
CURVE_REPEATS = 4
MIN_CURVE_TEXTS = 12
"""Texts, or pairs, of the smallest part that is learned from."""


def grow(
    size: int,
    scores_of: Callable[[IntArray], FloatArray | None],
    scores: FloatArray,
    figure: Callable[[FloatArray, IntArray], float],
    name: str,
) -> LearningCurve | None:
    """Return the curve of ``figure`` (of scores and rows of the test share) over parts of all texts.

    ``scores_of`` teaches with a part and scores the test share; ``scores`` are those taught by all. Each repeat grows
    its parts in another order; for the slope's interval the test share is resampled with them, since it is small as
    well. None where there are too few texts.
    """
    parts = [share for share in CURVE_SHARES if share * size >= MIN_CURVE_TEXTS]
    if len(parts) < 2:
        return None
    rng = np.random.default_rng(0)
    sizes = np.array([*(math.ceil(share * size) for share in parts), size])
    all_texts = np.arange(len(scores), dtype=np.int64)
    values, drawn = np.full((2, CURVE_REPEATS, len(sizes)), np.nan)
    for repeat in range(CURVE_REPEATS):
        order = rng.permutation(size)
        again = rng.integers(len(scores), size=len(scores))
        for index, number in enumerate(sizes):
            part_scores = scores if number == size else scores_of(np.sort(order[:number]))
            if part_scores is not None:
                values[repeat, index] = figure(part_scores, all_texts)
                drawn[repeat, index] = figure(part_scores, again)
    steps = tuple(
        Step(int(n), known_mean(column), known_deviation(column)) for n, column in zip(sizes, values.T, strict=True)
    )
    gain, low, high = slope(np.tile(sizes, (CURVE_REPEATS, 1))[:, -SLOPE_SIZES:], drawn[:, -SLOPE_SIZES:])
    return LearningCurve(PLAIN_LEARNER, name, CURVE_REPEATS, steps, gain, low, high, answer(gain, low, high))


STRENGTHS = (0.0003, 0.001, 0.003)
"""Inverse penalties that are tried for pairs."""
PAIR_FOLDS = 3
STRENGTH_TEXTS = 200
"""Texts of the pool over which the strength of causes is taken."""
MIN_STRENGTH = 0.03
"""Share of what moves scores under which a cause is not picked up."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A fitted model, in the form in which models are saved and explained."""

    compiled: Compiled
    verdict: Verdict
    background: FloatArray
    parameters: dict[str, Any]

    def judge(self, table: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the naturalness, 0..1, and the predicted label of each row."""
        values = self.compiled.decide(table)
        naturalness = self.verdict.naturalness(values)
        return naturalness, self.verdict.predictions(values, naturalness)

    def rank(self, table: FloatArray) -> FloatArray:
        """Return a number per row to order by; higher is better.

        The number is not calibrated: with too little data for calibration, all calibrated values would be equal.
        """
        rows = self.compiled.preparation.apply(table)
        return self.compiled.units[0].decide(rows)

    def calibrated(self, table: FloatArray) -> FloatArray:
        """Return the calibrated number of each row: a rating, or log-odds."""
        calibrated: FloatArray = self.compiled.decide(table)[:, 0]
        return calibrated


def teach_rated(data: Rated, *, parameters: dict[str, Any] | None = None, folds: int = 5) -> Model | None:
    """Return a ridge regression of ratings, or a logistic regression of two labels; None with too few texts for the
    folds.

    ``parameters`` are chosen by folds unless they are passed.
    """
    settings = Settings(PLAIN_LEARNER, folds=folds, parameters=parameters)
    try:
        learned = learn(data, settings)
    except TrainingError:
        return None
    fitted = learned.fitted
    return Model(fitted.compiled, learned.verdict, fitted.background, fitted.choice.parameters)


def teach_pairs(pool: Pool, pairs: RatedPairs, use: BoolArray, *, parameters: dict[str, Any] | None = None) -> Model:
    """Return a logistic regression on differences of two texts.

    The score of a text is the chance, 0..1, that it is preferred to a middling one of the pool.
    """
    rows = np.flatnonzero(pool.usable)
    preparation = learn_preparation(pool.table[rows[:: max(1, len(rows) // SAMPLE_ROWS)]])
    compared = pairs.rows[use]
    first, second = (preparation.apply(pool.table[compared[:, side]]) for side in (0, 1))
    apart, better = first - second, pairs.better[use]
    if parameters is None:
        parameters = {"C": _strength(apart, better)}
    weights = weights_of(apart, better, parameters["C"])
    background = herd(preparation.apply(pool.table[rows[:: max(1, len(rows) // SAMPLE_ROWS)]]))
    return Model(_compiled(preparation, weights, background), Verdict(2, False), background, parameters)


def _compiled(preparation: Preparation, weights: FloatArray, background: FloatArray) -> Compiled:
    middle = float(background.mean(axis=0) @ weights)
    unit = Linear(weights, np.array([-middle]))
    return Compiled(preparation, (unit,), Calibration(np.ones(1), np.zeros(1)))


def _strength(apart: FloatArray, better: BoolArray) -> float:
    """Return the strength with the highest cross-validated likelihood of the pairs."""
    fold = np.arange(len(apart)) % PAIR_FOLDS
    signs = np.where(better, 1.0, -1.0)
    losses = []
    for strength in STRENGTHS:
        loss = 0.0
        for number in range(PAIR_FOLDS):
            out = fold == number
            weights = weights_of(apart[~out], better[~out], strength)
            loss += float(np.logaddexp(0.0, -signs[out] * (apart[out] @ weights)).sum())
        losses.append(loss)
    return STRENGTHS[int(np.argmin(losses))]


def causes_picked(model: Model, table: FloatArray, columns: Sequence[str]) -> tuple[LearnedCause, ...]:
    """Return the causes that move the model's scores over some texts, the strongest first."""
    rows = table[:: max(1, len(table) // STRENGTH_TEXTS)]
    preparation = model.compiled.preparation
    parts = parts_of(preparation.names(list(columns)))
    shares = share_out(model.compiled, model.verdict, preparation.apply(rows), model.background, list(parts.values()))
    moved = np.abs(shares.values).mean(axis=0)
    total = float(moved.sum())
    if total <= 0:
        return ()
    causes = [
        LearnedCause(cause, cause_title(cause), float(value) / total) for cause, value in zip(parts, moved, strict=True)
    ]
    return tuple(sorted((p for p in causes if p.strength >= MIN_STRENGTH), key=lambda p: -p.strength))


MIN_TAUGHT_TEXTS = 20
"""Texts, or pairs, besides the test share from which a model is taught."""
MIN_LABEL_TEXTS = 5
"""Texts of each of two labels: one for each fold."""
CURVE_FOLDS = 3


def teach(pool: Pool, judgements: Sequence[Judgement], scale: Scale) -> Taught:
    """Train and evaluate a model on the answers.

    Where they are too few, ``why`` says what is missing, and there is no more than the raters' agreement with
    themselves.
    """
    agreements = self_agreements(judgements, scale)
    ratings = sum(not judgement.again for judgement in judgements)
    if scale.kind == PAIRS:
        return replace(_taught_pairs(pool, judgements), ratings=ratings, self_agreements=agreements)
    return replace(
        _taught_texts(pool, judgements, scale, ceiling(agreements)), ratings=ratings, self_agreements=agreements
    )


def _taught_texts(pool: Pool, judgements: Sequence[Judgement], scale: Scale, top: float) -> Taught:
    texts = texts_of(pool, judgements)
    n, n_test = int((~texts.test).sum()), int(texts.test.sum())
    classes = classes_of(scale)
    why = _lacking_texts(texts, scale)
    model = teach_rated(rated_of(pool, texts, scale, ~texts.test)) if not why else None
    if model is None:
        return _nothing(pool, n, n_test, texts.waiting, why or "too few different sentences yet")
    table, values = pool.table[texts.rows[texts.test]], texts.values[texts.test]
    figures = _figures(model, table, values, scale) if n_test else ()
    curve = _curve_of_texts(pool, texts, scale, model, figures[0].name) if n_test else None
    all_texts = np.ones(len(texts.rows), dtype=np.bool_)
    final = teach_rated(rated_of(pool, texts, scale, all_texts), parameters=model.parameters) or model
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


def _lacking_texts(texts: RatedTexts, scale: Scale) -> str:
    """Return which answers are missing before a model can be taught; empty where none are."""
    values = texts.values[~texts.test]
    if len(values) < MIN_TAUGHT_TEXTS:
        later = f", and {texts.waiting} more are not measured yet" if texts.waiting else ""
        return (
            f"a model needs {MIN_TAUGHT_TEXTS} rated sentences besides those it is measured on; "
            f"there are {len(values)}{later}"
        )
    if classes := classes_of(scale):
        for index, name in enumerate(classes):
            have = int(((values - scale.low > 0.5) == bool(index)).sum())
            if have < MIN_LABEL_TEXTS:
                return f"a model needs {MIN_LABEL_TEXTS} sentences of each label; {have} are {name!r} so far"
    if len(np.unique(values)) < 2:
        return "all sentences have the same rating so far; a model needs better and worse ones"
    return ""


def _figures(model: Model, table: FloatArray, values: FloatArray, scale: Scale) -> tuple[Figure, ...]:
    """Return the figures on the test share, the chief one first."""
    scores = model.rank(table)
    rank = spearman_figure(scores, values)
    if scale.kind != LABELS:
        return (rank,)
    names = scale.labels or tuple(str(n) for n in range(round(scale.high - scale.low) + 1))
    truth = np.rint(values - scale.low).astype(np.int64)
    predictions = model.judge(table)[1]
    if not classes_of(scale):
        predictions = np.clip(np.rint(model.calibrated(table) - scale.low), 0, len(names) - 1).astype(np.int64)
    f1 = label_figures(truth, predictions, names)["weighted_f1"]
    best = auc_figure(scores, truth == len(names) - 1)
    others = (best, share_figure("weighted_f1", f1, len(truth)))
    return others if classes_of(scale) else (rank, *others)


def _curve_of_texts(pool: Pool, texts: RatedTexts, scale: Scale, model: Model, name: str) -> LearningCurve | None:
    taught = rated_of(pool, texts, scale, ~texts.test)
    table, values = pool.table[texts.rows[texts.test]], texts.values[texts.test]

    def scores_of(part: IntArray) -> FloatArray | None:
        model_of_part = teach_rated(taught.part(part), parameters=model.parameters, folds=CURVE_FOLDS)
        return None if model_of_part is None else model_of_part.rank(table)

    def figure(scores: FloatArray, rows: IntArray) -> float:
        if name == "roc_auc":
            return roc_auc(scores[rows], values[rows] - scale.low > 0.5)
        return spearman(scores[rows], values[rows])

    return grow(len(taught), scores_of, model.rank(table), figure, name)


def _taught_pairs(pool: Pool, judgements: Sequence[Judgement]) -> Taught:
    pairs = pairs_of(pool, judgements)
    n, n_test = int((~pairs.test).sum()), int(pairs.test.sum())
    if n < MIN_TAUGHT_TEXTS:
        later = f", and {pairs.waiting} more are not measured yet" if pairs.waiting else ""
        why = (
            f"a model needs {MIN_TAUGHT_TEXTS} pairs of which one was preferred, besides those it is "
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
        model_of_part = teach_pairs(pool, pairs, use, parameters=model.parameters)
        return _pairs_right(model_of_part, pool, pairs)

    def figure(scores: FloatArray, rows: IntArray) -> float:
        return float(scores[rows].mean())

    curve = grow(n, scores_of, right, figure, name) if n_test else None
    all_pairs = np.ones(len(pairs.rows), dtype=np.bool_)
    final = teach_pairs(pool, pairs, all_pairs, parameters=model.parameters)
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


def _pairs_right(model: Model, pool: Pool, pairs: RatedPairs) -> FloatArray:
    """Return 1 for each pair of the test share in which the model prefers the same text, else 0."""
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
        causes=causes_picked(model, pool.table[usable], pool.columns),
        naturalness=naturalness,
    )
