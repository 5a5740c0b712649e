"""Words cut into pieces, and how they look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.pieces import SHAPES, Pieces, shape

VOCABULARY = ["[UNK]", "do", "n", "##n", "'", "t", "un", "##do", "##able", "cafe", "-", "u", "##t"]


def cut(word: str) -> list[str]:
    """The pieces themselves."""
    return [VOCABULARY[i] for i in Pieces.of(VOCABULARY).of_word(word)]


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
    """Lower case, no accents, marks apart; what cannot be spelled is unknown."""
    assert cut(word) == expected


@given(st.text(max_size=20))
def test_every_word_has_a_piece(word: str) -> None:
    """And the same ones when asked again."""
    pieces = Pieces.of(VOCABULARY)
    assert pieces.of_word(word)
    assert pieces.of_word(word) is pieces.of_word(word)


def test_what_is_remembered_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word of more than 64 characters, and not more than so many words."""
    pieces = Pieces.of(VOCABULARY)
    long = "do" * 32
    assert pieces.of_word(long) == pieces.of_word(long + "-")[:-1]
    assert list(pieces.cut) == [long]
    monkeypatch.setattr("naturalness.models.pieces.WORDS_REMEMBERED", 3)
    for n in range(10):
        pieces.of_word("do" * n)
        assert len(pieces.cut) <= 3


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
    """How a word is written."""
    assert SHAPES[shape(word, position)] == name
