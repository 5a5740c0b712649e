"""Texts in pieces, and marks on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.annotate.pages.views import checked_marks, pieces


@given(st.text())
def test_nothing_of_a_text_is_lost(text: str) -> None:
    """The pieces make up the text, and each word stands where it says."""
    found = pieces(text)
    assert "".join(piece[0] for piece in found) == text
    for piece in found:
        if len(piece) == 3:
            assert text[piece[1] : piece[2]] == piece[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("She don't know.", ["She", "don't", "know", "."]),
        ("A well-known “fact”!", ["A", "well-known", "“", "fact", "”!"]),
        ("", []),
        ("😀 née", ["😀", "née"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    """Apostrophes and hyphens stay inside words; other signs are words of their own."""
    assert [piece[0] for piece in pieces(text) if len(piece) == 3] == words


def test_marks_are_sorted_and_inside_the_text() -> None:
    """None stands twice."""
    assert checked_marks([[4, 6], [0, 2], [4, 6]], "abcdef") == ((0, 2), (4, 6))


@pytest.mark.parametrize("mark", [[-1, 2], [2, 2], [3, 1], [0, 7], [1], [1, 2, 3]])
def test_marks_that_are_none(mark: list[int]) -> None:
    """They are refused."""
    with pytest.raises(ValueError):
        checked_marks([mark], "abcdef")
