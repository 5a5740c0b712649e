"""Number of words: says nothing of how a text reads, so what cannot beat it measures length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.models.metrics.base import References
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True)
class LengthMetric:
    """Tokens with a letter or a digit; shorter counts as better, as most raters have it."""

    name: str = "length"
    description: str = "tokens with a letter or a digit; 0 or more, lower is better; the baseline"
    higher_is_better: bool = False
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """Name and version."""
        return f"{self.name}|unit:word|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Words of each Doc; NaN for an empty text, which is not short but missing."""
        return np.array([_words(doc) for doc in docs], dtype=np.float64)


def _words(doc: Doc) -> float:
    seen = view(doc)
    return float(len(seen.words)) if seen.lower else float("nan")
