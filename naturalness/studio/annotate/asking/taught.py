"""The result of learning from the answers so far, as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.reports.raters.learning_curve import LITTLE, MIN_GAIN, YES, LearningCurve
from naturalness.statistics.correlation import spearman
from naturalness.statistics.measures import Z_95, roc_auc, wilson
from naturalness.studio.annotate.asking.pool import Judgement
from naturalness.studio.annotate.project.records import PAIRS, Scale

GO_ON, STOP = "go on", "stop"

FIGURES: Mapping[str, str] = {
    "spearman": "rank correlation with your ratings",
    "roc_auc": "pairs of a better and a worse sentence ordered correctly (ROC AUC)",
    "weighted_f1": "weighted F1 of the labels",
    "pairs_right": "share of pairs in which it prefers the one that you prefer",
}
"""Measures of a model on the test set, with their names in words. Higher is better; all but the first are 0..1."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure on the test set with its 95 % interval; NaN if undefined."""

    name: str
    """A key of `FIGURES`."""
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
    spearman: float
    """Rank correlation of first and repeated answers, -1..1; NaN for fewer than ten answers and for pairs."""


@dataclass(frozen=True, slots=True)
class LearnedCause:
    """A cause that affects the model's scores."""

    cause: str
    """A key of `explaining.causes.TITLES`."""
    title: str
    strength: float
    """This cause's share, 0..1, of the total effect that all causes have on the scores of the pool."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on whether to continue rating."""

    answer: str
    """`GO_ON` or `STOP`."""
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """The result of learning from the answers.

    There are two models. The model that `figures` and `curve` measure was trained without the test set. The model
    behind `causes` was trained on all answers with the same parameters. Since it has learned from more answers, it is
    probably better, so the figures are conservative; `naturalness train` also learns from all exported answers.
    """

    ratings: int
    """Number of answers, not counting those to repeated questions."""
    texts: int
    """Number of rated and measured texts (or pairs) that the model of the figures learned from."""
    test: int
    """Number of rated and measured texts (or pairs) in the test set."""
    waiting: int
    """Number of rated texts (or pairs) not used yet, because they are not measured."""
    advice: Advice
    self_agreements: tuple[SelfAgreement, ...] = ()
    why: str = ""
    """What is missing before a model can be trained; empty once there is a model."""
    learner: str = ""
    """Kind of model, in words."""
    figures: tuple[Figure, ...] = ()
    """Measures on the test set, the main one first; empty below `MIN_TEST_TEXTS`."""
    curve: LearningCurve | None = None
    """Learning curve of the main figure; None while there are too few texts to train on parts of them."""
    causes: tuple[LearnedCause, ...] = ()
    """Causes that affect the model's scores, the strongest first."""

    @property
    def figure(self) -> Figure | None:
        """The main figure; None if there are no figures."""
        return self.figures[0] if self.figures else None

    @property
    def known(self) -> bool:
        """Whether there is a model."""
        return not self.why


# 95 % intervals on a test set of a few dozen texts. At this size a bootstrap interval is too narrow, and has no
# width if every prediction is right. These intervals invert a test instead: they hold all values under which the
# observed one is not too unlikely.

MIN_INTERVAL_TEXTS = 8
"""Minimum number of texts for an interval."""
AUC_STEPS = 4000


def spearman_figure(scores: FloatArray, ratings: FloatArray) -> Figure:
    """Return the rank correlation, -1..1, with an interval from Fisher's z-transformation, using the variance of Bonett
    & Wright (2000)."""
    n, value = len(scores), spearman(scores, ratings)
    if n < MIN_INTERVAL_TEXTS or math.isnan(value):
        return Figure("spearman", value, math.nan, math.nan, n)
    clipped = min(max(value, -0.999), 0.999)
    half = Z_95 * math.sqrt((1 + clipped**2 / 2) / (n - 3))
    low, high = math.tanh(math.atanh(clipped) - half), math.tanh(math.atanh(clipped) + half)
    return Figure("spearman", value, low, high, n)


def auc_figure(scores: FloatArray, better: BoolArray) -> Figure:
    """Return the ROC AUC, 0..1, with its interval.

    The interval holds all values that differ from the observed one by at most the normal quantile times their standard
    error (Hanley & McNeil 1982, with both group sizes replaced by their mean, as Newcombe 2006 advises).
    """
    n, m, value = int(better.sum()), int((~better).sum()), roc_auc(scores, better)
    if min(n, m) < 3 or n + m < MIN_INTERVAL_TEXTS:
        return Figure("roc_auc", value, math.nan, math.nan, n + m)
    at = (np.arange(AUC_STEPS) + 0.5) / AUC_STEPS
    mean = (n + m) / 2 - 1
    inner = 1 + mean * (1 - at) / (2 - at) + mean * at / (1 + at)
    error = np.sqrt(at * (1 - at) * inner / (n * m))
    inside = at[np.abs(at - value) <= Z_95 * error]
    low, high = float(inside.min()), float(inside.max())
    # The ends of the grid are the ends of the scale.
    low, high = (0.0 if low < 1 / AUC_STEPS else low), (1.0 if high > 1 - 1 / AUC_STEPS else high)
    return Figure("roc_auc", value, min(low, value), max(high, value), n + m)


