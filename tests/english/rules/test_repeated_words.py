"""Repeated words: within one sentence, in time that grows with its length."""

from __future__ import annotations

import time

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.english.rules.pattern import Sentence
from naturalness.english.rules.repeated_words import repeated_word
from naturalness.text.view import view


def spans(words: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Where a word stands twice in a part of a text."""
    split = words.split()
    seen = view(Doc(spacy.blank("en").vocab, words=split))
    return [(f.start, f.end) for f in repeated_word(Sentence(seen, start, end or len(split)))]


def test_a_word_three_times_is_meant() -> None:
    """Two are a slip, three are not."""
    assert spans("it was the the end") == [(2, 4)]
    assert spans("it was the the the end") == []


def test_neighbouring_sentences_are_not_looked_at() -> None:
    """The same word behind the end, or before the beginning, changes nothing."""
    assert spans("give it to to to them", end=4) == [(2, 4)]
    assert spans("give it to to to them", start=3) == [(3, 5)]
    assert spans("what it is is a slip", start=1) == [(2, 4)]


def test_a_clause_may_end_with_the_verb() -> None:
    """*What it is is a slip*; not where the clause comes later."""
    assert spans("what it is is a slip") == []
    assert spans("it is is what we want") == [(1, 3)]


@pytest.mark.slow
def test_time_grows_with_length_not_with_its_square() -> None:
    """Eight times the words take about eight times as long."""

    def seconds(n: int) -> float:
        text = " ".join(["is is it"] * n)
        seen = view(Doc(spacy.blank("en").vocab, words=text.split()))
        started = time.process_time()
        assert len(list(repeated_word(Sentence(seen, 0, 3 * n)))) == n
        return time.process_time() - started

    assert min(seconds(8000) for _ in range(3)) < 24 * min(seconds(1000) for _ in range(3))
