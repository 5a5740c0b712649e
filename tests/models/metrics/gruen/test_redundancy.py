"""The four tests on pairs of sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.metrics.gruen.redundancy import edit_distance, fired_tests, has_common_run, violations

FARMER = "The farmer left a basket of apples near the gate."
TEXT = st.text("abc ", max_size=12)


@pytest.mark.parametrize(
    ("other", "fired"),
    [
        ("He left a basket of apples near the gate.", "ABCD"),
        (
            "The farmer left a basket of apples near the gate, which was the only place that all "
            "of his neighbours had to pass on their way home in the evening.",
            "ABD",
        ),
        ("The farmer left a small basket of apples near the old gate.", "CD"),
        ("He left baskets of apple near the gates.", "C"),
        ("It had been raining since noon.", ""),
        (FARMER, "ABCD"),
        ("  THE farmer  left a basket of apples near the gate.\n", "ABCD"),
    ],
)
def test_pairs_of_the_papers_make(other: str, fired: str) -> None:
    """Which tests fire, whichever sentence comes first."""
    assert fired_tests(FARMER, other) == fired
    assert fired_tests(other, FARMER) == fired


def test_exactly_four_fifths_is_not_too_much() -> None:
    """4 of 5 words, none of them in a row of five: "more than 80 %"."""
    assert "D" not in fired_tests("one two three four five", "four one three two nine")
    assert "D" in fired_tests("one two three four five", "five four one three two")


def test_a_word_counts_as_often_as_it_stands_in_both() -> None:
    """Five times "the" is not found in one."""
    assert "D" not in fired_tests("the the the the the", "what the man at sea saw there")


def test_a_run_of_words_is_one_of_whole_words() -> None:
    """The letters of "at" stand in "cat"."""
    assert "B" not in fired_tests("at", "the cat sat on my mat again today")


def test_all_pairs_of_a_text_count() -> None:
    """Three equal sentences are three pairs of four violations; nothing has none."""
    assert violations([FARMER] * 3) == 12
    assert violations([FARMER, "It had been raining since noon."]) == 0
    assert violations([FARMER]) == violations([]) == 0
    assert violations([FARMER, "  "]) == 0


def plain_distance(one: str, other: str) -> int:
    """By the usual table."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(one=TEXT, other=TEXT)
def test_edit_distances_are_those_of_the_usual_table(one: str, other: str) -> None:
    """For all short texts over a small alphabet, both ways."""
    assert edit_distance(one, other) == plain_distance(one, other) == edit_distance(other, one)


@given(one=TEXT, other=TEXT, length=st.integers(1, 6))
def test_common_runs_are_substrings_of_both(one: str, other: str, length: int) -> None:
    """Looked for in all places of both."""
    runs = [{text[i : i + length] for i in range(len(text) - length + 1)} for text in (one, other)]
    assert has_common_run(one, other, length) == bool(runs[0] & runs[1])
