"""Learn from the answers, and evaluate the model on a test set that is held out from the first question on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.data.paired import CLASSES
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.reports.raters.learning_curve import (
    LITTLE,
    MIN_GAIN,
    PLAIN_LEARNER,
    YES,
    LearningCurve,
    find_learning_curve,
    plain_settings,
)
from naturalness.statistics.correlation import spearman
from naturalness.statistics.measures import Z_95
from naturalness.studio.annotate.asking.choosing import GivenRating, Pool, asked_texts, means_of, test_texts
from naturalness.studio.annotate.project.records import Scale

MIN_TAUGHT_TEXTS = 20
"""Minimum number of texts outside the test set to train a model."""
MIN_TEST_TEXTS = 20
"""Minimum number of texts in the test set for a figure."""
SETTINGS = Settings(PLAIN_LEARNER)
CURVE_FOLDS = 2
"""Folds of the calibration of each model of the learning curve; calibration does not change the figure."""
FLAT_CURVE_TEXTS = 200
"""Minimum number of texts at which an unclear learning curve with a small gain is considered flat."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure on the test set with its 95 % interval; NaN if undefined."""

    words: str
    """The name of the measure; higher is better."""
    value: float
    low: float
    high: float
    texts: int
    """Number of texts that it was measured on."""


@dataclass(frozen=True, slots=True)
class SelfAgreement:
    """Agreement between a rater's first and repeated answers."""

    rater: str
    repeats: int
    same: float
    """Share of repeated questions with the same answer, 0..1."""
    distance: float
    """Mean absolute difference of the two answers, as a share of the range of the scale; 0 is full agreement."""


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """The result of learning from the answers.

    The model that `figure` measures was trained without the test set. `naturalness train` learns from all exported
    answers, so its model is probably better.
    """

    texts: int
    """Number of rated and measured texts that the model of the figure learned from."""
    test: int
    """Number of rated and measured texts in the test set."""
    waiting: int
    """Number of rated texts that are not used yet, because they are not measured."""
    self_agreements: tuple[SelfAgreement, ...]
    advice: str = ""
    """Advice on whether to continue rating, in words."""
    may_stop: bool = False
    """Whether the advice is to stop."""
    known: bool = False
    """Whether there are enough answers to train a model."""
    figure: Figure | None = None
    """None below `MIN_TEST_TEXTS`."""
    curve: LearningCurve | None = None
    """Learning curve on all answers; None while there is no figure, or too few texts to train on parts of them."""


def teach(pool: Pool, judgements: Sequence[GivenRating], scale: Scale) -> Taught:
    """Train and evaluate a model on the answers; with too few of them, say in ``advice`` what is missing."""
    data, test = rated_of(pool, judgements, scale)
    taught, tested = data.part(np.flatnonzero(~test)), data.part(np.flatnonzero(test))
    result = Taught(
        texts=len(taught),
        test=len(tested),
        waiting=len(asked_texts(judgements).intersection(pool.left)),
        self_agreements=self_agreements(judgements, scale),
    )
    if why := _lacking(taught, result.waiting):
        return replace(result, advice=f"Go on: {why}.")
    figure, curve = None, None
    if result.test >= MIN_TEST_TEXTS:
        figure = measure(scores_of(taught, tested.table), tested)
        curve_or_reason = find_learning_curve(data, replace(plain_settings(data), folds=CURVE_FOLDS))
        curve = None if isinstance(curve_or_reason, str) else curve_or_reason
    advice, may_stop = advise(figure, curve, result.texts, result.test)
    return replace(result, advice=advice, may_stop=may_stop, known=True, figure=figure, curve=curve)


def rated_of(pool: Pool, judgements: Sequence[GivenRating], scale: Scale) -> tuple[Rated, BoolArray]:
    """Return the rated texts that are measured, in the format of the training code, and which of them are in the test
    set.
    """
    rows, ratings = means_of(judgements)
    known = pool.usable[rows]
    rows, ratings = rows[known], ratings[known]
    groups = np.unique([pool.texts[row] for row in rows], return_inverse=True)[1] if len(rows) else rows
    data = Rated(
        texts=(),
        table=pool.table[rows],
        columns=pool.columns,
        # The learning curve requires two labels, but learns from the ratings.
        labels=np.where(ratings > ratings.sum() / max(1, len(ratings)), 1, 0),
        ratings=ratings,
        groups=groups.astype(np.int64),
        classes=CLASSES,
        scale=(scale.low, scale.high),
        rates=True,
    )
    return data, np.isin(rows, list(test_texts(judgements)))


