"""Rows of rated tables: merged, scaled per rater, grouped, left out, in any order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naturalness.data.labels import RULES, LabelRule


def test_duplicates_are_merged(rated: Any) -> None:
    """Texts that differ in outer blanks are merged; text and row number are the first row's."""
    rows, rule = "text/ratings\nA./6 6\nB./1\n A. /3\n", LabelRule(4, floor=4)
    table = rated(rows, rule=rule)
    assert (table.texts, table.rows, table.merged) == (["A.", "B."], [0, 1], 1)
    assert (table.ratings, table.labels) == ([5, 1], ["unnatural", "unnatural"])
    apart = rated(rows, rule=rule, merge_duplicates=False)
    assert (apart.ratings, apart.merged, apart.groups) == ([6, 1, 3], 0, [0, 1, 0])


def test_merged_means_and_labels(rated: Any) -> None:
    """The mean of the means, and the most frequent label, the worse one on a tie."""
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
    """A strict and a mild rater agree after scaling; the observed scale is the new one."""
    read = rated(table, **options, rater_scale="unit", rule=LabelRule(0.75))
    assert read.ratings == [1, 0, 0.5]
    assert read.labels == ["natural", "unnatural", "unnatural"]
    assert (read.scale, read.rater_note) == ((0, 1), "")


def test_ratings_that_cannot_be_scaled_are_left_out(rated: Any) -> None:
    """A rater with few ratings or without a name loses only those ratings."""
    rows = "text/who/rating\nA./ann/0\nB./ann/1\nC./ann/2\nA./ben/9\nD.//9\n"
    table = rated(rows, rater_column="who", rater_scale="unit")
    assert (table.texts, table.ratings) == (["A.", "B.", "C."], [0, 0.5, 1])
    assert table.left_out == {"no rating on a rater's scale": 1}
    assert table.rater_note == "raters: 2, of whom 1 with fewer than 3 ratings, which are not used"


def test_sources_and_texts_make_groups(rated: Any) -> None:
    """Groups connect through merged texts too; rows without a source stand alone."""
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
        "expected a JSON object, found list; write an object a line": 1,
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
