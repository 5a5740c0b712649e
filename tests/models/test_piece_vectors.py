"""Vectors of word pieces: four bits per value and a scale per block."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from naturalness.files.archive import SMALL, pack
from naturalness.models.piece_vectors import BLOCK, DESCRIPTION, NIBBLES, SCALES, TABLE, joined, open_vectors, split
from naturalness.models.pieces import SPECIAL

VOCABULARY = [*SPECIAL, "the", "cat"]
WHOLE = np.random.default_rng(0).integers(-8, 8, (len(VOCABULARY), 2, BLOCK)).astype(np.int8)
SIZES = np.linspace(0.01, 0.12, 2 * len(VOCABULARY), dtype=np.float32).reshape(-1, 2)


def write(folder: Path) -> Path:
    """Write the files of an asset."""
    (folder / TABLE).write_bytes(pack({NIBBLES: joined(WHOLE), SCALES: SIZES}, SMALL, deflated=False))
    about = {"format_version": 1, "vocabulary": VOCABULARY}
    (folder / DESCRIPTION).write_text(json.dumps(about), encoding="utf-8")
    return folder


def test_a_vector_is_its_numbers_times_the_scale_of_their_block(tmp_path: Path) -> None:
    """Vectors of one piece, and of rows of pieces."""
    vectors = open_vectors(write(tmp_path))
    expected = np.concatenate([WHOLE[5, 0] * SIZES[5, 0], WHOLE[5, 1] * SIZES[5, 1]])
    np.testing.assert_array_equal(vectors.of([5])[0], expected)
    assert vectors.width == 2 * BLOCK
    assert vectors.of([[4, 5, 0], [1, 2, 3]]).shape == (2, 3, 2 * BLOCK)
    assert vectors.pieces.of_word("cat") == (5,)


@given(arrays(np.int8, (3, 8), elements=st.integers(-8, 7)))
def test_two_numbers_in_a_byte_come_apart_again(whole: np.ndarray) -> None:
    """Packing and unpacking are inverse; by hand, 1 and -8 are the byte 0x09."""
    np.testing.assert_array_equal(split(joined(whole)), whole)
    assert joined(np.array([1, -8], np.int8)).view(np.uint8).tolist() == [0x09]
