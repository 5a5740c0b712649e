"""Batches of like length."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("torch")

from training.loop import by_length


def test_batches_are_of_like_length_and_fit() -> None:
    """Every row comes once, and none is larger with its padding than it may be."""
    lengths = [random.Random(1).randint(1, 60) for _ in range(300)]
    batches = by_length(lengths, 240, random.Random(0))
    assert sorted(row for rows in batches for row in rows) == list(range(300))
    for rows in batches:
        longest = max(lengths[row] for row in rows)
        assert longest * len(rows) <= 240 and longest - min(lengths[row] for row in rows) < 15
