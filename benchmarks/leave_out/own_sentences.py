"""Sentences of our own, written for this measurement, that a model of form may judge wrongly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from training.tables import read_table

_SENTENCES = read_table(__file__, "own_sentences.toml")
GOOD: Mapping[str, Sequence[str]] = _SENTENCES["good"]
"""Natural texts by kind."""
PAIRS: Mapping[str, Sequence[Sequence[str]]] = _SENTENCES["pairs"]
"""A sound text and the same with one fault, by fault."""


def every() -> list[str]:
    """Return all texts in order."""
    natural = [text for texts in GOOD.values() for text in texts]
    return natural + [text for pairs in PAIRS.values() for pair in pairs for text in pair]
