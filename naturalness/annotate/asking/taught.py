"""What was learned of the answers so far, as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.reports.raters.learning_curve import LearningCurve

GO_ON, STOP = "go on", "stop"

FIGURES: Mapping[str, str] = {
    "spearman": "rank correlation with your ratings",
    "roc_auc": "pairs of a better and a worse sentence told rightly (ROC AUC)",
    "weighted_f1": "weighted F1 of the labels",
    "pairs_right": "share of pairs in which it prefers the one that you prefer",
}
"""What a model is measured by on the test share; higher is better, all but the first are 0..1."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure on the test share with its 95 % interval; NaN where it is not defined."""

    name: str
    """A key of `FIGURES`."""
    value: float
    low: float
    high: float
    texts: int
    """Texts, or pairs, that it was measured on."""


@dataclass(frozen=True, slots=True)
class OwnAgreement:
    """How far a rater agrees with themselves on questions that were asked again."""

    rater: str
    repeats: int
    same: float
    """Share that got the same answer, 0..1."""
    distance: float
    """Mean difference of the two answers, as a share of the scale; 0 is full agreement."""
    spearman: float
    """Rank correlation of first and second answer, -1..1; NaN of fewer than ten or of pairs."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A cause that the model has picked up."""

    cause: str
    """A key of `explaining.causes.TITLES`."""
    title: str
    strength: float
    """Its share of all that moves scores over the pool, 0..1."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to go on rating."""

    answer: str
    """`GO_ON` or `STOP`."""
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """What came of the answers.

    There are two models. The one that `figures` and `curve` measure never saw the test share. The
    one that `naturalness` and `picked` are of learned from all answers, with the same parameters,
    as `naturalness train` will on the exported table; it can only be better, so the figures are on
    the safe side.
    """

    ratings: int
    """Answers that count, repeated ones not."""
    texts: int
    """Rated and measured texts (or pairs) that the model of the figures learned from."""
    test: int
    """Rated and measured texts (or pairs) of the test share."""
    waiting: int
    """Rated texts (or pairs) that cannot teach yet, because they are not measured."""
    advice: Advice
    own: tuple[OwnAgreement, ...] = ()
    why: str = ""
    """What is lacking, in words, where there is no model yet; else empty."""
    learner: str = ""
    """Which model was taught, in words."""
    figures: tuple[Figure, ...] = ()
    """The chief one first; empty while the test share is too small."""
    curve: LearningCurve | None = None
    """Of the chief figure; None while there is too little to take a part of."""
    picked: tuple[Picked, ...] = ()
    """The strongest first."""
    naturalness: FloatArray = field(default_factory=lambda: np.empty(0))
    """0..1 of each text of the pool, by the model that learned from all answers; NaN where a text
    is not measured, or there is no model yet."""

    @property
    def figure(self) -> Figure | None:
        """The chief figure."""
        return self.figures[0] if self.figures else None

    @property
    def known(self) -> bool:
        """Whether there is a model."""
        return not self.why


def undefined(name: str, texts: int) -> Figure:
    """A figure that is not known."""
    return Figure(name, math.nan, math.nan, math.nan, texts)
