"""Cells of rated tables: numbers and lists in every usual spelling, and refused cells."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from naturalness.data.cells import BadCell, is_list, name, names, number, numbers

NAN = float("nan")


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("3", 3),
        (" 3.50 ", 3.5),
        ("-1e2", -100),
        ("3,5", 3.5),
        (" -12,25 ", -12.25),
        ("0,333", 0.333),
        ("4,3333333", 4.3333333),
        (4, 4),
        (2.5, 2.5),
        (Decimal("1.5"), 1.5),
        (True, 1),
        (False, 0),
        ("", NAN),
        ("  ", NAN),
        ("NaN", NAN),
        ("NA", NAN),
        (None, NAN),
        (NAN, NAN),
        (Decimal("NaN"), NAN),
    ],
)
def test_numbers(cell: Any, value: float) -> None:
    """Numbers of any type are read; a cell that means nothing is NaN."""
    assert number(cell) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("good", "not a number"),
        ("3,5,1", "not a number"),
        ("1,000", "an ambiguous comma (decimals or thousands? write a point, or leave it out)"),
        ("-4,333", "an ambiguous comma (decimals or thousands? write a point, or leave it out)"),
        ("1_000", "not a number"),
        ([3], "not a number"),
        ({}, "not a number"),
        ("inf", "not a finite number"),
        (float("-inf"), "not a finite number"),
        (10**400, "not a finite number"),
        ("1e200", "too large a number"),
    ],
)
def test_what_is_no_number_is_refused(cell: Any, problem: str) -> None:
    """The reason does not contain the cell, so that equal reasons can be counted."""
    with pytest.raises(BadCell) as caught:
        number(cell)
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    "cell",
    [
        "[3, 3.5, 4]",
        " [3,3.5,4] ",
        "3 3.5 4",
        "3, 3.5, 4",
        "3;3.5;4",
        "3 | 3.5 | 4",
        "3\u00a03.5  4",
        [3, 3.5, 4],
        (3, 3.5, 4),
        ["3", "3.5", "4"],
    ],
)
def test_lists_of_ratings_in_every_spelling(cell: Any) -> None:
    """JSON, real lists and the usual separators are read."""
    assert numbers(cell) == [3, 3.5, 4]


def test_lists_may_be_short_or_have_gaps() -> None:
    """One number is a list of one; nothing is an empty list; an empty entry is NaN."""
    assert numbers("3") == numbers(3) == [3]
    assert numbers("") == numbers("[]") == numbers(None) == numbers([]) == []
    assert numbers("[3, null, 4]") == pytest.approx([3, NAN, 4], nan_ok=True)
    assert numbers("3,,4") == pytest.approx([3, NAN, 4], nan_ok=True)


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("[3, 4", "not a JSON list"),
        ("3,5; 4,0", "a list with two kinds of separators"),
        ("[3, [4]]", "not a number"),
        ("3 x 4", "not a number"),
        ("[3, Infinity]", "not a finite number"),
    ],
)
def test_lists_that_cannot_be_read_are_refused(cell: str, problem: str) -> None:
    """Decimal commas are refused too: two ratings would silently become four."""
    with pytest.raises(BadCell) as caught:
        numbers(cell)
    assert str(caught.value) == problem


def test_names() -> None:
    """A whole number is the same name with or without a point; the initials NA are a name."""
    assert [name(cell) for cell in ("ann ", 7, 7.0, "NA", None, "", NAN)] == ["ann", "7", "7", "NA", "", "", ""]
    assert names('["ann", null, 7]') == ["ann", "", "7"]
    assert names("Ann Lee; Ben Ray") == ["Ann Lee", "Ben Ray"]


@pytest.mark.parametrize(
    ("cell", "listed"),
    [
        ([3, 4], True),
        ([], True),
        ("[3]", True),
        ("3;4", True),
        ("3|4|5", True),
        ("3, 4", True),
        ("3,4,5", True),
        ("3 4 5", True),
        ("3,5", False),
        ("-0,5", False),
        ("3", False),
        (3.5, False),
        ("3,5; 4,0", False),
        ("good;bad", False),
        ("[3", False),
        ("", False),
        (None, False),
    ],
)
def test_lists_are_told_from_numbers(cell: Any, listed: bool) -> None:
    """Brackets or several numbers make a list; a decimal comma does not."""
    assert is_list(cell) is listed