def share_figure(name: str, value: float, n: int) -> Figure:
    """Return a share of n texts or pairs, 0..1, with the interval of Wilson (1927).

    The same interval serves for weighted F1, which is close enough to the share of correct labels.
    """
    if n < MIN_INTERVAL_TEXTS or math.isnan(value):
        return Figure(name, value, math.nan, math.nan, n)
    low, high = wilson(value * n, n)
    return Figure(name, value, low, high, n)


MIN_REPEATS = 10
"""Minimum number of repeats for a correlation."""


def self_agreements(judgements: Sequence[Judgement], scale: Scale) -> tuple[SelfAgreement, ...]:
    """Return the self-agreement of each rater who answered repeated questions, in the order of their first answers."""
    first: dict[tuple[str, frozenset[int]], Judgement] = {}
    pairs: dict[str, list[tuple[float, float]]] = {}
    for judgement in judgements:
        key = (judgement.rater, frozenset(judgement.asked))
        if not judgement.again or key not in first:
            first.setdefault(key, judgement)
            continue
        before = first[key]
        # Repeated pairs may show their texts in the other order.
        turned = -1.0 if judgement.text != before.text else 1.0
        pairs.setdefault(judgement.rater, []).append((before.value, turned * judgement.value))
    raters = dict.fromkeys(judgement.rater for judgement in judgements)
    return tuple(_of(rater, pairs[rater], scale) for rater in raters if rater in pairs)


def _of(rater: str, pairs: Sequence[tuple[float, float]], scale: Scale) -> SelfAgreement:
    before, after = np.array(pairs, dtype=np.float64).T
    wide = max(scale.high - scale.low, 1e-12)
    known = len(pairs) >= MIN_REPEATS and scale.kind != PAIRS
    return SelfAgreement(
        rater=rater,
        repeats=len(pairs),
        same=float((before == after).mean()),
        distance=float(np.abs(before - after).mean() / wide),
        spearman=spearman(before, after) if known else math.nan,
    )


def ceiling(agreements: Sequence[SelfAgreement]) -> float:
    """Return the highest rank correlation with these raters' answers that a model can reach: the square root of their
    agreement with themselves (Spearman 1904); NaN if unknown."""
    known = [agreement for agreement in agreements if not math.isnan(agreement.spearman)]
    if not known:
        return math.nan
    weights = [agreement.repeats for agreement in known]
    mean = float(np.average([max(agreement.spearman, 0.0) for agreement in known], weights=weights))
    return math.sqrt(mean)


MIN_TEST_TEXTS = 20
"""Minimum number of texts in the test set for any figure."""
FLAT_CURVE_TEXTS = 200
"""Minimum number of texts at which an unclear learning curve with a small gain is considered flat."""
CEILING_MARGIN = 0.03
"""Maximum distance from the ceiling at which a model counts as having reached it."""


def lacking(why: str) -> Advice:
    """Return the advice while there is no model; ``why`` says what is missing."""
    return Advice(GO_ON, f"Go on: {why}.")


def advise(figure: Figure | None, curve: LearningCurve | None, texts: int, test: int, top: float, what: str) -> Advice:
    """Return the advice on whether to continue rating.

    ``texts`` is the number of texts that the model learned from, and ``test`` the size of the test set; ``top`` is the
    highest figure possible given the raters' agreement with themselves (NaN if unknown); ``what`` is the word for the
    rated items, such as "pairs".
    """
    if figure is None:
        return Advice(
            GO_ON,
            f"Go on: only {test} {what} are held out for testing, too few to tell how good "
            f"the model is; that takes at least {MIN_TEST_TEXTS}.",
        )
    if math.isnan(figure.value):
        return Advice(
            GO_ON,
            f"Go on: the {test} {what} that are held out for testing are all rated alike, or the model gives all of "
            "them the same score.",
        )
    if figure.value >= top - CEILING_MARGIN:
        return Advice(
            STOP,
            f"You may stop: at {figure.value:.2f} the model agrees with you about as well as you agree with yourself.",
        )
    if curve is None or not curve.answer:
        return Advice(GO_ON, f"Go on: {texts} {what} are too few for a learning curve.")
    more = f"twice as many {what} would add about {curve.gain:+.2f}"
    if curve.answer == YES:
        return Advice(GO_ON, f"Go on: the model still grows; {more}.")
    if curve.answer == LITTLE:
        return Advice(STOP, f"You may stop: the curve is flat; {more}.")
    if texts >= FLAT_CURVE_TEXTS and curve.gain < 2 * MIN_GAIN:
        return Advice(STOP, f"You may stop: the curve seems flat; {more}, as far as the figures show.")
    return Advice(
        GO_ON,
        f"Go on: it is not clear yet how much further ratings would help ({curve.low:+.2f} to "
        f"{curve.high:+.2f} for twice as many {what}).",
    )
