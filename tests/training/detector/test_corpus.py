"""Corpus text with noise: passages end with their document, noise takes pieces of the texts."""

from __future__ import annotations

import random

from training.detector.corpus import REGISTERS, text


def test_a_passage_ends_with_its_document() -> None:
    """Sentences and passages of one document, never of two."""
    lines = [["a one", "a two", "", "b one", ""] for _ in REGISTERS]
    rng = random.Random(0)
    texts = {text(lines, rng) for _ in range(500)}
    assert texts == {"", "a one", "a two", "b one", "a one a two"}
