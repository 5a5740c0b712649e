"""Words and word pairs counted in hashed columns, `words:N`."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from naturalness.errors import NaturalnessError
from naturalness.features import column_names, resolve
from naturalness.features.named import is_named_group
from naturalness.features.words import _column
from naturalness.text.parsing import parse

TEXTS = ["The dog slept.", "the DOG  slept .", "", "It rained, and the dog slept and slept."]
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")
WIDTH = 64


def test_a_word_counts_in_the_same_column_on_every_machine() -> None:
    """Column and sign come from the first 8 bytes of BLAKE2b."""
    columns = [_column(word, WIDTH) for word in ("the", "dog", "the dog")]
    assert columns == [(47, -1), (28, 1), (23, 1)]


def test_counts_are_those_of_words_and_pairs() -> None:
    """Words in lower case and marks count; an empty text counts nothing; rows have length 1."""
    (group,) = resolve([f"words:{WIDTH}"])
    assert is_named_group(group)
    assert column_names([group])[-1] == f"words_{WIDTH}__h{WIDTH - 1}"
    table = group.extract(parse(TEXTS))
    words = ["the", "dog", "slept", "."]
    counts = np.zeros(WIDTH)
    for phrase in [*words, *(" ".join(pair) for pair in pairwise(words))]:
        column, sign = _column(phrase, WIDTH)
        counts[column] += sign
    np.testing.assert_allclose(table[0], counts / np.linalg.norm(counts), rtol=1e-12)
    np.testing.assert_array_equal(table[1], table[0])
    assert np.isnan(table[2]).all()
    np.testing.assert_allclose(np.linalg.norm(table[[0, 3]], axis=1), 1.0)
    assert group.extract([]).shape == (0, WIDTH)


@pytest.mark.parametrize("name", ["words:", "words:15", "words:4097", "words:x", "words:²²²"])
def test_how_many_must_be_a_number(name: str) -> None:
    """The error names the expected form."""
    with pytest.raises(NaturalnessError, match="N from 16 to 4096"):
        resolve([name])
