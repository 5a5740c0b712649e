"""Counting slips: distances, alignments, and costs fitted on a few words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.speller import SLIPS, distance, fit_costs, slips

WORDS = st.text("abcde", max_size=6)
PAIRS = [("recieve", "receive"), ("adres", "address"), ("wich", "which"), ("untill", "until"), ("seperate", "separate")]


@given(WORDS, WORDS)
def test_distance_is_symmetric_and_bounded(a: str, b: str) -> None:
    """Never less than the difference in length, never more than the longer word."""
    edits = distance(a, b)
    assert edits == distance(b, a)
    assert abs(len(a) - len(b)) <= edits <= max(len(a), len(b))
    assert (edits == 0) == (a == b)


@given(WORDS, st.integers(0, 5))
def test_a_swap_is_one_edit(word: str, i: int) -> None:
    """Neighbours that changed places count once."""
    if i + 1 < len(word) and word[i] != word[i + 1]:
        swapped = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        assert distance(word, swapped) == 1


def test_distances_worked_out_by_hand() -> None:
    """Substitution, insertion, deletion and swap."""
    assert distance("prepared", "preaperd") == 2
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3


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
def test_the_cheapest_slips(wrong: str, right: str, found: list[tuple[str, str, str]]) -> None:
    """One slip of each kind, with its letters."""
    made = slips(fit_costs(PAIRS), wrong, right)
    assert [(name, chr(96 + row), chr(96 + column)) for name, row, column in made] == found


def test_a_slip_that_was_seen_is_cheaper() -> None:
    """Costs are positive, and lower for the counted slip."""
    few, more = fit_costs(PAIRS[:1]), fit_costs(PAIRS[:1] + 9 * [("seperate", "separate")])
    assert more.replaced[5, 1] < few.replaced[5, 1]
    assert all((getattr(more, name) >= 0).all() for name in SLIPS)
