"""Syllables of English words."""

from __future__ import annotations

import pytest

from naturalness.features.syllables import syllables

SYLLABLES = {
    "the": 1,
    "cat": 1,
    "table": 2,
    "walked": 1,
    "wanted": 2,
    "beautiful": 3,
    "make": 1,
    "people": 2,
    "readability": 5,
    "every": 2,
    "changes": 2,
    "boxes": 2,
    "rhythm": 2,
    "idea": 3,
    "apple": 2,
    "hopeful": 2,
    "nation": 2,
    "replied": 2,
    "carried": 2,
    "agreed": 2,
    "indeed": 2,
    "hundred": 2,
    "measured": 2,
    "client": 2,
    "x": 1,
    "1984": 1,
    "n't": 1,
}


@pytest.mark.parametrize(("word", "count"), SYLLABLES.items())
def test_syllables(word: str, count: int) -> None:
    """Silent letters, endings and exceptions are counted correctly."""
    assert syllables(word) == count
