"""Word vectors: the shipped pipeline's sub-word vectors, minus their mean."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import load_wordlist
from naturalness.text.parsing import load_tokeniser

WIDTH = 80
"""Number of dimensions of a vector."""
SAMPLE = 2000
"""Approximate number of words, sampled from the word list, whose mean vector is subtracted from all vectors."""
MIN_LENGTH = 1e-9


@lru_cache(maxsize=1 << 16)
def vector_of(word: str) -> FloatArray | None:
    """Return the unit vector of a lower-case word; None if the word has no vector."""
    raw = _raw(word)
    if not raw.any():
        return None
    centred = raw - _middle()
    length = float(np.linalg.norm(centred))
    return centred / length if length > MIN_LENGTH else None


def _raw(word: str) -> FloatArray:
    return np.asarray(load_tokeniser().vocab.get_vector(word), np.float64)


@cache
def _middle() -> FloatArray:
    """Return the mean vector of the sample; if it were not subtracted, all words would seem related."""
    words = list(load_wordlist().counts)
    mean: FloatArray = np.mean([_raw(word) for word in words[:: max(1, len(words) // SAMPLE)]], axis=0)
    return mean
