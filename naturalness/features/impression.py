"""What a damage detector's last layer holds of a text: a few directions of its vectors, meant for a learner.

A detector names damage, and its layers know more than the names: how usual a phrase is, how a sentence holds
together. One direction by itself means nothing; in explanations all of them count towards *overall soundness*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, OPAQUE, TOKENS_ALONE, Feature
from naturalness.features.damage import detector_requirements
from naturalness.features.requirements import Requirement
from naturalness.models.detector import ASSET, DIRECTIONS, POOLINGS, detect, detector

if TYPE_CHECKING:
    from spacy.tokens import Doc

POOLED = dict(
    zip(POOLINGS, ("mean over tokens", "largest number of each column, in the mean over sentences,"), strict=True)
)
FEATURES = tuple(
    Feature(
        f"{pooling}{i}",
        f"the {POOLED[pooling]} of the detector's last vectors, less its mean over sentences of corpora, along "
        f"direction {i} of these by variance; in deviations along the first",
        "any",
        OPAQUE,
        "Jolliffe 2002",
        undefined="no words, or a text that cannot be judged",
        words=f"direction {i} of the impression ({pooling})",
    )
    for pooling in POOLINGS
    for i in range(DIRECTIONS)
)


@dataclass(frozen=True)
class ImpressionFeatures:
    """Directions of a shipped detector's vectors, chosen without any rating."""

    parsed: ClassVar = TOKENS_ALONE
    name: str = "impression"
    detector: str = ASSET
    """The asset."""
    features: tuple[Feature, ...] = field(default=FEATURES, repr=False)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The detector, and what runs it."""
        return detector_requirements(self.detector)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        judge = detector(self.detector)
        table = np.full((len(docs), len(self.features)), NAN)
        for row, detected in zip(table, detect(docs, judge), strict=True):
            if detected.parts:
                row[:] = judge.network.along(detected.states)
        return table

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [detected.problem for detected in detect(docs, detector(self.detector))]

    def prepare(self) -> None:
        """Open the detector."""
        detector(self.detector)
