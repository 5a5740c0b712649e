"""Learning curves, which show whether more ratings would help.

In each repeat, some texts are held out for testing, and a learner is trained on growing shares of the other texts. The
texts are added source by source in random order, so that larger shares contain the smaller ones. The learner has fixed
parameters, so that the curve shows only the effect of more texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.pages.formats import defined
from naturalness.pipelines.evaluation import CHANCE, Protocol, chief_figure, figures_of
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, check_learnable, learn
from naturalness.reports.raters.judged import Advance
from naturalness.statistics.measures import Z_95, known_deviation, known_mean

SHARES = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
REPEATS = 8
TEST_SHARE = 0.25
SLOPE_SIZES = 3
"""The number of steps at the end of the curve from which the slope is computed."""
MIN_GAIN = 0.005
"""The smallest gain from doubling the number of texts that counts as worthwhile."""
PLAIN_LEARNER = "logistic-l2"
"""The learner for tables on which the model was not trained: logistic regression for labels, ridge regression for
ratings.
"""
YES, PERHAPS, LITTLE = "yes", "perhaps", "little"


@dataclass(frozen=True, slots=True)
class CurveStep:
    """A step of the curve: the figure reached with a number of training texts."""

    texts: int
    mean: float
    deviation: float
    """The standard deviation of the figure over repeats."""


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """A learning curve: how a figure grows with the number of training texts."""

    learner: str
    figure: str
    """The name of the figure (`chief_figure`): ``roc_auc``, ``spearman`` or ``mean_order``."""
    repeats: int
    steps: tuple[CurveStep, ...]
    gain: float
    """The gain in the figure from doubling the number of texts, estimated from the slope at the end of the curve."""
    low: float
    high: float
    """The upper end of the 95 % interval of ``gain``; ``low`` is the lower end."""
    answer: str
    """The answer to whether more ratings would help: ``yes``, ``perhaps`` or ``little``; empty if the slope is
    unknown.
    """

    @property
    def points(self) -> list[tuple[float, float, float]]:
        """The number of texts, mean and deviation of each step that has a mean; 0 stands for an undefined deviation."""
        return [
            (step.texts, step.mean, step.deviation if defined(step.deviation) else 0.0)
            for step in self.steps
            if defined(step.mean)
        ]


def find_learning_curve(
    data: Rated, settings: Settings, *, advance: Advance = lambda done, total: None
) -> LearningCurve | str:
    """Return the learning curve of a table or, if there is none, the reason.

    ``settings`` gives the learner and its parameters.
    """
    data = data.part(np.flatnonzero(data.teaching))
    protocol = Protocol(repeats=REPEATS, test_size=TEST_SHARE)
    try:
        check_learnable(data, settings.folds, TEST_SHARE)
        splits = protocol.splits(data)
    except TrainingError as error:
        return str(error)
    shares = [share for share in SHARES if _enough(data, share * (1 - TEST_SHARE), settings.folds)]
    if len(shares) < 2:
        return f"{len(data):,} texts are too few to be taken in part"
    figure = chief_figure(data)
    rng = np.random.default_rng(0)
    reached = np.full((len(splits), len(shares)), np.nan)
    sizes = np.zeros((len(splits), len(shares)))
    for repeat, (train, test) in enumerate(splits):
        order = joining(data, train, rng)
        for step, share in enumerate(shares):
            advance(repeat * len(shares) + step, len(splits) * len(shares))
            rows = order[: math.ceil(share * len(order))]
            sizes[repeat, step] = len(rows)
            seeded = replace(settings, seed=settings.seed + repeat)
            reached[repeat, step] = _figure(data.part(rows), data.part(test), seeded, figure)
    advance(len(splits) * len(shares), len(splits) * len(shares))
    return _summarise(settings.learner, figure, sizes, reached)


def _enough(data: Rated, share: float, folds: int) -> bool:
    """Return whether a random share of the texts probably has enough texts of each class for the folds."""
    counts = [len(data)]
    if data.n_classes:
        counts = [int((data.labels == label).sum()) for label in range(data.n_classes)]
    return min(counts) * share >= 3 * folds


def joining(data: Rated, train: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the training rows source by source, with the sources in random order."""
    sources = rng.permutation(np.unique(data.groups[train]))
    rank = {int(source): position for position, source in enumerate(sources)}
    positions = np.array([rank[int(group)] for group in data.groups[train]], dtype=np.int64)
    return train[np.argsort(positions, kind="stable")]


def _figure(train: Rated, test: Rated, settings: Settings, figure: str) -> float:
    """Return the figure that a learner reaches on the test texts; the value for chance if it gives them all the same
    score, and NaN if there are too few training texts.
    """
    try:
        learned = learn(train, settings)
    except TrainingError:
        return math.nan
    naturalness, predicted = learned.judge(test.table)
    values = figures_of(test, naturalness, predicted)
    return values[figure] if np.ptp(naturalness) else CHANCE[figure]


def _summarise(learner: str, figure: str, sizes: FloatArray, reached: FloatArray) -> LearningCurve:
    steps = tuple(
        CurveStep(round(float(n.mean())), known_mean(values), known_deviation(values))
        for n, values in zip(sizes.T, reached.T, strict=True)
    )
    gain, low, high = slope(sizes[:, -SLOPE_SIZES:], reached[:, -SLOPE_SIZES:])
    return LearningCurve(learner, figure, len(reached), steps, gain, low, high, answer(gain, low, high))


def slope(sizes: FloatArray, reached: FloatArray) -> tuple[float, float, float]:
    """Return the gain per doubling at the end of the curve, with its 95 % interval.

    In each repeat, the figures are regressed on log2 of the sizes. Because repeats share texts, their variance is
    corrected by the ratio of test to training texts (Nadeau & Bengio 2003).
    """
    slopes = []
    for n, values in zip(np.log2(sizes), reached, strict=True):
        if not np.isnan(values).any() and np.ptp(n) > 0:
            x = n - n.mean()
            slopes.append(float(x @ values) / float(x @ x))
    if len(slopes) < 2:
        return math.nan, math.nan, math.nan
    gain = float(np.mean(slopes))
    spread = np.std(slopes, ddof=1) * math.sqrt(1 / len(slopes) + TEST_SHARE / (1 - TEST_SHARE))
    return gain, gain - Z_95 * float(spread), gain + Z_95 * float(spread)


def answer(gain: float, low: float, high: float) -> str:
    """Return the answer to whether more ratings would help: `YES`, `PERHAPS` or `LITTLE`; empty if unknown."""
    if math.isnan(gain):
        return ""
    if low > 0 and gain >= MIN_GAIN:
        return YES
    return LITTLE if high < 2 * MIN_GAIN else PERHAPS


def plain_settings(data: Rated) -> Settings:
    """Return settings with fixed parameters, for a table on which the model was not trained."""
    return Settings(learner=PLAIN_LEARNER, parameters={"alpha": 100.0} if data.rates else {"C": 0.01})
