"""Preparation of sentences for parsers."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.models.parsers.base import sentences_of, words_of
from naturalness.text.view import view

VOCAB = spacy.blank("en").vocab


def doc(*sentences: str) -> Doc:
    """Return a Doc of words separated by spaces."""
    words = [sentence.split() for sentence in sentences]
    starts = [i == 0 for sentence in words for i in range(len(sentence))]
    return Doc(VOCAB, words=[w for sentence in words for w in sentence], sent_starts=starts)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("we met anna in paris on monday .", "We met Anna in Paris on Monday ."),
        ("WE MET ANNA IN PARIS ON MONDAY .", "We met Anna in Paris on Monday ."),
        ("we met Anna in paris .", "we met Anna in paris ."),
        ("( we met )", "( We met )"),
    ],
)
def test_capitals_are_restored_if_a_text_has_none(typed: str, read: str) -> None:
    """Capitals are restored if a text has none or is all in capitals; other texts are unchanged."""
    (sentence,) = sentences_of(doc(typed))
    assert sentence.words == read.split()
    assert words_of(view(doc(typed))) == read.split()
