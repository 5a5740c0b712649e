"""Witten-Bell interpolation: hand-worked values, probabilities that sum to 1, and contexts too large to pack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.models.parsers.generative.backoff import Backoff, from_arrays
from tests.support.toy_grammar import level
from training.constituency.generative_counts import pack
from training.constituency.grammar_file import to_arrays

RADIX = (3, 3)
OUTCOMES = 4
FLOOR = 1 / OUTCOMES
LEVELS = [
    level(1.0, RADIX, {(): {0: 3, 1: 1}}),
    level(2.0, RADIX, {(1,): {1: 2}}),
    level(1.0, RADIX, {(1, 2): {0: 1, 3: 1}}),
]


def test_by_hand() -> None:
    """Longer contexts interpolate with shorter ones; an unseen context falls back to the shorter one."""
    table = Backoff(RADIX, LEVELS)
    none = (3 + 2 * FLOOR) / (4 + 2)  # two outcomes of weight 4, k = 1
    one = (0 + 2 * none) / (2 + 2)  # one outcome of weight 2, k = 2
    two = (1 + 2 * one) / (2 + 2)
    assert table.prob((0, 0), 0, FLOOR) == pytest.approx(none)
    assert table.prob((1, 0), 0, FLOOR) == pytest.approx(one)
    assert table.prob((1, 2), 0, FLOOR) == pytest.approx(two)
    assert table.split((1, 2), 2) == pytest.approx((0.0, 2 / 6 * 2 / 4 * 2 / 4))


outcome_weights = st.dictionaries(st.integers(0, OUTCOMES - 1), st.integers(1, 9), min_size=1)


@settings(max_examples=50, deadline=None)
@given(
    none=outcome_weights,
    one=st.dictionaries(st.tuples(st.integers(0, 2)), outcome_weights, min_size=1),
    two=st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 2)), outcome_weights, min_size=1),
    context=st.tuples(st.integers(0, 2), st.integers(0, 2)),
    scale=st.floats(0.01, 100),
)
def test_outcomes_sum_to_one(
    none: dict[int, int],
    one: dict[tuple[int], dict[int, int]],
    two: dict[tuple[int, int], dict[int, int]],
    context: tuple[int, int],
    scale: float,
) -> None:
    """Probabilities sum to 1 in every context, seen or unseen, also after a round trip through arrays."""
    tables: list[Any] = [{(): none}, one, two]
    levels = [level(scale, RADIX, table) for table in tables]
    table = Backoff(RADIX, levels)
    read = from_arrays("t", to_arrays("t", RADIX, levels), RADIX)
    probs = [table.prob(context, outcome, FLOOR) for outcome in range(OUTCOMES)]
    assert sum(probs) == pytest.approx(1)
    assert min(probs) > 0
    assert [read.prob(context, outcome, FLOOR) for outcome in range(OUTCOMES)] == probs


def test_contexts_with_too_many_combinations_are_refused() -> None:
    """Contexts of 2^62 or more combinations are refused, as packing would not be unique."""
    wide = (1 << 31, 1 << 31)
    with pytest.raises(ValueError, match="too many for numbers of 64 bits"):
        pack(np.array([[1, 1]]), wide)
    assert pack(np.array([[1, 1]]), (1 << 31, (1 << 31) - 1)).tolist() == [1 << 31]
