"""Splitting words into pieces, shapes of words, and vectors of pieces: four bits per value and a scale per block."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from naturalness.files.archive import SMALL, pack
from naturalness.models.pieces import (
    BLOCK,
    DESCRIPTION,
    NIBBLES,
    SCALES,
    SHAPES,
    SPECIAL,
    TABLE,
    Pieces,
    join_nibbles,
    open_vectors,
    shape,
    split,
)

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
def test_the_longest_piece_is_taken_first(word: str, expected: list[str]) -> None:
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


STORED = [*SPECIAL, "the", "cat"]
WHOLE = np.random.default_rng(0).integers(-8, 8, (len(STORED), 2, BLOCK)).astype(np.int8)
SIZES = np.linspace(0.01, 0.12, 2 * len(STORED), dtype=np.float32).reshape(-1, 2)


def write(folder: Path) -> Path:
    """Write the files of an asset."""
    (folder / TABLE).write_bytes(pack({NIBBLES: join_nibbles(WHOLE), SCALES: SIZES}, SMALL, deflated=False))
    about = {"format_version": 1, "vocabulary": STORED}
    (folder / DESCRIPTION).write_text(json.dumps(about), encoding="utf-8")
    return folder


def test_vectors_by_hand(tmp_path: Path) -> None:
    """A vector is its values times the scale of their block."""
    vectors = open_vectors(write(tmp_path))
    expected = np.concatenate([WHOLE[5, 0] * SIZES[5, 0], WHOLE[5, 1] * SIZES[5, 1]])
    np.testing.assert_array_equal(vectors.of([5])[0], expected)
    assert vectors.width == 2 * BLOCK
    assert vectors.of([[4, 5, 0], [1, 2, 3]]).shape == (2, 3, 2 * BLOCK)
    assert vectors.pieces.of_word("cat") == (5,)


@given(arrays(np.int8, (3, 8), elements=st.integers(-8, 7)))
def test_packing_and_unpacking_are_inverse(whole: np.ndarray) -> None:
    """A byte holds two values; 1 and -8 make 0x09."""
    np.testing.assert_array_equal(split(join_nibbles(whole)), whole)
    assert join_nibbles(np.array([1, -8], np.int8)).view(np.uint8).tolist() == [0x09]
