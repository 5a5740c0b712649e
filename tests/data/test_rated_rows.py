"""Rows of rated tables: merged, scaled per rater, grouped, left out, in any order.

Ratings on one scale per rater: values by hand, raters with few ratings, order preserved.
"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naturalness.data.cells import MAX_RATING
from naturalness.data.labels import RULES, LabelRule
from naturalness.data.rated_rows import MIN_RATINGS, SCALINGS, RaterRating, scale_raters

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
    """Scaled ratings equal values determined by hand; undefined values are NaN, and huge estimates do not overflow."""
    for ratings, scaled in WORKED[method].items():
        assert scale_raters([("ann", rating) for rating in ratings], method)[0] == pytest.approx(scaled, nan_ok=True)


@METHOD
def test_a_rater_with_few_ratings_is_left_out_and_counted(method: str) -> None:
    """A rater with two ratings is left out, since they would always be the ends of the scale."""
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


def test_duplicates_are_merged(rated: Any) -> None:
    """Texts that differ in outer blanks are merged; text and row number are the first row's."""
    rows, rule = "text/ratings\nA./6 6\nB./1\n A. /3\n", LabelRule(4, floor=4)
    table = rated(rows, rule=rule)
    assert (table.texts, table.rows, table.merged) == (["A.", "B."], [0, 1], 1)
    assert (table.ratings, table.labels) == ([5, 1], ["unnatural", "unnatural"])
    apart = rated(rows, rule=rule, merge_duplicates=False)
    assert (apart.ratings, apart.merged, apart.groups) == ([6, 1, 3], 0, [0, 1, 0])


def test_a_text_that_is_typed_differently_stays_with_itself(rated: Any) -> None:
    """Texts with the same letters are not merged, but a split keeps them together."""
    table = rated("text/rating\nIt’s  cold./1\nIt's cold./2\nIt is cold./3\n")
    assert (table.merged, table.groups) == (0, [0, 0, 1])


def test_merged_means_and_labels(rated: Any) -> None:
    """Merged rows have the mean of their means and the most frequent label, or the worse one in a tie."""
    assert rated("text/rating\nA./5\nA./2\n").ratings == [3.5]
    table = rated("text/label\nA./good\nA./bad\nA./good\nB./good\nB./bad\n")
    assert (table.labels, table.merged) == (["good", "bad"], 3)


def test_long_format(rated: Any) -> None:
    """Each row is a judgement; the ratings of a text count as individual ones."""
    rows = "text/who/rating\nA./ann/1\nB./ann/0\nA./Lee, Ben; jr/1\nB.//1\n"
    table = rated(rows, rater_column="who", rule=RULES["groves2018-votes"])
    assert (table.ratings, table.labels, table.merged) == ([1, 0.5], ["natural", None], 2)


@pytest.mark.parametrize(
    ("columns", "options", "merged"),
    [
        ("text/rating/who", {"rater_column": "who"}, True),
        ("text/score/who", {"rater_column": "who", "rating_columns": ["score"]}, True),
        ("text/rating/ratings/who", {"rater_column": "who"}, False),
        ("text/ratings/who", {"rater_column": "who", "rating_columns": ["ratings"]}, False),
        ("text/rating/who", {}, False),
    ],
)
def test_the_long_format_is_recognised(rated: Any, columns: str, options: dict[str, Any], merged: bool) -> None:
    """A rater column without a list of ratings means one judgement per row."""
    row = "A." + "/3" * columns.count("/")
    assert rated(f"{columns}\n{row}\n{row}\n", merge_duplicates=False, **options).merged == merged


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("text/who/rating\nA./ann/3\nB./ann/1\nC./ann/2\nA./ben/100\nB./ben/80\nC./ben/90\n", {"rater_column": "who"}),
        (
            # `rating` is on the raters' own scales, so of no use.
            "text/who/ratings/rating\nA./ann;ben/3;100/51.5\nB./ann;ben/1;80/\nC./ann;ben/2;90/\n",
            {"rater_column": "who"},
        ),
    ],
    ids=["long", "lists"],
)
def test_ratings_scaled_per_rater(rated: Any, table: str, options: dict[str, Any]) -> None:
    """A strict and a mild rater agree after scaling, which makes the scaled range the observed scale."""
    read = rated(table, **options, rater_scale="unit", rule=LabelRule(0.75))
    assert read.ratings == [1, 0, 0.5]
    assert read.labels == ["natural", "unnatural", "unnatural"]
    assert (read.scale, read.rater_note) == ((0, 1), "")


