"""Sentences as parsers read them."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.models.parsers.base import MAX_TOKENS, sentences_of, too_long, words_of
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
def test_capitals_are_restored_where_there_are_none(typed: str, read: str) -> None:
    """Capitals are restored if a text has none or is all in capitals; other texts are unchanged."""
    (sentence,) = sentences_of(doc(typed))
    assert sentence.words == read.split()
    assert words_of(view(doc(typed))) == read.split()


@pytest.mark.parametrize("n", [MAX_TOKENS, MAX_TOKENS + 1])
def test_long_sentences_are_whole(n: int) -> None:
    """A long sentence is not split; the parser refuses it and names both numbers."""
    (sentence,) = sentences_of(doc("Cat " * n))
    assert (sentence.start, sentence.stop, len(sentence.words)) == (0, n, n)
    assert too_long(n) == f"a sentence of {n} tokens; the parser takes at most 200"
