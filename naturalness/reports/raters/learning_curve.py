"""Would more ratings help? A learner taught with growing shares of the table.

In each repeat a part of the texts is kept for testing and the rest joins in a random order, source
by source, so that a larger share holds the smaller ones. Nothing is tuned: the learner has the
parameters of the model, so that the curve shows texts alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.pipelines.evaluation import Protocol, chief_figure
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, check_learnable, learn
from naturalness.reports.raters.judged import Advance
from naturalness.statistics.measures import figures

SHARES = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
REPEATS = 8
TEST = 0.25
LAST = 3
"""Sizes at the end of the curve from which its slope is told."""
WORTH = 0.005
"""Gain of a doubling from which it is worth anyone's while."""
CERTAIN = 1.96
PLAIN = "logistic-l2"
"""Logistic regression; of ratings, ridge regression."""
YES, PERHAPS, LITTLE = "yes", "perhaps", "little"


@dataclass(frozen=True, slots=True)
class Step:
    """Figures with some texts to learn from."""

    texts: int
    mean: float
    deviation: float
    """From repeat to repeat."""


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """How the chief figure grows with texts, and what that says of more."""

    learner: str
    figure: str
    """``roc_auc`` or ``spearman``."""
    repeats: int
    steps: tuple[Step, ...]
    gain: float
    """What doubling the texts adds, by the slope at the end."""
    low: float
    high: float
    """Its 95 % interval."""
    answer: str
    """``yes``, ``perhaps`` or ``little``; empty where the slope is not known."""


def find_learning_curve(
    data: Rated, settings: Settings, *, seed: int = 0, advance: Advance = lambda done, total: None
) -> LearningCurve | str:
    """The curve of a table, or why there is none.

    ``settings`` name the learner and its parameters.
    """
    data = data.part(np.flatnonzero(data.teaching))
    protocol = Protocol(repeats=REPEATS, test_size=TEST, seed=seed)
    try:
        check_learnable(data, settings.folds, TEST)
        splits = protocol.splits(data)
    except TrainingError as error:
        return str(error)
    wanted = [share for share in SHARES if _enough(data, share * (1 - TEST), settings.folds)]
    if len(wanted) < 2:
        return f"{len(data):,} texts are too few to be taken in part"
    figure = chief_figure(data)
    rng = np.random.default_rng(seed)
    found = np.full((len(splits), len(wanted)), np.nan)
    sizes = np.zeros((len(splits), len(wanted)))
    for number, (train, test) in enumerate(splits):
        order = joining(data, train, rng)
        for place, share in enumerate(wanted):
            advance(number * len(wanted) + place, len(splits) * len(wanted))
            rows = order[: math.ceil(share * len(order))]
            sizes[number, place] = len(rows)
            own = replace(settings, seed=settings.seed + number)
            found[number, place] = _figure(data.part(rows), data.part(test), own, figure)
    advance(len(splits) * len(wanted), len(splits) * len(wanted))
    return _told(settings.learner, figure, sizes, found)


def _enough(data: Rated, share: float, folds: int) -> bool:
    """Whether a share of the texts, however they fall, is likely to have what folds need."""
    counts = [len(data)]
    if data.n_classes:
        counts = [int((data.labels == place).sum()) for place in range(data.n_classes)]
    return min(counts) * share >= 3 * folds


def joining(data: Rated, train: IntArray, rng: np.random.Generator) -> IntArray:
    """The training rows in the order in which they join: sources at random, whole."""
    sources = rng.permutation(np.unique(data.groups[train]))
    rank = {int(source): place for place, source in enumerate(sources)}
    places = np.array([rank[int(group)] for group in data.groups[train]], dtype=np.int64)
    out: IntArray = train[np.argsort(places, kind="stable")]
    return out


def _figure(train: Rated, test: Rated, settings: Settings, figure: str) -> float:
    """The figure on the test part; NaN where so few texts cannot teach."""
    try:
        learned = learn(train, settings)
    except TrainingError:
        return math.nan
    naturalness, told = learned.judge(test.table)
    found = figures(naturalness, told, test.labels, test.graded, test.classes, test.lengths)
    return found[figure]


def _told(learner: str, figure: str, sizes: FloatArray, found: FloatArray) -> LearningCurve:
    steps = tuple(
        Step(round(float(n.mean())), known_mean(values), known_deviation(values))
        for n, values in zip(sizes.T, found.T, strict=True)
    )
    gain, low, high = slope(sizes[:, -LAST:], found[:, -LAST:])
    return LearningCurve(learner, figure, len(found), steps, gain, low, high, answer(gain, low, high))


def known_mean(values: FloatArray) -> float:
    """Mean of those that are not NaN; NaN of none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def known_deviation(values: FloatArray) -> float:
    """Deviation of those that are not NaN, with n - 1; NaN of fewer than two."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else math.nan


def slope(sizes: FloatArray, found: FloatArray) -> tuple[float, float, float]:
    """Gain for each doubling at the end of the curve, with its 95 % interval.

    A line through the figures over log2 of sizes in each repeat. Repeats share texts, so their
    variance is raised by the ratio of test to training texts (Nadeau & Bengio 2003).
    """
    slopes = []
    for n, values in zip(np.log2(sizes), found, strict=True):
        if not np.isnan(values).any() and np.ptp(n) > 0:
            x = n - n.mean()
            slopes.append(float(x @ values) / float(x @ x))
    if len(slopes) < 2:
        return math.nan, math.nan, math.nan
    gain = float(np.mean(slopes))
    spread = np.std(slopes, ddof=1) * math.sqrt(1 / len(slopes) + TEST / (1 - TEST))
    return gain, gain - CERTAIN * float(spread), gain + CERTAIN * float(spread)


def answer(gain: float, low: float, high: float) -> str:
    """Would more ratings help?"""
    if math.isnan(gain):
        return ""
    if low > 0 and gain >= WORTH:
        return YES
    return LITTLE if high < 2 * WORTH else PERHAPS


def plain_settings(data: Rated) -> Settings:
    """What teaches on a table that the model was not trained on: a learner without a grid."""
    return Settings(learner=PLAIN, parameters={"alpha": 100.0} if data.rates else {"C": 0.01})
