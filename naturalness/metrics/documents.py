"""Metrics of a text by itself: what they share, and the simplest of them, length and damage."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.metrics.base import References
from naturalness.models.detector import Detected, detect, detector
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True)
class DocMetric:
    """A number from each Doc, whatever its references are."""

    name: str
    measure: Callable[[Sequence[Doc]], Sequence[float] | FloatArray]
    """Docs to one number each, NaN where it is undefined."""
    settings: str | Callable[[], str]
    """What the signature says of it; a function where an asset has to be looked up."""
    description: str
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """Name, settings and version."""
        settings = self.settings if isinstance(self.settings, str) else self.settings()
        return f"{self.name}|{settings}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN where it is undefined."""
        return np.array(self.measure(docs), dtype=np.float64)


def lengths(docs: Sequence[Doc]) -> list[float]:
    """Return the number of words of each Doc; NaN for an empty text, which is not short but missing."""
    return [float(len(view(doc).words)) if view(doc).lower else math.nan for doc in docs]


LENGTH = DocMetric(
    "length",
    lengths,
    "unit:word",
    "tokens with a letter or a digit; 0 or more, lower is better; the baseline",
    higher_is_better=False,
)
"""Says nothing of how a text reads, so that what cannot beat it measures length. Shorter counts as better, as most
raters have it."""


def soundness(detected: Detected) -> float:
    """Return the mean over sentences of the detector's logit of soundness: any number, higher is better."""
    return sum(part.soundness for part in detected.parts) / len(detected.parts)


def damaged_words(detected: Detected) -> float:
    """Return minus the number of damaged words to expect: 0 or less, higher is better."""
    return -float(detected.damage.sum())


def _of_detector(number: Callable[[Detected], float], docs: Sequence[Doc]) -> list[float]:
    return [number(detected) if detected.parts else math.nan for detected in detect(docs)]


def _detector_signature() -> str:
    return detector().signature


DAMAGE_METRICS = tuple(
    DocMetric(name, partial(_of_detector, number), _detector_signature, f"{formula}, higher is better; ours")
    for name, number, formula in (
        ("damage", soundness, "mean over sentences of the detector's logit of soundness; any"),
        ("damage-tokens", damaged_words, "minus the number of damaged words to expect; 0 or less"),
    )
)
