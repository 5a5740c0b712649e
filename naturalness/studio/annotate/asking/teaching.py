"""Learn from the answers, and evaluate the model on a test set that is held out from the first question on."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.data.paired import CLASSES
from naturalness.models.learners.differences import pair_accuracy
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
from naturalness.statistics.measures import Z_95, wilson
from naturalness.studio.annotate.asking.pool import GivenRating, Pool, asked_texts, means_of, test_texts
from naturalness.studio.annotate.project.records import PAIRS, Scale

MIN_TAUGHT_TEXTS = 20
"""Minimum number of texts, or pairs, outside the test set to train a model."""
MIN_TEST_TEXTS = 20
"""Minimum number of texts, or pairs, in the test set for a figure."""
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
    """Number of texts, or pairs, that it was measured on."""


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
    """Number of rated and measured texts (or pairs) that the model of the figure learned from."""
    test: int
    """Number of rated and measured texts (or pairs) in the test set."""
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
        texts=_size(taught),
        test=_size(tested),
        waiting=int((~pool.usable[list(asked_texts(judgements))]).sum()),
        self_agreements=self_agreements(judgements, scale),
    )
    if why := _lacking(taught, result.waiting):
        return replace(result, advice=f"Go on: {why}.")
    figure, curve = None, None
    if result.test >= MIN_TEST_TEXTS:
        figure = measure(scores_of(taught, tested.table), tested)
        curve_or_reason = find_learning_curve(data, replace(plain_settings(data), folds=CURVE_FOLDS))
        curve = None if isinstance(curve_or_reason, str) else curve_or_reason
    advice, may_stop = advise(figure, curve, result.texts, result.test, "sentences" if data.pairs is None else "pairs")
    return replace(result, advice=advice, may_stop=may_stop, known=True, figure=figure, curve=curve)


def rated_of(pool: Pool, judgements: Sequence[GivenRating], scale: Scale) -> tuple[Rated, BoolArray]:
    """Return the rated texts that are measured, in the format of the training code, and which of them are in the test
    set.

    A pair with one text in the test set is used for neither training nor testing, since neither part contains both.
    """
    pairs = None
    if scale.kind == PAIRS:
        preferred = _preferences(judgements)
        preferred = preferred[pool.usable[preferred].all(axis=1)]
        rows = np.unique(preferred)
        pairs, ratings = np.searchsorted(rows, preferred), np.full(len(rows), math.nan)
    else:
        rows, ratings = means_of(judgements)
        known = pool.usable[rows]
        rows, ratings = rows[known], ratings[known]
    groups = np.unique([pool.texts[row] for row in rows], return_inverse=True)[1] if len(rows) else rows
    data = Rated(
        texts=(),
        table=pool.table[rows],
        columns=pool.columns,
        # The learning curve requires two labels, but learns from the ratings.
        labels=np.where(np.isnan(ratings), -1, ratings > ratings.sum() / max(1, len(ratings))),
        ratings=ratings,
        groups=groups.astype(np.int64),
        classes=CLASSES,
        scale=(scale.low, scale.high),
        rates=pairs is None,
        pairs=pairs,
    )
    return data, np.isin(rows, list(test_texts(judgements)))


def _preferences(judgements: Sequence[GivenRating]) -> IntArray:
    """Return the pairs in which most answers prefer one text, that text first, (m, 2)."""
    sums: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for judgement in judgements:
        item = tuple(sorted(judgement.asked))
        sums[item] += judgement.value if judgement.asked == item else -judgement.value
    pairs = [item if value > 0 else item[::-1] for item, value in sums.items() if value]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _size(data: Rated) -> int:
    return len(data) if data.pairs is None else len(data.pairs)


def _lacking(taught: Rated, waiting: int) -> str:
    """Return which answers are missing before a model can be trained; empty if none are."""
    if _size(taught) < MIN_TAUGHT_TEXTS:
        what = "rated sentences" if taught.pairs is None else "pairs of which one was preferred,"
        later = f", and {waiting} more are not measured yet" if waiting else ""
        return (
            f"a model needs {MIN_TAUGHT_TEXTS} {what} besides those it is measured on; there are {_size(taught)}{later}"
        )
    if taught.pairs is None and np.ptp(taught.ratings) == 0:
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
    interval of a rank correlation comes from Fisher's z-transformation, with the variance of Bonett & Wright (2000),
    that of a share of pairs from Wilson (1927).
    """
    n = _size(tested)
    if tested.pairs is not None:
        value = pair_accuracy(scores, tested.pairs)
        return Figure("share of pairs in which it prefers the one that you prefer", value, *wilson(value * n, n), n)
    value = spearman(scores, tested.ratings)
    clipped = np.clip(value, -0.999, 0.999)
    half = Z_95 * math.sqrt((1 + clipped**2 / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(clipped) + np.array([-half, half])).tolist()
    return Figure("rank correlation with your ratings", value, low, high, n)


def self_agreements(judgements: Sequence[GivenRating], scale: Scale) -> tuple[SelfAgreement, ...]:
    """Return the self-agreement of each rater who answered repeated questions, in the order of their first repeats."""
    first: dict[tuple[str, frozenset[int]], GivenRating] = {}
    differences: dict[str, list[float]] = {}
    for judgement in judgements:
        before = first.setdefault((judgement.rater, frozenset(judgement.asked)), judgement)
        if judgement.again and before is not judgement:
            # Repeated pairs may show their texts in the other order.
            turned = 1.0 if judgement.asked == before.asked else -1.0
            differences.setdefault(judgement.rater, []).append(abs(before.value - turned * judgement.value))
    wide = scale.high - scale.low
    return tuple(
        SelfAgreement(rater, len(values), values.count(0.0) / len(values), sum(values) / len(values) / wide)
        for rater, values in differences.items()
    )


def advise(figure: Figure | None, curve: LearningCurve | None, texts: int, test: int, what: str) -> tuple[str, bool]:
    """Return the advice on whether to continue rating, and whether it is to stop.

    ``texts`` is the number of texts that the model learned from, and ``test`` the size of the test set; ``what`` is the
    word for the rated items, such as "pairs".
    """
    if figure is None:
        return (
            f"Go on: only {test} {what} are held out for testing, too few to tell how good the model is; that takes at "
            f"least {MIN_TEST_TEXTS}."
        ), False
    if math.isnan(figure.value):
        return (
            f"Go on: the {test} {what} that are held out for testing are all rated alike, or the model gives all of "
            "them the same score."
        ), False
    if curve is None or not curve.answer:
        return f"Go on: {texts} {what} are too few for a learning curve.", False
    more = f"twice as many {what} would add about {curve.gain:+.2f}"
    if curve.answer == YES:
        return f"Go on: the model still grows; {more}.", False
    if curve.answer == LITTLE:
        return f"You may stop: the curve is flat; {more}.", True
    if texts >= FLAT_CURVE_TEXTS and curve.gain < 2 * MIN_GAIN:
        return f"You may stop: the curve seems flat; {more}, as far as the figures show.", True
    return (
        f"Go on: it is not clear yet how much further ratings would help ({curve.low:+.2f} to {curve.high:+.2f} for "
        f"twice as many {what})."
    ), False
