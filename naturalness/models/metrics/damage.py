"""What the damage detector says of a text, as metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.models.detector import Detected, detect, detector
from naturalness.models.metrics.base import References

if TYPE_CHECKING:
    from spacy.tokens import Doc


def _soundness(found: Detected) -> float:
    return sum(part.soundness for part in found.parts) / len(found.parts)


def _tokens(found: Detected) -> float:
    return -float(found.damage.sum())


PARTS: Mapping[str, tuple[Callable[[Detected], float], str]] = {
    "damage": (_soundness, "mean over sentences of the detector's logit of soundness; any"),
    "damage-tokens": (_tokens, "minus the number of damaged words to expect; 0 or less"),
}


@dataclass(frozen=True)
class DamageMetric:
    """A number of the detector; higher is better, though the name says what it looks for."""

    name: str
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def description(self) -> str:
        """Formula, range and source."""
        return f"{PARTS[self.name][1]}, higher is better; ours"

    @property
    def signature(self) -> str:
        """Name, checksum of the detector and version."""
        return f"{self.name}|{detector().signature}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for a text without words."""
        number = PARTS[self.name][0]
        return np.array([number(found) if found.parts else np.nan for found in detect(docs)], dtype=np.float64)


DAMAGE_METRICS = tuple(DamageMetric(name) for name in PARTS)
