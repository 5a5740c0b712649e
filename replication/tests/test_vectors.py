"""The group of the vectors of a text's first words."""

from __future__ import annotations

import numpy as np

from naturalness.features import column_names
from naturalness.models.vectors import WIDTH, vector_of
from naturalness.text.parsing import parse
from naturalness_replication.vectors import VectorFeatures

TEXTS = ["The dog slept.", "the DOG", "", "It rained all day, and the streets were empty."]


def test_words_fill_the_columns_in_order() -> None:
    """Words in lower case and marks fill the columns in order; the rest is undefined, and long texts are cut."""
    group = VectorFeatures(4)
    assert column_names([group])[WIDTH] == "vectors_4__w1_0"
    table = group.extract(parse(TEXTS)).reshape(4, 4, WIDTH)
    there = ~np.isnan(table).any(axis=2)
    assert there.sum(axis=1).tolist() == [4, 2, 0, 4]
    for position, word in enumerate(["the", "dog", "slept", "."]):
        np.testing.assert_array_equal(table[0, position], vector_of(word))
    np.testing.assert_array_equal(table[1, :2], table[0, :2])
    np.testing.assert_allclose(np.linalg.norm(table[there], axis=1), 1.0)
