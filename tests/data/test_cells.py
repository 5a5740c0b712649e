"""Cells of rated tables: numbers and lists in all usual notations, and refused cells."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from naturalness.data.cells import BadCell, is_list, name, names, number, numbers

NAN = float("nan")
COMMA = "an ambiguous comma (decimals or thousands? write a point, or leave it out)"


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        (["3", 3, " 3.0 "], 3),
        (["3,5", 3.5, Decimal("3.5")], 3.5),
        (["-1e2"], -100),
        ([" -12,25 "], -12.25),
        (["0,333"], 0.333),
        (["4,3333333"], 4.3333333),
        ([True], 1),
        ([False], 0),
        (["", "  ", "NaN", "NA", None, NAN, Decimal("NaN")], NAN),
    ],
)
def test_numbers(cells: list[Any], value: float) -> None:
    """Numbers of any type are read; a missing value is NaN."""
    assert [number(cell) for cell in cells] == pytest.approx([value] * len(cells), nan_ok=True)


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (["good", "3,5,1", "1_000", [3], {}], "not a number"),
        (["1,000", "-4,333"], COMMA),
        (["inf", float("-inf"), 10**400], "not a finite number"),
        (["1e200"], "too large a number"),
    ],
)
def test_other_cells_are_refused(cells: list[Any], problem: str) -> None:
    """The reason for refusing a cell does not contain the cell, so that equal reasons can be counted."""
    for cell in cells:
        with pytest.raises(BadCell) as caught:
            number(cell)
        assert str(caught.value) == problem


LISTS = ["[3, 3.5, 4]", " [3,3.5,4] ", "3 3.5 4", "3, 3.5, 4", "3;3.5;4", "3 | 3.5 | 4", "3\u00a03.5  4"]


@pytest.mark.parametrize("cell", [*LISTS, [3, 3.5, 4], (3, 3.5, 4), ["3", "3.5", "4"]])
def test_lists_of_ratings_in_every_notation(cell: Any) -> None:
    """JSON, real lists and the usual separators are read."""
    assert numbers(cell) == [3, 3.5, 4]
    assert is_list(cell)


def test_lists_may_be_short_or_have_gaps() -> None:
    """A number is a list of one, an empty cell is an empty list, and an empty entry is NaN."""
    assert numbers("3") == numbers(3) == [3]
    assert numbers("") == numbers("[]") == numbers(None) == numbers([]) == []
    assert numbers("[3, null, 4]") == pytest.approx([3, NAN, 4], nan_ok=True)
    assert numbers("3,,4") == pytest.approx([3, NAN, 4], nan_ok=True)


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("[3, 4", "not a JSON list"),
        ("3,5; 4,0", "a list with two kinds of separators"),  # two ratings would silently become four
        ("[3, [4]]", "not a number"),
        ("3 x 4", "not a number"),
        ("[3, Infinity]", "not a finite number"),
    ],
)
def test_lists_that_cannot_be_read_are_refused(cell: str, problem: str) -> None:
    """Decimal commas in lists are refused too."""
    with pytest.raises(BadCell) as caught:
        numbers(cell)
    assert str(caught.value) == problem


def test_names() -> None:
    """A whole number is the same name with or without a decimal point; the initials NA are a name."""
    assert [name(cell) for cell in ("ann ", 7, 7.0, "NA", None, "", NAN)] == ["ann", "7", "7", "NA", "", "", ""]
    assert names('["ann", null, 7]') == ["ann", "", "7"]
    assert names("Ann Lee; Ben Ray") == ["Ann Lee", "Ben Ray"]


def test_a_decimal_comma_is_no_separator() -> None:
    """A cell is a list only if it has brackets or several numbers."""
    assert all(map(is_list, ([], "[3]", "3;4", "3, 4", "3,4,5")))
    assert not any(map(is_list, ("3,5", "-0,5", "3", 3.5, "3,5; 4,0", "good;bad", "[3", "", None)))
