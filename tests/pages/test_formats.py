"""Numbers and texts in the format of pages."""

from __future__ import annotations

import math

import pytest

from naturalness.pages.formats import (
    beginning,
    between,
    change,
    code,
    decimal,
    enumeration,
    p_value,
    percent,
    plus_minus,
    share,
    short,
    shorten,
)


@pytest.mark.parametrize("write", [decimal, change, percent, share, p_value])
def test_undefined(write: object) -> None:
    """None and NaN become an en dash."""
    assert write(None) == write(math.nan) == "–"  # type: ignore[operator]


def test_numbers() -> None:
    """Negative numbers have a true minus sign, and zero has no sign."""
    assert (decimal(-0.0004), decimal(-0.5), decimal(0.25, 1)) == ("0.000", "−0.500", "0.2")
    assert (change(0.5), change(-0.5), change(0.0), change(0.04, 1)) == ("+0.500", "−0.500", "0.000", "0.0")
    assert (short(-1.5), short(20.0)) == ("−1.5", "20")
    assert (p_value(0.0004), p_value(0.0321)) == ("< .001", ".032")


def test_intervals() -> None:
    """An interval is written if both ends are defined."""
    assert between(0.1, 0.2, percent) == "10% to 20%"
    assert between(None, 0.2) == "–"
    assert plus_minus(0.5, 0.1) == "0.500\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.100"
    assert plus_minus(0.5, None) == "0.500"


@pytest.mark.parametrize(("value", "written"), [(0.0, "0%"), (0.004, "0.4%"), (0.5, "50%"), (1.0, "100%")])
def test_shares(value: float, written: str) -> None:
    """A share below 10 % has one decimal."""
    assert share(value) == written


def test_texts() -> None:
    """Long texts are cut; passages in backticks become code, and HTML is escaped."""
    assert (enumeration(["a"]), enumeration("ab"), enumeration("abcdefg", 4)) == (
        "a",
        "a and b",
        "a, b, c, d and 3 more",
    )
    assert (beginning(" a\n b ", 4), beginning("a  b  cd", 4)) == ("a b", "a b…")
    assert (shorten("abcd", 4), shorten("abcde", 4)) == ("abcd", "abc…")
    assert code("a `b<c` & d") == "a <code>b&lt;c</code> &amp; d"
