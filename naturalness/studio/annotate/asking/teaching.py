"""Learn from the answers, and evaluate the model on a test set that is held out from the first question on."""

from __future__ import annotations

import math
from collections import defaultdict
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
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.verdict import Interpretation
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.reports.raters.learning_curve import PLAIN_LEARNER, SLOPE_SIZES, LearningCurve, Step, answer, slope
from naturalness.statistics.correlation import spearman
from naturalness.statistics.measures import known_deviation, known_mean, label_figures, roc_auc
from naturalness.studio.annotate.asking.pool import Judgement, Pool, means_of
from naturalness.studio.annotate.asking.space import SAMPLE_ROWS, weights_of
from naturalness.studio.annotate.asking.taught import (
    MIN_TEST_TEXTS,
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
class Answers:
    """Rated texts or pairs, each listed once."""

    rows: IntArray
    """Positions in the pool, (n,) for texts, (n, 2) for pairs in which one text was preferred."""
    values: FloatArray
    """Mean rating of each text; for a pair, above 0 if the first text was preferred."""
    test: BoolArray
    """Whether each text or pair is in the test set for any rater."""
    waiting: int
    """Number of rated texts or pairs that are not measured yet."""


def texts_of(pool: Pool, judgements: Sequence[Judgement]) -> Answers:
    """Return the rated texts that are measured."""
    rows, values = means_of(judgements)
    apart = {judgement.text for judgement in judgements if judgement.test}
    known = pool.usable[rows]
    test = np.array([int(row) in apart for row in rows], dtype=np.bool_)
    return Answers(rows[known], values[known], test[known], int((~known).sum()))


def pairs_of(pool: Pool, judgements: Sequence[Judgement]) -> Answers:
    """Return the pairs of measured texts in which one text was preferred."""
    sums: defaultdict[tuple[int, int], float] = defaultdict(float)
    apart: set[int] = set()
    for judgement in judgements:
        if judgement.other is None:
            continue
        first, second = sorted((judgement.text, judgement.other))
        sign = 1.0 if judgement.text == first else -1.0
        sums[first, second] += sign * judgement.value
        if judgement.test:
            apart.update(judgement.asked)
    rows = np.array(list(sums), dtype=np.int64).reshape(-1, 2)
    values = np.array(list(sums.values()), dtype=np.float64)
    known = pool.usable[rows].all(axis=1)
    inside: IntArray = np.isin(rows, sorted(apart)).sum(axis=1)
    # A pair with one text in the test set is used for neither training nor testing.
    decided = known & (values != 0) & (inside != 1)
    return Answers(rows[decided], values[decided], inside[decided] == 2, int((~known).sum()))


def classes_of(scale: Scale) -> tuple[str, ...]:
    """Return the labels of a scale that has exactly two, which are learned as classes; otherwise, an empty tuple.

    More than two labels are learned as ratings, so that a rare middle label can be learned too.
    """
    if scale.kind != LABELS or round(scale.high - scale.low) != 1:
        return ()
    return scale.labels if len(scale.labels) == 2 else CLASSES


def rated_of(pool: Pool, texts: Answers, scale: Scale) -> Rated:
    """Return the rated texts in the format of the training code."""
    rows, values = texts.rows, texts.values
    classes = classes_of(scale)
    labels = np.full(len(rows), -1, dtype=np.int64)
    if classes:
        # A tie between the two labels gives no training label.
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
"""Number of texts, or pairs, in the smallest part used for the learning curve."""


def grow(
    size: int,
    scores_of: Callable[[IntArray], FloatArray | None],
    scores: FloatArray,
    figure: Callable[[FloatArray, IntArray], float],
    name: str,
) -> LearningCurve | None:
    """Return the learning curve of ``figure``, a function of scores and test rows, over growing parts of the texts.

    ``scores_of`` trains on a part and scores the test set; ``scores`` come from training on all texts. Each repeat adds
    the texts in a different order. For the interval of the slope, the test set is resampled too, since it is small.
    Return None if there are too few texts.
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
"""Inverse penalties tried for the logistic regression on pairs."""
PAIR_FOLDS = 3
STRENGTH_TEXTS = 200
"""Approximate number of texts, evenly spaced in the pool, from which the strength of causes is computed."""
MIN_STRENGTH = 0.03
"""Minimum share of the total effect on scores for a cause to be listed, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A fitted model, in the form in which models are saved and explained."""

    compiled: Compiled
    verdict: Interpretation
    background: FloatArray
    parameters: dict[str, Any]

    def predict(self, table: FloatArray) -> IntArray:
        """Return the predicted label of each row."""
        values = self.compiled.decide(table)
        return self.verdict.predictions(values, self.verdict.naturalness(values))

    def rank(self, table: FloatArray) -> FloatArray:
        """Return a number by which to rank each row; higher is better.

        The number is not calibrated: with too little data for calibration, all calibrated values would be equal.
        """
        rows = self.compiled.preparation.apply(table)
        return self.compiled.units[0].decide(rows)

    def calibrated(self, table: FloatArray) -> FloatArray:
        """Return the calibrated number of each row: a rating, or log-odds."""
        return self.compiled.decide(table)[:, 0]


def teach_rated(data: Rated, *, parameters: dict[str, Any] | None, folds: int) -> Model | None:
    """Return a ridge regression of ratings, or a logistic regression of two labels; None if there are too few texts for
    the folds.

    ``parameters`` are chosen by cross-validation if they are None.
    """
    settings = Settings(PLAIN_LEARNER, folds=folds, parameters=parameters)
    try:
        learned = learn(data, settings)
    except TrainingError:
        return None
    fitted = learned.fitted
    return Model(fitted.compiled, learned.verdict, fitted.background, fitted.choice.parameters)


def teach_pairs(pool: Pool, pairs: Answers, use: IntArray, *, parameters: dict[str, Any] | None) -> Model:
    """Return a logistic regression on feature differences of two texts, trained on the pairs at the given positions.

    The score of a text is the probability, 0..1, that it is preferred to an average text of the pool.
    """
    rows = np.flatnonzero(pool.usable)
    sample = pool.table[rows[:: max(1, len(rows) // SAMPLE_ROWS)]]
    preparation = learn_preparation(sample)
    compared = pairs.rows[use]
    first, second = (preparation.apply(pool.table[compared[:, side]]) for side in (0, 1))
    apart, better = first - second, pairs.values[use] > 0
    if parameters is None:
        parameters = {"C": _strength(apart, better)}
    weights = weights_of(apart, better, parameters["C"])
    background = herd(preparation.apply(sample))
    unit = Linear(weights, np.array([-float(background.mean(axis=0) @ weights)]))
    compiled = Compiled(preparation, (unit,), Calibration(np.ones(1), np.zeros(1)))
    return Model(compiled, Interpretation(2, False), background, parameters)


def _strength(apart: FloatArray, better: BoolArray) -> float:
    """Return the inverse penalty in `STRENGTHS` with the highest cross-validated likelihood of the pairs."""
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
    """Return the causes with a strength of at least `MIN_STRENGTH` in the model's scores, the strongest first."""
    rows = table[:: max(1, len(table) // STRENGTH_TEXTS)]
    preparation = model.compiled.preparation
    parts = parts_of(preparation.names(list(columns)))
    shares = share_out(model.compiled, preparation.apply(rows), model.background, list(parts.values()))
    moved = np.abs(shares.values).mean(axis=0)
    total = float(moved.sum())
    if total <= 0:
        return ()
    causes = [
        LearnedCause(cause, cause_title(cause), float(value) / total) for cause, value in zip(parts, moved, strict=True)
    ]
    return tuple(sorted((p for p in causes if p.strength >= MIN_STRENGTH), key=lambda p: -p.strength))


MIN_TAUGHT_TEXTS = 20
"""Minimum number of texts, or pairs, outside the test set to train a model."""
MIN_LABEL_TEXTS = 5
"""Minimum number of texts with each of two labels: one for each fold."""
FOLDS, CURVE_FOLDS = 5, 3


def teach(pool: Pool, judgements: Sequence[Judgement], scale: Scale) -> Taught:
    """Train and evaluate a model on the answers.

    With too few answers, the result says in ``why`` what is missing and contains only the raters' agreement with
    themselves.
    """
    agreements = self_agreements(judgements, scale)
    answers = (pairs_of if scale.kind == PAIRS else texts_of)(pool, judgements)
    taught = np.flatnonzero(~answers.test)
    learn_from = _learner(pool, answers, scale)
    why = _lacking(answers, scale)
    model = None if why else learn_from(taught)
    if model is None:
        why = why or "too few different sentences yet"
    result = Taught(
        ratings=sum(not judgement.again for judgement in judgements),
        texts=len(taught),
        test=int(answers.test.sum()),
        waiting=answers.waiting,
        advice=lacking(why),
        self_agreements=agreements,
        why=why,
    )
    if model is None:
        return result
    figures = _figures(model, pool, answers, scale) if result.test >= MIN_TEST_TEXTS else ()
    curve = _curve(pool, answers, scale, model, learn_from, figures[0].name) if figures else None
    final = learn_from(np.arange(len(answers.rows)), parameters=model.parameters) or model
    top = ceiling(agreements) if figures and figures[0].name == "spearman" else math.nan
    what = "pairs" if scale.kind == PAIRS else "sentences"
    kind = "logistic" if scale.kind == PAIRS or classes_of(scale) else "ridge"
    return replace(
        result,
        advice=advise(figures[0] if figures else None, curve, len(taught), result.test, top, what),
        learner=f"{kind} regression on {'differences of ' * (scale.kind == PAIRS)}{len(pool.columns)} features",
        figures=figures,
        curve=curve,
        causes=causes_picked(final, pool.table[pool.usable], pool.columns),
    )


def _learner(pool: Pool, answers: Answers, scale: Scale) -> Callable[..., Model | None]:
    """Return a function that trains a model on the answers at given positions."""
    if scale.kind == PAIRS:
        return lambda use, parameters=None, folds=0: teach_pairs(pool, answers, use, parameters=parameters)
    data = rated_of(pool, answers, scale)
    return lambda use, parameters=None, folds=FOLDS: teach_rated(data.part(use), parameters=parameters, folds=folds)


def _lacking(answers: Answers, scale: Scale) -> str:
    """Return which answers are missing before a model can be trained; empty if none are."""
    values = answers.values[~answers.test]
    later = f", and {answers.waiting} more are not measured yet" if answers.waiting else ""
    if len(values) < MIN_TAUGHT_TEXTS:
        what = "pairs of which one was preferred," if scale.kind == PAIRS else "rated sentences"
        return (
            f"a model needs {MIN_TAUGHT_TEXTS} {what} besides those it is measured on; there are {len(values)}{later}"
        )
    for index, name in enumerate(classes_of(scale)):
        have = int(((values - scale.low > 0.5) == bool(index)).sum())
        if have < MIN_LABEL_TEXTS:
            return f"a model needs {MIN_LABEL_TEXTS} sentences of each label; {have} are {name!r} so far"
    if scale.kind != PAIRS and len(np.unique(values)) < 2:
        return "all sentences have the same rating so far; a model needs better and worse ones"
    return ""


def _figures(model: Model, pool: Pool, answers: Answers, scale: Scale) -> tuple[Figure, ...]:
    """Return the figures on the test set, the main one first."""
    scores, values = _scores(model, pool, answers), answers.values[answers.test]
    if scale.kind == PAIRS:
        return (share_figure("pairs_right", float(scores.mean()), len(scores)),)
    rank = spearman_figure(scores, values)
    if scale.kind != LABELS:
        return (rank,)
    table = pool.table[answers.rows[answers.test]]
    names = scale.labels or tuple(str(n) for n in range(round(scale.high - scale.low) + 1))
    truth = np.rint(values - scale.low).astype(np.int64)
    predictions = model.predict(table)
    if not classes_of(scale):
        predictions = np.clip(np.rint(model.calibrated(table) - scale.low), 0, len(names) - 1).astype(np.int64)
    f1 = label_figures(truth, predictions, names)["weighted_f1"]
    best = auc_figure(scores, truth == len(names) - 1)
    others = (best, share_figure("weighted_f1", f1, len(truth)))
    return others if classes_of(scale) else (rank, *others)


def _scores(model: Model, pool: Pool, answers: Answers) -> FloatArray:
    """Return the score of each text in the test set; for a pair, 1 if the model orders it correctly, otherwise 0."""
    rows = answers.rows[answers.test]
    if rows.ndim == 1:
        return model.rank(pool.table[rows])
    first, second = (model.rank(pool.table[rows[:, side]]) for side in (0, 1))
    right: FloatArray = ((first > second) == (answers.values[answers.test] > 0)).astype(np.float64)
    return right


def _curve(
    pool: Pool, answers: Answers, scale: Scale, model: Model, learn_from: Callable[..., Model | None], name: str
) -> LearningCurve | None:
    taught, values = np.flatnonzero(~answers.test), answers.values[answers.test]

    def scores_of(part: IntArray) -> FloatArray | None:
        taught_by_part = learn_from(taught[part], parameters=model.parameters, folds=CURVE_FOLDS)
        return None if taught_by_part is None else _scores(taught_by_part, pool, answers)

    def figure(scores: FloatArray, rows: IntArray) -> float:
        if name == "pairs_right":
            return float(scores[rows].mean())
        if name == "roc_auc":
            return roc_auc(scores[rows], values[rows] - scale.low > 0.5)
        return spearman(scores[rows], values[rows])

    return grow(len(taught), scores_of, _scores(model, pool, answers), figure, name)
