"""The training of voice by hand: series, capitals, spread, and lines."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from naturalness.english.constructions import token_lines
from training.voice.counting import candidates, count, names, spread
from training.voice.texts import Paragraph, piece, series_of, without_copies

TEXTS = ["We met Elara at noon. Elara smiled.", "They said that Elara left. It was late.", "He saw the late bus."]


def paragraphs(texts: list[str]) -> list[Paragraph]:
    """Return paragraphs of one source."""
    return [Paragraph(text, False, "story", "", "a", "b", "c") for text in texts]


def test_versions_of_a_model_are_one_series() -> None:
    """They leave together."""
    assert series_of("gpt-4o-mini-2024-07-18") == series_of("chatgpt-4o-latest") == "gpt-4o"
    assert series_of("claude-opus-4") == series_of("claude-2.1") == "claude"
    assert series_of("gpt-4.1-nano") != series_of("gpt-4")
    assert series_of("dbrx-instruct") == "dbrx-instruct"


def test_names_are_words_with_capitals_inside_sentences() -> None:
    """A capital at the beginning of a sentence says nothing."""
    lines = [token_lines(text) for text in TEXTS]
    excluded = names(paragraphs(TEXTS), lines)
    assert "elara" in excluded
    assert not {"they", "late", "said"} & excluded


def test_candidates_contain_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer items consist of frequent shorter ones; occurrences are counted per text."""
    monkeypatch.setattr("training.voice.counting.MIN_TEXTS", 2)
    lines = [token_lines(text) for text in ["the late bus", "the late train", "a late, late bus"]]
    items = candidates(lines, {"the"})
    assert items == ["bus", "late", "late bus"]
    assert count(lines, items).toarray().tolist() == [[1, 1, 1], [0, 1, 0], [1, 2, 1]]


def test_spread() -> None:
    """An item in two texts of one unit is less spread than one in two units."""
    counts = csr_matrix(np.array([[1, 1], [1, 0], [0, 1], [0, 0]]))
    topic, phrase = spread(counts, ["a", "a", "b", "b"])
    assert topic < phrase


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
