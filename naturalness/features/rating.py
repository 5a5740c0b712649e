"""How people would rate a text: a head that learned from ratings of many kinds of texts, on a detector's network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import TOKENS_ALONE, Feature
from naturalness.features.damage import detector_requirements
from naturalness.features.requirements import Requirement
from naturalness.models.detector import ASSET, detect, detector, rate

if TYPE_CHECKING:
    from spacy.tokens import Doc

FEATURES = (
    Feature(
        "predicted",
        "rating that a network predicts; sentences are read together; in deviations over sentences of learners and "
        "linguists",
        "any",
        "rated higher",
        undefined="no words, or a text that cannot be judged",
        words="how people rate texts like it",
    ),
)


@dataclass(frozen=True)
class RatingFeatures:
    """The rating head of a shipped detector."""

    parsed: ClassVar = TOKENS_ALONE
    name: str = "rating"
    detector: str = ASSET
    """The asset."""
    features: tuple[Feature, ...] = FEATURES

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The detector, and what runs it."""
        return detector_requirements(self.detector)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return np.array(rate(docs, detector(self.detector)), np.float64).reshape(len(docs), 1)

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [detected.problem for detected in detect(docs, detector(self.detector))]

    def prepare(self) -> None:
        """Open the detector."""
        detector(self.detector)
