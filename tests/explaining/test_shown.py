"""Texts divided into pieces at findings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.explanation import Finding
from naturalness.explaining.shown import Piece, pieces
from tests.support.explained import BAD, TEXT


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