def _lacking(taught: Rated, waiting: int) -> str:
    """Return which answers are missing before a model can be trained; empty if none are."""
    if len(taught) < MIN_TAUGHT_TEXTS:
        later = f", and {waiting} more are not measured yet" if waiting else ""
        needed = f"a model needs {MIN_TAUGHT_TEXTS} rated sentences besides those it is measured on"
        return f"{needed}; there are {len(taught)}{later}"
    if np.ptp(taught.ratings) == 0:
        return "all sentences have the same rating so far; a model needs better and worse ones"
    return ""


def scores_of(rated: Rated, table: FloatArray, settings: Settings = SETTINGS) -> FloatArray:
    """Train on the rated texts, and score each row of a table; higher is better.

    The scores are not calibrated: with too little data for calibration, all calibrated values would be equal.
    """
    compiled = learn(rated, settings).compiled
    return compiled.units[0].decide(compiled.preparation.apply(table))


def measure(scores: FloatArray, tested: Rated) -> Figure:
    """Return the figure of a model on the test set, given the score of each text.

    At a few dozen texts, a bootstrap interval is too narrow, and has no width if every prediction is right. The
    interval comes from Fisher's z-transformation, with the variance of Bonett & Wright (2000).
    """
    n = len(tested)
    value = spearman(scores, tested.ratings)
    clipped = np.clip(value, -0.999, 0.999)
    half = Z_95 * math.sqrt((1 + clipped**2 / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(clipped) + np.array([-half, half])).tolist()
    return Figure("rank correlation with your ratings", value, low, high, n)


def self_agreements(judgements: Sequence[GivenRating], scale: Scale) -> tuple[SelfAgreement, ...]:
    """Return the self-agreement of each rater who answered repeated questions, in the order of their first repeats."""
    first: dict[tuple[str, int], GivenRating] = {}
    differences: dict[str, list[float]] = {}
    for judgement in judgements:
        before = first.setdefault((judgement.rater, judgement.text), judgement)
        if judgement.again and before is not judgement:
            differences.setdefault(judgement.rater, []).append(abs(before.value - judgement.value))
    wide = scale.high - scale.low
    return tuple(
        SelfAgreement(rater, len(values), values.count(0.0) / len(values), sum(values) / len(values) / wide)
        for rater, values in differences.items()
    )


def advise(figure: Figure | None, curve: LearningCurve | None, texts: int, test: int) -> tuple[str, bool]:
    """Return the advice on whether to continue rating, and whether it is to stop.

    ``texts`` is the number of texts that the model learned from, and ``test`` the size of the test set.
    """
    if figure is None:
        return (
            f"Go on: only {test} sentences are held out for testing, too few to tell how good the model is; that takes "
            f"at least {MIN_TEST_TEXTS}."
        ), False
    if math.isnan(figure.value):
        return (
            f"Go on: the {test} sentences that are held out for testing are all rated alike, or the model gives all of "
            "them the same score."
        ), False
    if curve is None or not curve.answer:
        return f"Go on: {texts} sentences are too few for a learning curve.", False
    more = f"twice as many sentences would add about {curve.gain:+.2f}"
    if curve.answer == YES:
        return f"Go on: the model still grows; {more}.", False
    if curve.answer == LITTLE:
        return f"You may stop: the curve is flat; {more}.", True
    if texts >= FLAT_CURVE_TEXTS and curve.gain < 2 * MIN_GAIN:
        return f"You may stop: the curve seems flat; {more}, as far as the figures show.", True
    return (
        f"Go on: it is not clear yet how much further ratings would help ({curve.low:+.2f} to {curve.high:+.2f} for "
        "twice as many sentences)."
    ), False
