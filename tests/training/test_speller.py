"""Typing errors: alignment, and costs fitted on a few words."""

from __future__ import annotations

import pytest

from training.speller import fit_costs, slips

PAIRS = [("recieve", "receive"), ("adres", "address"), ("wich", "which"), ("untill", "until"), ("seperate", "separate")]


@pytest.mark.parametrize(
    ("wrong", "right", "found"),
    [
        ("wich", "which", [("omitted", "w", "h")]),
        ("seperate", "separate", [("replaced", "e", "a")]),
        ("untill", "until", [("added", "l", "l")]),
        ("recieve", "receive", [("swapped", "e", "i")]),
        ("cat", "cat", []),
    ],
)
def test_the_cheapest_errors(wrong: str, right: str, found: list[tuple[str, str, str]]) -> None:
    """Each kind of typing error is found with its letters."""
    made = slips(fit_costs(PAIRS), wrong, right)
    assert [(name, chr(96 + row), chr(96 + column)) for name, row, column in made] == found
