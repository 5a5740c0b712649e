"""Spacing of words, and texts that are drawn again if they have the wrong number of tokens."""

from __future__ import annotations

import random

import pytest

from naturalness.errors import CorpusError
from naturalness.text.parsing import parse
from naturalness_replication.generating.drawing import Spacing, draw_texts

SPACED = [
    "He said \"yes\" to the well-known (old) man's dog, but didn't pay $5 or 7%.",
    "We won't go, he said.",
    "It is 20% off, the boys' room is not.",
]

WRITTEN = [
    (["he", "said", ",", '"', "no", '"', "."], 'He said, "no".'),
    (["they", "do", "n't", "pay", "$", "20", "."], "They don't pay $20."),
    (["new", "-", "old", "(", "cars", ")", "."], "New-old (cars)."),
    (["wo", "pay", "%", "or", "5", "%", "."], "Wo pay % or 5%."),
    (["boys", "'", "dogs", ",", "the", "end", "."], "Boys' dogs, the end."),
    (["unseen", ";", "words", ":", "ours", "."], "Unseen; words: ours."),
]


@pytest.mark.parametrize(("words", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_words_are_written_as_in_the_corpus(words: list[str], text: str) -> None:
    """Marks and clitics are spaced as in the corpus, and unknown pairs by rule."""
    docs = parse(SPACED)
    spacing = Spacing([(t.text, bool(t.whitespace_)) for t in doc] for doc in docs)
    assert spacing.text(words) == text


def test_a_text_with_other_tokens_is_drawn_again() -> None:
    """A text is drawn again until its tokens have the requested number; if none is found, the error says so."""

    def draw(rng: random.Random) -> str:
        return "a " * rng.randint(1, 9)

    def count(text: str) -> int:
        return text.count("a")

    texts = list(draw_texts(20, draw, key="k", length=4, count=count))
    assert set(texts) == {"a a a a "}
    with pytest.raises(CorpusError, match="found no text of 10 tokens in 1000 tries"):
        next(draw_texts(1, draw, key="k", length=10, count=count))
