"""Measure how case, full stops and spaces change the score of the same held-out sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import spearman

EVERY = 4
"""The step between the held-out sentences used."""
AS_IT_IS = "as it is"


def _apart(text: str) -> str:
    """Put spaces around punctuation, as in tokenised text."""
    return " ".join(re.sub(r"(n't\b|'(?:s|re|ve|ll|d|m)\b|[^\w\s'])", r" \1 ", text).split())


def _unstopped(text: str) -> str:
    return text.rstrip(" .!?\"'”’)")


TYPINGS: Mapping[str, Callable[[str], str]] = {
    AS_IT_IS: str,
    "in lower case": str.lower,
    "in capitals": str.upper,
    "without the last stop": _unstopped,
    "in lower case, without the last stop": lambda text: _unstopped(text.lower()),
    "in lower case, marks apart": lambda text: _apart(text.lower()),
    "Each Word With A Capital": lambda text: " ".join(w[:1].upper() + w[1:] for w in text.split()),
}


def typed(sentences: Sequence[str]) -> list[str]:
    """Return every variant of every `EVERY`-th sentence, variant by variant."""
    chosen = sentences[::EVERY]
    return [change(text) for change in TYPINGS.values() for text in chosen]


def figures_of(scores: FloatArray) -> dict[str, dict[str, Any]]:
    """Return by variant mean score, share that falls by more than .05, and correlation with the original."""
    rows = scores.reshape(len(TYPINGS), -1)
    return {
        name: {
            "texts": len(row),
            "mean score": round(float(row.mean()), 3),
            "falls by more than .05": round(float((row < rows[0] - 0.05).mean()), 3),
            "Spearman with the plain": round(float(spearman(row, rows[0])), 3),
        }
        for name, row in zip(TYPINGS, rows, strict=True)
    }