def test_ratings_that_cannot_be_scaled_are_left_out(rated: Any) -> None:
    """Only the ratings of raters with few ratings or without a name are left out."""
    rows = "text/who/rating\nA./ann/0\nB./ann/1\nC./ann/2\nA./ben/9\nD.//9\n"
    table = rated(rows, rater_column="who", rater_scale="unit")
    assert (table.texts, table.ratings) == (["A.", "B.", "C."], [0, 0.5, 1])
    assert table.left_out == {"no rating on a rater's scale": 1}
    assert table.rater_note == "raters: 2, of whom 1 with fewer than 3 ratings, which are not used"


def test_sources_and_texts_make_groups(rated: Any) -> None:
    """Groups are connected through merged texts, too; a row without a source is a group of its own."""
    rows = "text/from/rating\nA./a/0\nB./b/1\nA./b/2\nC.//3\nD.//4\n"
    assert rated(rows, source_column="from").groups == [0, 0, 1, 2]
    assert rated(rows, source_column="from", merge_duplicates=False).groups == [0, 0, 0, 1, 2]
    assert rated(rows).groups == [0, 1, 2, 3]


BAD = """{"text": "A.", "rating": 5}
{"text": "  ", "rating": 1}
{"text": null, "rating": 1}
{"text": "C."}
{"text": "C.", "rating": "nan"}
{"text": "C.", "rating": "five"}
{"text": "C.", "rating": "six"}
{"text": "C.", "rating": "inf"}
{"text": "C.", "rating": 7}
{"rating": 3}
{"text": 3, "rating": 3}
{"text": "B.", "rating": 1}
{
[]
"""


def test_bad_rows_are_counted_by_reason(rated: Any) -> None:
    """Each reason has the first bad cell as an example, and the other rows keep their numbers."""
    table = rated(BAD, scale=(1, 6))
    assert (table.texts, table.rows) == (["A.", "B."], [0, 11])
    assert table.left_out == {
        "empty text": 2,
        "no rating": 2,
        "not a number in column 'rating', as 'five'": 2,
        "not a finite number in column 'rating', as 'inf'": 1,
        "rating outside of the scale 1 to 6, as 7.0": 1,
        "no column 'text'": 1,
        "column 'text' holds int, not text": 1,
        "not JSON": 1,
        "expected a JSON object, found list; write one object per line": 1,
    }


ROW = st.tuples(st.sampled_from("ABCD"), st.sampled_from(["ann", "ben"]), st.sampled_from("abc "), st.integers(1, 6))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(rows=st.lists(ROW, min_size=4, max_size=12), method=st.sampled_from(["none", "z", "unit"]), data=st.data())
def test_the_order_of_rows_does_not_matter(
    rated: Any, rows: list[tuple[str, str, str, int]], method: str, data: st.DataObject
) -> None:
    """Ratings, labels and groups do not depend on the order."""
    # Six ratings by nobody else make sure that a rater can be scaled.
    fill = [(f"Text {i}.", "cleo", "", i) for i in range(1, 7)]

    def read(order: list[tuple[str, str, str, int]]) -> Any:
        lines = (json.dumps(dict(zip(("text", "who", "from", "rating"), row, strict=True))) for row in order + fill)
        table = rated("\n".join(lines), rater_column="who", source_column="from", rater_scale=method)
        group = dict(zip(table.texts, table.groups, strict=True))
        together = {frozenset(t for t in group if group[t] == g) for g in table.groups}
        entries = zip(table.texts, table.ratings, table.labels, strict=True)
        return sorted(entries), together, table.scale, table.rule, table.left_out, table.merged

    assert read(rows) == read(data.draw(st.permutations(rows)))
