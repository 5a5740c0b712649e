"""Which candidate stays."""

from __future__ import annotations

import math

from naturalness.labelling.best import Best

NAN = math.nan


def test_the_most_natural_of_each_stays() -> None:
    """Wherever they stand; of equals the first; one without a score only where none has one."""
    best = Best()
    best.see(0, ["a", "b", "a", "c"], [0.1, 0.9, 0.3, NAN])
    best.see(4, ["a", "c", "b", "d", "d"], [0.3, 0.0, 0.9, NAN, NAN])
    assert best.rows() == {2, 1, 5, 7}


def test_a_row_without_a_value_shares_with_none() -> None:
    """Each stays."""
    best = Best()
    best.see(0, [None, "", None, ""], [0.1, 0.2, 0.3, NAN])
    assert best.rows() == {0, 1, 2, 3}


def test_values_of_any_kind() -> None:
    """Numbers, lists and texts; the text 1 is not the number 1."""
    best = Best()
    best.see(0, [1, "1", [1, {"b": 2, "a": 1}], [1, {"a": 1, "b": 2}]], [0.1, 0.2, 0.3, 0.4])
    assert best.rows() == {0, 1, 3}
