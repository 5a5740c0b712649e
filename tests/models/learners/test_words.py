"""Tables of vectors made ready, and read word by word."""

from __future__ import annotations

import numpy as np

from naturalness.models.learners.words import prepare_words, words_of
from naturalness.models.vectors import WIDTH


def test_words_come_back_in_their_order() -> None:
    """Places without a word are left out, also between others; a text of none has one of zeros."""
    table = np.full((3, 3, WIDTH), np.nan)
    table[0, 0], table[0, 1], table[1, 1] = 0.1, -0.1, 0.2
    prepared = prepare_words(3 * WIDTH)
    rows = prepared.apply(table.reshape(3, -1))
    assert rows.shape == (3, 3 * (WIDTH + 1))
    assert rows[:, -3:].tolist() == [[0, 0, 1], [1, 0, 1], [1, 1, 1]]
    found = words_of(rows, WIDTH)
    assert [len(words) for words in found] == [2, 1, 1]
    scale = np.sqrt(WIDTH)
    np.testing.assert_allclose(found[0][:, 0], [0.1 * scale, -0.1 * scale])
    np.testing.assert_allclose(found[1][0], 0.2 * scale)
    assert not found[2].any()
