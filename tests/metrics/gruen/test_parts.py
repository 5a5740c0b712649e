"""The parts of GRUEN: redundancy, focus, and their sum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.metrics.gruen.judges import shipped_judges
from naturalness.metrics.gruen.parts import (
    MIN_SIMILARITY,
    NOTHING,
    UNRELATED_DISTANCE,
    GruenParts,
    edit_distance,
    fired_tests,
    gruen_parts,
    has_common_run,
    similar_pairs,
    similarity,
    unrelated_neighbours,
)
from naturalness.metrics.movers import Cloud
from naturalness.text.parsing import parse

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
def test_pairs_like_those_of_the_paper(other: str, fired: str) -> None:
    """The expected tests fire, in both orders of the sentences."""
    assert fired_tests(FARMER, other) == fired
    assert fired_tests(other, FARMER) == fired


def test_exactly_four_fifths_is_allowed() -> None:
    """The limits are "more than 80 %" in common and "less than 60 %" edited; a common run may be at the end."""
    assert "D" not in fired_tests("one two three four five", "four one three two nine")
    assert "D" in fired_tests("one two three four five", "five four one three two")
    assert not fired_tests("abcde", "abxyz")
    assert has_common_run("xab", "cab", 2)


def test_all_pairs_of_a_text_are_counted() -> None:
    """Three equal sentences make three pairs with four violations each; an empty text has none."""
    assert similar_pairs([FARMER] * 3) == 12
    assert similar_pairs([FARMER, "It had been raining since noon."]) == 0
    assert similar_pairs([FARMER]) == similar_pairs([]) == 0
    assert similar_pairs([FARMER, "  "]) == 0


def plain_distance(one: str, other: str) -> int:
    """Return the edit distance by dynamic programming."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(one=TEXT, other=TEXT)
def test_edit_distances_agree_with_dynamic_programming(one: str, other: str) -> None:
    """Edit distances agree with dynamic programming, in both directions."""
    assert edit_distance(one, other) == plain_distance(one, other) == edit_distance(other, one)


def at(*point: float) -> Cloud:
    """Return a cloud with a single point."""
    return Cloud(np.array([point]), np.ones(1))


def test_similarity_falls_with_distance() -> None:
    """Similarity is 1 for equal words, 0 at the limit, negative beyond it, and NaN without words."""
    assert similarity(at(0, 0), at(0, 0)) == 1
    assert similarity(at(0, 0), at(UNRELATED_DISTANCE, 0)) == pytest.approx(0)
    assert similarity(at(0, 0), at(0, 2 * UNRELATED_DISTANCE)) == pytest.approx(-1)
    assert math.isnan(similarity(None, at(0, 0)))


def test_only_neighbours_are_compared() -> None:
    """Only neighbouring sentences are compared; a sentence without words is not counted."""
    near, far = at(0, 0), at(UNRELATED_DISTANCE * (1 - MIN_SIMILARITY) + 0.01, 0)
    assert unrelated_neighbours([near, far, near]) == 2
    assert unrelated_neighbours([near, near, far]) == 1
    assert unrelated_neighbours([near, None, far]) == unrelated_neighbours([near]) == unrelated_neighbours([]) == 0


TWO = "The gate was open. Anna closed it."


def test_the_total_by_hand() -> None:
    """The total is grammaticality, .7, less .1 for a violation of focus, .2 for two of redundancy, .05 for half a nat.

    Of two sentences, the worst one counts as much as the mean. A single sentence has no order loss.
    """
    parts = GruenParts((0.6,), (0.8,), repeated=2, unrelated=1, disorder=0.5)
    assert (parts.grammaticality, parts.total) == pytest.approx((0.7, 0.35))
    two = GruenParts((0.6, 0.4), (0.8, 0.2), 0, 0, math.nan)
    assert (two.grammaticality, two.total) == pytest.approx((0.4, 0.4))
    assert (two.likelihood, two.acceptability) == pytest.approx((0.5, 0.5))
    assert math.isnan(NOTHING.total)


def test_parts_are_measured_once() -> None:
    """The metric and the group share the parts, which are stored beside the Doc."""
    docs = parse([TWO, ""])
    judges = shipped_judges()
    first, empty = gruen_parts(docs, judges)
    assert gruen_parts(docs, judges)[0] is first
    assert empty is NOTHING
    assert len(first.likelihoods) == len(first.acceptabilities) == 2
