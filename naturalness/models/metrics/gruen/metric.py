"""GRUEN and its steps as metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.models.detector import detector
from naturalness.models.language.shipped import neural
from naturalness.models.metrics.base import FloatArray, References
from naturalness.models.metrics.gruen.coherence import order_head
from naturalness.models.metrics.gruen.grammaticality import Reading
from naturalness.models.metrics.gruen.parts import ASSET, gruen_parts
from naturalness.parsing import pipeline_checksum
from naturalness.resources import load_manifest

if TYPE_CHECKING:
    from spacy.tokens import Doc

STEPS: Mapping[str, tuple[str, Reading, str]] = {
    "gruen-g": ("", "masked", "likelihood and acceptability of the sentences"),
    "gruen-gu": ("u", "masked", "gruen-g less 0.1 for neighbours without relation"),
    "gruen-gru": ("ur", "masked", "gruen-gu less 0.1 for each test by which two sentences agree"),
    "gruen": ("urn", "masked", "gruen-gru less 0.1 for each nat by which the order surprises"),
    "gruen-fast": ("urn", "causal", "gruen with likelihood from the left, which is faster"),
}
"""What is taken off, how likelihood is read, what it is."""


@dataclass(frozen=True)
class GruenMetric:
    """Quality of a text without a reference."""

    name: str
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def description(self) -> str:
        """Formula, range and source."""
        return f"{STEPS[self.name][2]}; 0..1; Zhu & Bhat (2020)"

    @property
    def signature(self) -> str:
        """Name, checksums of all that has a part, version."""
        steps, reading, _ = STEPS[self.name]
        parts = [f"lm:{neural().signature}", detector().signature, load_manifest()[ASSET].checksum]
        if "u" in steps:
            parts.append(f"vectors:{pipeline_checksum()}")
        if "n" in steps:
            parts.append(order_head().signature)
        return f"{self.name}|{reading}|{'|'.join(parts)}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for a text without words."""
        steps, reading, _ = STEPS[self.name]
        return np.array([parts.sum_of(steps) for parts in gruen_parts(docs, reading)], np.float64)


GRUEN_METRICS = tuple(GruenMetric(name) for name in STEPS)
