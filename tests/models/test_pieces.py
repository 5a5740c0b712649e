"""Splitting words into pieces, and shapes of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.pieces import SHAPES, Pieces, shape

VOCABULARY = ["[UNK]", "do", "n", "##n", "'", "t", "un", "##do", "##able", "cafe", "-", "u", "##t"]


def cut(word: str) -> list[str]:
    """Return the pieces of a word."""
    return [VOCABULARY[i] for i in Pieces(VOCABULARY).of_word(word)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("undoable", ["un", "##do", "##able"]),
        ("UNDO", ["un", "##do"]),
        ("n't", ["n", "'", "t"]),
        ("n’t", ["n", "'", "t"]),
        ("Café", ["cafe"]),
        ("do-do", ["do", "-", "do"]),
        ("dox", ["[UNK]"]),
        ("\u200b", ["[UNK]"]),
        ("", ["[UNK]"]),
        ("do" * 60, ["[UNK]"]),
    ],
)
def test_the_longest_piece_comes_first(word: str, expected: list[str]) -> None:
    """Words are lower-cased, stripped of accents and split at marks; others are unknown."""
    assert cut(word) == expected


@given(st.text(max_size=20))
def test_every_word_has_a_piece(word: str) -> None:
    """Every word has a piece, and the result is cached."""
    pieces = Pieces(VOCABULARY)
    assert pieces.of_word(word)
    assert pieces.of_word(word) is pieces.of_word(word)


@pytest.mark.parametrize(
    ("word", "position", "name"),
    [
        ("cat", 0, "lower"),
        ("Cat", 0, "first"),
        ("Cat", 2, "title"),
        ("I", 1, "title"),
        ("NATO", 0, "upper"),
        ("iPhone", 1, "mixed"),
        ("3rd", 1, "lower"),
        ("3.5", 1, "digit"),
        (".", 1, "other"),
    ],
)
def test_shapes(word: str, position: int, name: str) -> None:
    """The shape describes case, digits and position."""
    assert SHAPES[shape(word, position)] == name
