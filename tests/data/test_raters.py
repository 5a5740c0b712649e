"""Ratings on one scale per rater: values by hand, raters with few ratings, order preserved."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.data.cells import MAX_RATING
from naturalness.data.raters import MIN_RATINGS, SCALINGS, RaterRating, scale_raters

ROOT = math.sqrt(1.5)  # the z-score of the ends of three equally spaced ratings

WORKED = {
    "z": {
        (1, 2, 3): (-ROOT, 0, ROOT),
        (100, 300, 200): (-ROOT, ROOT, 0),
        (-5, -5, 1, 1): (-1, -1, 1, 1),
        (4, 4, 4): (0, 0, 0),
        (0.1, 0.1, 0.1): (0, 0, 0),  # whose computed deviation is not 0
        (-MAX_RATING, 0, MAX_RATING): (-ROOT, 0, ROOT),
    },
    "unit": {(1, 2, 5): (0, 0.25, 1), (-MAX_RATING, 0, MAX_RATING): (0, 0.5, 1), (4, 4, 4): (math.nan,) * 3},
}
"""The ratings of one rater, and their scaled values, for each method."""
JUDGEMENTS = st.lists(st.tuples(st.sampled_from(["ann", "ben", "cleo"]), st.floats(-1e6, 1e6)), max_size=30)
METHOD = pytest.mark.parametrize("method", SCALINGS)


@METHOD
def test_worked_values(method: str) -> None:
    """Values by hand; undefined is NaN, and huge estimates do not overflow."""
    for ratings, scaled in WORKED[method].items():
        assert scale_raters([("ann", rating) for rating in ratings], method)[0] == pytest.approx(scaled, nan_ok=True)


@METHOD
def test_a_rater_with_few_ratings_is_left_out_and_counted(method: str) -> None:
    """Two ratings are the ends of any scale; the other raters stay."""
    judgements: list[RaterRating] = [("ann", 1), ("ann", 9), *(("ben", r) for r in range(MIN_RATINGS))]
    ratings, note = scale_raters(judgements, method)
    assert [math.isnan(r) for r in ratings] == [True] * 2 + [False] * MIN_RATINGS
    assert note == "raters: 2, of whom 1 with fewer than 3 ratings, which are not used"


@METHOD
@given(judgements=JUDGEMENTS, data=st.data())
def test_the_order_of_ratings_is_kept(method: str, judgements: list[RaterRating], data: st.DataObject) -> None:
    """Scaling preserves each rater's order and ties, and does not depend on the order of judgements."""
    plain, _ = scale_raters(judgements, method)
    by_rater: dict[object, list[tuple[float, float]]] = {}
    for (rater, rating), value in zip(judgements, plain, strict=True):
        if not math.isnan(value):
            by_rater.setdefault(rater, []).append((rating, value))
    for pairs in by_rater.values():
        for (low, first), (high, second) in pairwise(sorted(pairs)):
            assert first <= second
            assert low != high or first == second
    order = data.draw(st.permutations(range(len(judgements))))
    mixed, _ = scale_raters([judgements[index] for index in order], method)
    assert [repr(plain[index]) for index in order] == [repr(value) for value in mixed]
