"""Pseudo-log-likelihood: each piece foretold from all the others, no references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.models.metrics.base import References

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.models.language.base import PseudoModel


@dataclass(frozen=True)
class PseudoMetric:
    """Mean per piece of the shipped network, or of another model that reads both ways."""

    name: str = "pll"
    model: PseudoModel | None = None
    """None: the shipped one."""
    description: str = (
        "mean over pieces of ln p(piece | all other words and earlier pieces of its own); at most "
        "0; slow; Kauf & Ivanova (2023)"
    )
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """Name, model and version."""
        return f"{self.name}|lm:{self._opened().signature}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for a Doc without words."""
        found = self._opened().pseudo(docs)
        return np.array([logs.mean() if len(logs) else np.nan for logs in found], np.float64)

    def _opened(self) -> PseudoModel:
        if self.model is not None:
            return self.model
        from naturalness.models.language import shipped

        return shipped.neural()
