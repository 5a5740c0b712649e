"""Which candidate of each input is selected."""

from __future__ import annotations

import math

from naturalness.labelling.best import Best

NAN = math.nan


def test_the_most_natural_of_each_stays() -> None:
    """Ties go to the first candidate; one without a score is selected only if the others have none either."""
    best = Best()
    best.see(0, ["a", "b", "a", "c"], [0.1, 0.9, 0.3, NAN])
    best.see(4, ["a", "c", "b", "d", "d"], [0.3, 0.0, 0.9, NAN, NAN])
    assert best.rows() == {2, 1, 5, 7}


def test_a_row_without_a_value_shares_with_none() -> None:
    """Rows without an input are not grouped, so all of them are selected."""
    best = Best()
    best.see(0, [None, "", None, ""], [0.1, 0.2, 0.3, NAN])
    assert best.rows() == {0, 1, 2, 3}


def test_values_of_any_kind() -> None:
    """Inputs may be numbers, lists or texts; the text 1 differs from the number 1."""
    best = Best()
    best.see(0, [1, "1", [1, {"b": 2, "a": 1}], [1, {"a": 1, "b": 2}]], [0.1, 0.2, 0.3, 0.4])
    assert best.rows() == {0, 1, 3}
