"""GRUEN as a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.metrics.base import References
from naturalness.metrics.gruen.judges import Judges, shipped_judges
from naturalness.metrics.gruen.parts import WEIGHTS, GruenParts, gruen_parts
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import Doc


@dataclass(frozen=True)
class GruenMetric:
    """GRUEN, computed by the shipped judges or by others."""

    name: str
    judges: Judges | None = None
    """Judges to use instead of the shipped ones; None means the shipped ones."""
    description: str = (
        "likelihood and acceptability of the sentences (half their mean, half the worst), minus 0.1 for each pair "
        "of unrelated neighbours, for each test of redundancy that two sentences meet, and for each nat of order loss; "
        "0..1; Zhu & Bhat (2020), changed"
    )
    higher_is_better: bool = True
    needs_references: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """The name, the weights, the checksums of all models, and the version."""
        weights = ",".join(f"{name}={value:g}" for name, value in WEIGHTS.items())
        vectors = f"vectors:{pipeline_checksum()}"
        return f"{self.name}|{weights}|{self._judges.signature}|{vectors}|v:{__version__}"

    @property
    def _judges(self) -> Judges:
        return self.judges or shipped_judges()

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN for a text that has no words."""
        return np.array([parts.total for parts in self.parts(docs)], np.float64)

    def parts(self, docs: Sequence[Doc]) -> list[GruenParts]:
        """Return the parts of GRUEN for each Doc."""
        return gruen_parts(docs, self._judges)


GRUEN = GruenMetric("gruen-fast")
