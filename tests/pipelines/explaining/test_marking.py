"""Texts in pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.pipelines.explaining.explanation import Finding
from naturalness.pipelines.explaining.marking import Piece, pieces
from tests.explained import BAD, TEXT


def test_overlapping_findings_share_a_piece() -> None:
    """Each piece has all findings over it, the surest first; a gap is an empty piece."""
    wide = Finding(0, 5, "He go", "agreement", "agreement", "no", "rules", 0.2)
    found = pieces(TEXT, [*BAD.findings, wide])
    assert found == [
        Piece("He ", (3,)), Piece("go", (0, 3)), Piece(" to ", ()), Piece("", (2,)),
        Piece("school ", ()), Piece("語", (1,)), Piece(" yesterday.", ()),
    ]  # fmt: skip


@given(st.text(max_size=12), st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14))))
def test_pieces_are_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    """Whatever was found, also behind the end."""
    found = [Finding(min(a, b), max(a, b), "", "x", "verbs", "", "rules", 0.5) for a, b in spans]
    assert "".join(piece.text for piece in pieces(text, found)) == text
