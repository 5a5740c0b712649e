"""Sentences for tests of damage, each written in a line."""

from __future__ import annotations

from training.detector.drafts import Sentence, Word


def sentence(text: str) -> Sentence:
    """Build a sentence from words written ``text/tag/dep/head``."""
    rows = [token.split("/") for token in text.split()]
    return tuple(Word(w, tag, dep, int(head), i) for i, (w, tag, dep, head) in enumerate(rows))
