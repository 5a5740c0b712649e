"""Ratings on one scale per rater: values by hand, raters with few ratings, order preserved."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.data.cells import MAX_RATING
from naturalness.data.raters import MIN_RATINGS, SCALINGS, Judgement, scale_raters

NAN = float("nan")
ROOT = math.sqrt(1.5)  # the z-score of the ends of three equally spaced ratings

WORKED = [
    # method, ratings of one rater, scaled
    ("z", [1, 2, 3], [-ROOT, 0, ROOT]),
    ("z", [100, 300, 200], [-ROOT, ROOT, 0]),
    ("z", [-5, -5, 1, 1], [-1, -1, 1, 1]),
    ("z", [4, 4, 4], [0, 0, 0]),
    ("z", [0.1, 0.1, 0.1], [0, 0, 0]),  # whose computed deviation is not 0
    ("unit", [1, 2, 5], [0, 0.25, 1]),
    ("unit", [-10, 0, 10], [0, 0.5, 1]),
    ("unit", [4, 4, 4], [NAN, NAN, NAN]),
    ("rank", [50, 111111, 40, 60], [3 / 8, 7 / 8, 1 / 8, 5 / 8]),
    ("rank", [1, 2, 2, 3], [1 / 8, 1 / 2, 1 / 2, 7 / 8]),
    ("rank", [4, 4, 4], [0.5, 0.5, 0.5]),
]


@pytest.mark.parametrize(("method", "ratings", "scaled"), WORKED)
def test_worked_values(method: str, ratings: list[float], scaled: list[float]) -> None:
    """Values by hand; undefined is NaN."""
    result = scale_raters([("ann", rating) for rating in ratings], method)
    assert result.ratings == pytest.approx(scaled, nan_ok=True)


def test_every_method_is_worked_out() -> None:
    """Every method has a row in the table above."""
    assert {method for method, _, _ in WORKED} == set(SCALINGS)


@pytest.mark.parametrize("method", sorted(SCALINGS))
def test_a_rater_with_few_ratings_is_dropped_and_counted(method: str) -> None:
    """Two ratings are the ends of any scale; the other raters stay."""
    judgements: list[Judgement] = [("ann", 1), ("ann", 9), *(("ben", r) for r in range(MIN_RATINGS))]
    result = scale_raters(judgements, method)
    assert [math.isnan(r) for r in result.ratings] == [True] * 2 + [False] * MIN_RATINGS
    assert (result.raters, result.too_few, result.constant) == (2, 1, 0)
    assert result.describe() == ("raters: 2, of whom 1 with fewer than 3 ratings, which are not used")


def test_absurd_ratings_stay_finite() -> None:
    """The squares and distances of huge estimates do not overflow."""
    huge: list[Judgement] = [("ann", r) for r in (-MAX_RATING, 0.0, MAX_RATING)]
    assert scale_raters(huge, "z").ratings == pytest.approx([-ROOT, 0, ROOT])
    assert scale_raters(huge, "unit").ratings == pytest.approx([0, 0.5, 1])


JUDGEMENTS = st.lists(st.tuples(st.sampled_from(["ann", "ben", "cleo"]), st.floats(-1e6, 1e6)), max_size=30)


@pytest.mark.parametrize("method", SCALINGS)
@given(judgements=JUDGEMENTS)
def test_each_raters_order_is_kept(method: str, judgements: list[Judgement]) -> None:
    """Scaling preserves each rater's order and ties."""
    scaled = scale_raters(judgements, method).ratings
    pairs_by_rater: dict[object, list[tuple[float, float]]] = {}
    for (rater, rating), value in zip(judgements, scaled, strict=True):
        if not math.isnan(value):
            pairs_by_rater.setdefault(rater, []).append((rating, value))
    for pairs in pairs_by_rater.values():
        pairs.sort()
        for (low, first), (high, second) in pairwise(pairs):
            assert first <= second
            assert low != high or first == second


@pytest.mark.parametrize("method", SCALINGS)
@given(judgements=JUDGEMENTS, data=st.data())
def test_the_order_of_judgements_does_not_matter(method: str, judgements: list[Judgement], data: st.DataObject) -> None:
    """Results are equal to the last digit."""
    order = data.draw(st.permutations(range(len(judgements))))
    plain = scale_raters(judgements, method).ratings
    mixed = scale_raters([judgements[index] for index in order], method).ratings
    assert [repr(plain[index]) for index in order] == [repr(value) for value in mixed]
