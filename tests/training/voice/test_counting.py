"""Names, candidates and spread by hand."""

from __future__ import annotations

import pytest

from naturalness.english.constructions import token_lines
from tests.support.piles import paragraphs
from training.voice.counting import candidates, count, names

TEXTS = ["We met Elara at noon. Elara smiled.", "They said that Elara left. It was late.", "He saw the late bus."]


def test_names_are_words_with_capitals_inside_sentences() -> None:
    """A capital at the beginning of a sentence says nothing."""
    lines = [token_lines(text) for text in TEXTS]
    excluded = names(paragraphs(TEXTS), lines)
    assert "elara" in excluded
    assert not {"they", "late", "said"} & excluded


def test_candidates_contain_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer items consist of frequent shorter ones; occurrences are counted per text."""
    monkeypatch.setattr("training.voice.counting.MIN_SHARE", 0.6)
    lines = [token_lines(text) for text in ["the late bus", "the late train", "a late, late bus"]]
    items = candidates(lines, {"the"})
    assert items == ["bus", "late", "late bus"]
    assert count(lines, items).toarray().tolist() == [[1, 1, 1], [0, 1, 0], [1, 2, 1]]
