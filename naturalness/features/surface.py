"""Lengths of the text, of its sentences and of its words."""

from __future__ import annotations

import math

from naturalness.features.base import NAN, MeasuredGroup, ratio
from naturalness.text.parsing import source_of
from naturalness.text.view import Doc, view


def measure(doc: Doc) -> tuple[float, ...]:
    """Return the values of a Doc in the order of ``tables/surface.csv``."""
    seen = view(doc)
    n_tokens, n_words = len(seen.lower), len(seen.words)
    punctuation = ratio(n_tokens - n_words, n_tokens)
    if not n_words:
        return (len(source_of(doc).text), 0, NAN, NAN, NAN, NAN, NAN, punctuation)
    lengths = [len(seen.lower[i]) for i in seen.words]
    average = sum(lengths) / n_words
    spread = math.sqrt(sum((length - average) ** 2 for length in lengths) / n_words)
    per_sentence = [len(words) for words in seen.sentence_words]
    return (
        len(source_of(doc).text),
        len(per_sentence),
        n_words / len(per_sentence),
        max(per_sentence),
        average,
        spread,
        max(lengths),
        punctuation,
    )


SURFACE = MeasuredGroup("surface", "Lengths of the normalised text; a word's length is in characters.", measure)
