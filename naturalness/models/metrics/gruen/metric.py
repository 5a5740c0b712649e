"""GRUEN and its steps as metrics, and what lies beyond it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.models.metrics.base import FloatArray, References
from naturalness.models.metrics.gruen.beyond import lost_pronouns, paraphrases, repeats_within
from naturalness.models.metrics.gruen.judges import Judges, shipped_judges
from naturalness.models.metrics.gruen.parts import DEFAULT, Constants, Parts, gruen_parts
from naturalness.models.metrics.gruen.text import problem_of
from naturalness.parsing import pipeline_checksum, unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc

STEPS: Mapping[str, tuple[str, bool, str]] = {
    "gruen-g": ("", True, "likelihood and acceptability of the sentences"),
    "gruen-gu": ("u", True, "gruen-g less 0.1 for neighbours without relation"),
    "gruen-gru": ("ur", True, "gruen-gu less 0.1 for each test by which two sentences agree"),
    "gruen": ("urn", True, "gruen-gru less 0.1 for each nat by which the order surprises"),
    "gruen-fast": ("urn", False, "gruen with likelihood from the left, which is faster"),
}
"""What is taken off, whether likelihood is that of a masked model, what it is."""
BEYOND: Mapping[str, tuple[Callable[[Doc], int], str]] = {
    "repeats-within": (repeats_within, "phrases that come again in their own sentence"),
    "paraphrases": (paraphrases, "pairs of sentences that say the same in other words"),
    "lost-pronouns": (lost_pronouns, "he, she, they, where nothing before can be meant"),
}


@dataclass(frozen=True)
class GruenMetric:
    """Quality of a text without a reference."""

    name: str
    judges: Judges | None = None
    """Instead of the shipped networks."""
    constants: Constants = DEFAULT
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
        """Name, constants, checksums of all that has a part, version."""
        fitted = ",".join(f"{name}={value:g}" for name, value in self.constants._asdict().items())
        vectors = f"vectors:{pipeline_checksum()}"
        return f"{self.name}|{fitted}|{self._judges.signature}|{vectors}|v:{__version__}"

    @property
    def _judges(self) -> Judges:
        return self.judges or shipped_judges(masked=STEPS[self.name][1])

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for a text without words."""
        steps = STEPS[self.name][0]
        scores = [parts.sum_of(steps, self.constants) for parts in self.parts(docs)]
        return np.array(scores, np.float64)

    def parts(self, docs: Sequence[Doc]) -> list[Parts]:
        """All sub-scores of each Doc."""
        return gruen_parts(docs, self._judges)


@dataclass(frozen=True)
class BeyondMetric:
    """What GRUEN does not see: minus a tenth of what is counted, 0 or less."""

    name: str
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def description(self) -> str:
        """What is counted."""
        return f"-0.1 for each of {BEYOND[self.name][1]}; 0 or less; not in the paper"

    @property
    def signature(self) -> str:
        """Name, checksum of the pipeline, version."""
        return f"{self.name}|pipeline:{pipeline_checksum()}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for a text without words, or with too many sentences."""
        count = BEYOND[self.name][0]
        readable = [not unusable(doc) and not problem_of(doc) for doc in docs]
        pairs = zip(docs, readable, strict=True)
        return np.array([0.0 - 0.1 * count(doc) if can else np.nan for doc, can in pairs])


def is_masked(metric: GruenMetric) -> bool:
    """Whether likelihood is that of a masked model, which is slow."""
    return STEPS[metric.name][1]


GRUEN_METRICS = tuple(GruenMetric(name) for name in STEPS)
BEYOND_METRICS = tuple(BeyondMetric(name) for name in BEYOND)
