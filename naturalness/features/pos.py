"""The share of tokens that have each universal part of speech."""

from __future__ import annotations

from naturalness.features.base import MeasuredGroup, ratio
from naturalness.text.view import Doc, view

UPOS = (
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
)


def measure(doc: Doc) -> list[float]:
    """Return the values of a Doc, in the order of `UPOS`."""
    pos = view(doc).pos
    return [ratio(pos.count(tag), len(pos)) for tag in UPOS]


POS = MeasuredGroup(
    "pos", "One share per part of speech; the shares add up to 1 if every token has a part of speech.", measure
)
