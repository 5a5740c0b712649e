"""GRUEN and its intermediate steps as metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.metrics.base import References
from naturalness.metrics.gruen.judges import Judges, shipped_judges
from naturalness.metrics.gruen.parts import DEFAULT, PLAIN, Constants, GruenParts, gruen_parts
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import Doc

SOURCE = "Zhu & Bhat (2020)"


class GruenStep(NamedTuple):
    """The settings of one metric of the GRUEN family."""

    penalties: str
    """The letters of the penalties that are subtracted: ``u`` (focus), ``r`` (redundancy), ``n`` (coherence)."""
    description: str
    masked: bool = True
    """Whether likelihood is computed given the words on both sides, which is slow."""
    alone: bool = False
    """Whether words are masked one at a time, which is even slower; their likelihoods then ignore word frequency."""
    constants: Constants = DEFAULT
    source: str = f"{SOURCE}, changed"


STEPS: Mapping[str, GruenStep] = {
    "gruen-g": GruenStep("", "likelihood and acceptability of the sentences, half their mean, half the worst"),
    "gruen-gu": GruenStep("u", "gruen-g less 0.1 for neighbours without relation"),
    "gruen-gru": GruenStep("ur", "gruen-gu less 0.1 for each test by which two sentences agree"),
    "gruen": GruenStep("urn", "gruen-gru less 0.1 for each nat by which the order surprises"),
    "gruen-fast": GruenStep("urn", "gruen with likelihood from the left, which is faster", masked=False),
    "gruen-sum": GruenStep(
        "urn",
        "mean over sentences of p(word | all others) and acceptability, less 0.1 for each "
        "violation and 1 for each nat by which the order surprises; slow",
        alone=True,
        constants=PLAIN,
        source=f"{SOURCE}, its sum over other networks",
    ),
}


@dataclass(frozen=True)
class GruenMetric:
    """GRUEN, or a variant that leaves out some of its steps."""

    name: str
    judges: Judges | None = None
    """Judges to use instead of the shipped ones; None means the shipped ones."""
    higher_is_better: bool = True
    needs_references: bool = False
    package: str = ""

    @property
    def description(self) -> str:
        """The formula, range and source."""
        step = STEPS[self.name]
        return f"{step.description}; 0..1; {step.source}"

    @property
    def signature(self) -> str:
        """The name, the constants, the checksums of all models, and the version."""
        fitted = ",".join(f"{name}={value:g}" for name, value in STEPS[self.name].constants._asdict().items())
        vectors = f"vectors:{pipeline_checksum()}"
        return f"{self.name}|{fitted}|{self._judges.signature}|{vectors}|v:{__version__}"

    @property
    def _judges(self) -> Judges:
        step = STEPS[self.name]
        return self.judges or shipped_judges(masked=step.masked, alone=step.alone)

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN for a text that has no words."""
        step = STEPS[self.name]
        scores = [parts.sum_of(step.penalties, step.constants) for parts in self.parts(docs)]
        return np.array(scores, np.float64)

    def parts(self, docs: Sequence[Doc]) -> list[GruenParts]:
        """Return the parts of GRUEN for each Doc."""
        return gruen_parts(docs, self._judges)


def is_masked(metric: GruenMetric) -> bool:
    """Return whether likelihood comes from a masked model, which is slow."""
    return STEPS[metric.name].masked


GRUEN_METRICS = tuple(map(GruenMetric, STEPS))
