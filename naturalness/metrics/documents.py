"""Metrics that need no references: length, damage and voice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from naturalness.files.resources import load_manifest
from naturalness.metrics.base import ComputedMetric
from naturalness.models.detector import Detected, detect, detector
from naturalness.models.voice import ASSET, voice
from naturalness.text.view import Doc, view


def lengths(docs: Sequence[Doc]) -> list[float]:
    """Return the number of words in each Doc; NaN for an empty text, which counts as missing rather than short."""
    return [float(len(view(doc).words)) if view(doc).lower else math.nan for doc in docs]


LENGTH = ComputedMetric(
    "length",
    lengths,
    "unit:word",
    "tokens with a letter or a digit; 0 or more, lower is better; the baseline",
    higher_is_better=False,
)
"""Text length as a baseline: a metric that does not beat it measures little more than length. Shorter is better,
because most raters prefer shorter texts."""


def soundness(detected: Detected) -> float:
    """Return the detector's logit that a sentence is sound, averaged over the sentences; higher is better."""
    return sum(part.soundness for part in detected.parts) / len(detected.parts)


def damaged_words(detected: Detected) -> float:
    """Return the negated expected number of damaged words: at most 0, higher is better."""
    return -float(detected.damage.sum())


def _of_detector(number: Callable[[Detected], float], docs: Sequence[Doc]) -> list[float]:
    return [number(detected) if detected.parts else math.nan for detected in detect(docs)]


def _detector_signature() -> str:
    return detector().signature


DAMAGE_METRICS = tuple(
    ComputedMetric(name, partial(_of_detector, number), _detector_signature, f"{formula}, higher is better; ours")
    for name, number, formula in (
        ("damage", soundness, "mean over sentences of the detector's logit of soundness; any"),
        ("damage-tokens", damaged_words, "minus the number of damaged words to expect; 0 or less"),
    )
)


def voices(docs: Sequence[Doc]) -> list[float]:
    """Return the voice of each Doc; NaN for fewer than ten words."""
    return [voice().score(doc.text) for doc in docs]


def _voice_signature() -> str:
    return f"table:{load_manifest()[ASSET].checksum}"


VOICE = ComputedMetric(
    "voice",
    voices,
    _voice_signature,
    "phrased as careful people do (1) rather than as chat models do (0), higher is better; undefined for fewer than 10 "
    "words; ours",
)
