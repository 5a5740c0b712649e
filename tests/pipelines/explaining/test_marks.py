"""Texts cut at findings."""

from __future__ import annotations

from naturalness.pipelines.explaining.explanation import Finding
from naturalness.pipelines.explaining.marks import pieces
from tests.pipelines.reporting_systems.made import finding


def test_pieces_are_the_text() -> None:
    """Whatever overlaps; the surer finding is marked."""
    text = "They runs <b>home</b> now"
    found = [finding(text, "runs <b>", weight=0.3), finding(text, "runs", weight=0.9),
             finding(text, "now")]  # fmt: skip
    cut = pieces(text, found)
    assert "".join(one.text for one in cut) == text
    assert [(one.text, one.sure) for one in cut if one.finding] == [
        ("runs", True), (" <b>", False), ("now", True)
    ]  # fmt: skip


def test_gaps() -> None:
    """Something missing is a place between characters, at the end too."""
    one = Finding(3, 3, "", "missing", "missing", "a word is missing", "detector", 0.8)
    end = Finding(5, 5, "", "missing", "missing", "a word is missing", "detector", 0.8)
    cut = pieces("I am.", [one, end])
    assert [(piece.text, piece.gap) for piece in cut] == [
        ("I a", False), ("", True), ("m.", False), ("", True)
    ]  # fmt: skip


def test_texts_without_findings() -> None:
    """One piece, or none of an empty text; places outside are left out."""
    assert [one.text for one in pieces("Fine.", [])] == ["Fine."]
    assert pieces("", []) == []
    stray = Finding(3, 99, "?", "verb", "verbs", "", "rules", 0.9)
    assert [one.finding for one in pieces("Fine.", [stray])] == [None]
