"""Series of models, pieces of paragraphs, and copies."""

from __future__ import annotations

import random

from tests.support.piles import paragraphs
from training.voice.texts import piece, series_of, without_copies


def test_versions_of_a_model_are_one_series() -> None:
    """They leave together."""
    assert series_of("gpt-4o-mini-2024-07-18") == series_of("chatgpt-4o-latest") == "gpt-4o"
    assert series_of("claude-opus-4") == series_of("claude-2.1") == "claude"
    assert series_of("gpt-4.1-nano") != series_of("gpt-4")
    assert series_of("dbrx-instruct") == "dbrx-instruct"


def test_pieces_and_copies() -> None:
    """A piece consists of whole sentences; a long run of tokens in common is a copy."""
    text = "We walked down to the old harbour before dawn. The boats were gone by the time we got there, all of them."
    (paragraph,) = paragraphs([text])
    cut = piece(paragraph, random.Random(0))
    assert cut is not None
    assert cut.text in text
    assert cut.text.endswith(".")
    assert without_copies([paragraph], paragraphs([cut.text])) == []
    assert without_copies([paragraph], paragraphs(["Something else."])) == [paragraph]
