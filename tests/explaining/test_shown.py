"""Texts cut at findings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.explanation import Finding
from naturalness.explaining.shown import Piece, pieces
from tests.support.explained import BAD, TEXT
from tests.support.system_reports import finding


def test_overlapping_findings_share_a_piece() -> None:
    """Each piece lists the findings over it, the most certain first; a gap is an empty piece."""
    wide = Finding(0, 5, "He go", "agreement", "agreement", "no", "rules", 0.2)
    verb, word, gap = BAD.findings
    parts = pieces(TEXT, [*BAD.findings, wide])
    assert parts == [
        Piece("He ", (wide,)),
        Piece("go", (verb, wide)),
        Piece(" to "),
        Piece("", (gap,)),
        Piece("school "),
        Piece("語", (word,)),
        Piece(" yesterday."),
    ]


@given(st.text(max_size=12), st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14))))
def test_pieces_are_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    """The pieces add up to the text, also for findings past its end."""
    findings = [Finding(min(a, b), max(a, b), "", "x", "verbs", "", "rules", 0.5) for a, b in spans]
    assert "".join(piece.text for piece in pieces(text, findings)) == text


def test_the_surer_finding_is_marked() -> None:
    """The most certain of overlapping findings is marked."""
    text = "They runs <b>home</b> now"
    findings = [finding(text, "runs <b>", weight=0.3), finding(text, "runs", weight=0.9), finding(text, "now")]
    cut = pieces(text, findings)
    assert "".join(one.text for one in cut) == text
    assert [(one.text, one.sure) for one in cut if one.finding] == [("runs", True), (" <b>", False), ("now", True)]


def test_gaps() -> None:
    """A missing word is a place between characters, also at the end."""
    one = Finding(3, 3, "", "missing", "missing", "a word is missing", "detector", 0.8)
    end = Finding(5, 5, "", "missing", "missing", "a word is missing", "detector", 0.8)
    cut = pieces("I am.", [one, end])
    assert [(piece.text, piece.gap) for piece in cut] == [("I a", False), ("", True), ("m.", False), ("", True)]


def test_texts_without_findings() -> None:
    """A text is one piece, an empty text none; places outside are dropped."""
    assert [one.text for one in pieces("Fine.", [])] == ["Fine."]
    assert pieces("", []) == []
    stray = Finding(3, 99, "?", "verb", "verbs", "", "rules", 0.9)
    assert [one.finding for one in pieces("Fine.", [stray])] == [None]
