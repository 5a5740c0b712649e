"""Outputs of a shipped detector as features: damage to words, impression, and the predicted rating.

- ``damage``: how sound the sentences are, and how damaged the words are, by kind of damage;
- ``impression``: principal components of the last layer's vectors, as input for a learner. They carry information that
  the kinds of damage lack, such as how usual a phrase is. A single component means nothing; explanations assign all
  components to *overall soundness*;
- ``rating``: the output of a head trained on ratings of many kinds of texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import Feature, Requirement, numbered_table, read_table, stack
from naturalness.features.requirements import asset, package
from naturalness.models.detector import (
    ASSET,
    DIRECTIONS,
    DOUBTFUL,
    FAST_ASSET,
    Detected,
    Detector,
    detect,
    detector,
    rate,
)
from naturalness.models.pieces import ASSET as VECTORS
from naturalness.text.view import Doc

DAMAGE, IMPRESSION, RATING = "damage", "impression", "rating"
SUFFIXES: Mapping[str, str] = {"": ASSET, "_fast": FAST_ASSET}
"""The asset of each detector, keyed by the suffix of its groups' names."""
TRAINING: Mapping[str, str] = {
    "": "The detector was trained on damaged sentences and on human ratings.",
    "_fast": "The narrow detector was trained on damaged sentences and on a wide detector's output; "
    "ratings trained only its rating head, by way of the wide one.",
}
DESCRIPTIONS: Mapping[str, str] = {
    DAMAGE: "How damaged the words are, and how sound the sentences.",
    IMPRESSION: "Principal components of the detector's hidden states.",
    RATING: "The rating that the detector predicts.",
}


@dataclass(frozen=True)
class DetectorFeatures:
    """Features from one kind of output of a shipped detector."""

    kind: str
    suffix: str = ""

    @property
    def name(self) -> str:
        """The kind of output, followed by the detector's suffix."""
        return self.kind + self.suffix

    @property
    def description(self) -> str:
        """The first paragraph of the group's section in docs/features.md."""
        return f"{DESCRIPTIONS[self.kind]} {TRAINING[self.suffix]}"

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of this kind of output."""
        if self.kind == IMPRESSION:
            return numbered_table(self.kind, DIRECTIONS)
        return read_table(self.kind)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The pipeline, the detector, and the package that runs it."""
        name = SUFFIXES[self.suffix]
        vectors = (asset(VECTORS),) if name == FAST_ASSET else ()
        return (asset("pipeline"), asset(name), *vectors, package("onnxruntime"))

    def detector(self) -> Detector:
        """Return the detector, which is opened once per process."""
        return detector(SUFFIXES[self.suffix])

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return stack(MEASURES[self.kind](docs, self.detector()), len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it has no values although it has words; an empty string if it has values."""
        return [detected.problem for detected in detect(docs, self.detector())]

    def prepare(self) -> None:
        """Open the detector."""
        self.detector()


Rows = Iterable[Sequence[float] | FloatArray | None]


MEASURES: Mapping[str, Callable[[Sequence[Doc], Detector], Rows]] = {
    DAMAGE: lambda docs, judge: (_numbers(seen) if seen.parts else None for seen in detect(docs, judge)),
    IMPRESSION: lambda docs, judge: (
        judge.network.along(seen.states) if seen.parts else None for seen in detect(docs, judge)
    ),
    RATING: lambda docs, judge: ([rating] for rating in rate(docs, judge)),
}
"""Functions that compute the rows of Docs, keyed by kind of output."""


def _numbers(detected: Detected) -> list[float]:
    soundness = [part.soundness for part in detected.parts]
    sound, odds = detected.logs[:, 0], detected.log_odds
    return [
        sum(soundness) / len(soundness),
        min(soundness),
        float(sound.sum()),
        float(sound.mean()),
        float(odds.sum()),
        float(odds.mean()),
        float(odds.max()),
        float(detected.damage.sum()),
        float((detected.damage >= DOUBTFUL).mean()),
        *np.exp(detected.logs[:, 1:]).mean(axis=0).tolist(),
    ]
