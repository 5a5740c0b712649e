"""Corpus text with noise: passages end with their document, noise takes pieces of the texts."""

from __future__ import annotations

import random
from collections import Counter

from training.detector.corpus import REGISTERS, Noise, text


def test_a_passage_ends_with_its_document() -> None:
    """Sentences and passages of one document, never of two."""
    lines = [["a one", "a two", "", "b one", ""] for _ in REGISTERS]
    rng = random.Random(0)
    texts = {text(lines, rng) for _ in range(500)}
    assert texts == {"", "a one", "a two", "b one", "a one a two"}


def test_some_texts_stay_and_others_change_a_little() -> None:
    """Two texts in five or so, and noise draws from the texts alone."""
    rng = random.Random(0)
    texts = [[rng.randrange(50) for _ in range(rng.randint(3, 40))] for _ in range(400)]
    noise = Noise.of(texts)
    noisy = [noise.added(ids, rng) for ids in texts]
    same = sum(a == b for a, b in zip(texts, noisy, strict=True)) / len(texts)
    assert 0.25 < same < 0.6
    assert all(abs(len(a) - len(b)) <= 3 for a, b in zip(texts, noisy, strict=True) if len(a) < 9)
    kept = [sum((Counter(a) & Counter(b)).values()) / len(a) for a, b in zip(texts, noisy, strict=True)]
    assert sum(kept) / len(kept) > 0.85
    assert {piece for ids in noisy for piece in ids} <= set(range(50))
