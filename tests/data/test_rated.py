"""Rated tables: every layout, labels as given or by a rule, the graded target and its scale."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from naturalness.data.formats import location
from naturalness.data.labels import RULES, LabelRule
from naturalness.data.rated import median_rule, read_rated

NAN = math.nan
NATURAL, UNNATURAL = "natural", "unnatural"


def test_labels_are_used_as_they_are(rated: Any) -> None:
    """The table's names are the classes; there are no ratings and no scale."""
    table = rated("id/text/label\n1/A./Good\n2/B./bad\n3/C./good\n4/D./Bad\n")
    assert table.texts == ["A.", "B.", "C.", "D."]
    assert table.labels == ["Good", "bad", "Good", "bad"]
    assert table.classes == ["bad", "Good"]
    assert table.rows == table.groups == [0, 1, 2, 3]
    assert all(math.isnan(r) for r in (*table.ratings, *table.scale))
    assert (table.left_out, table.merged, table.rule, table.rule_note) == ({}, 0, None, "labels as given")


def test_labels_in_a_given_order(rated: Any) -> None:
    """Any names and numbers work; labels outside the order are left out and counted."""
    rows = '{"t": "A.", "l": 3}\n{"t": "B.", "l": 1}\n{"t": "C.", "l": 2.0}\n{"t": "D.", "l": "?"}'
    table = rated(rows, text_column="t", label_column="l", order=["1", "2", "3"])
    assert (table.labels, table.classes) == (["3", "1", "2"], ["1", "2", "3"])
    assert table.left_out == {"label that is not named, as '?'": 1}


def test_labels_and_ratings_side_by_side(rated: Any) -> None:
    """Labels come from their column and the target from ratings; a row may lack either, and all rows the labels."""
    table = rated("text/label/rating\nA./yes/5\nB./no/\nC.//3\n")
    assert table.labels == ["yes", "no", None]
    assert table.ratings == pytest.approx([5, NAN, 3], nan_ok=True)
    assert table.scale == (3, 5)
    assert rated("text/label/rating\nA.//5\nB.//1\n").labels == [NATURAL, UNNATURAL]


def test_a_rule_makes_labels_from_ratings(rated: Any) -> None:
    """A rule gives two classes and a description, and overrides an unnamed label column."""
    table = rated("text/rating/label\nA./5/good\nB./1/good\nC./3/good\n", rule=LabelRule(4, 2))
    assert table.labels == [NATURAL, UNNATURAL, None]
    assert table.classes == [UNNATURAL, NATURAL]
    assert table.rule_note == "natural from a mean rating of 4; unnatural below 2; left out between"
    assert table.ratings == [5, 1, 3]


@pytest.mark.parametrize(
    ("ratings", "cut", "note"),
    [
        ("1245", 3.0, "the median rating on, 3"),
        ("124", 2.0, "the median rating on, 2"),
        ("11134", 3.0, "the lowest rating but one on (the median is the lowest), 3"),
        ("1555", 5.0, "the median rating on, 5"),
        ("444", 4.0, "the median rating on, 4"),
    ],
)
def test_without_a_rule_the_median_decides(rated: Any, ratings: str, cut: float, note: str) -> None:
    """The median gives two classes whenever ratings differ."""
    table = rated("text/rating\n" + "".join(f"Text {i}./{r}\n" for i, r in enumerate(ratings)))
    assert table.rule == LabelRule(cut)
    assert table.rule_note == f"no rule given: natural from {note}"
    assert table.labels == [NATURAL if float(r) >= cut else UNNATURAL for r in ratings]
    assert median_rule([-1, -5e-17, 1])[1].endswith("the median rating on, 0")


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_lists_of_ratings_in_every_format(name: str, tmp_path: Path) -> None:
    """Lists are text in CSV, and real lists in JSON lines and Parquet."""
    path = tmp_path / name
    if name == "t.csv":
        path.write_text('text,ratings\nA.,"[5, 6]"\nB.,1 2 3\n')
    elif name == "t.jsonl":
        path.write_text('{"text": "A.", "ratings": [5, 6]}\n{"text": "B.", "ratings": [1, 2, 3]}\n')
    else:
        pq.write_table(pa.table({"text": ["A.", "B."], "ratings": [[5, 6], [1, 2, 3]]}), path)
    table = read_rated(location(str(path)), rule=RULES["groves2018-likert"])
    assert table.ratings == [5.5, 2]
    assert table.labels == [NATURAL, UNNATURAL]
    assert table.scale == (1, 6)


def test_means_and_single_ratings_side_by_side(rated: Any) -> None:
    """`rating` (here a median) is the target and decides plain rules; floors use individual ratings."""
    rows = "text/rating/ratings\nA./5/5 5 6\nB./5/5 6 1\nC./5/\n"
    plain, floor = rated(rows, rule=LabelRule(4.5)), rated(rows, rule=LabelRule(3, floor=2))
    assert plain.ratings == floor.ratings == [5, 5, 5]
    assert plain.labels == [NATURAL] * 3
    assert floor.labels == [NATURAL, UNNATURAL, None]


def test_several_aspects(rated: Any) -> None:
    """Aspects are averaged for the target; all must be natural for the label."""
    rows = "text/f/g\nA./3 3/3 2\nB./3 3/3 1\nC./1 1/\nD./3 3/\n"
    table = rated(rows, rating_columns=["f", "g"], rule=LabelRule(2.5, floor=2))
    assert table.ratings == pytest.approx([2.75, 2.5, NAN], nan_ok=True)
    assert table.labels == [NATURAL, UNNATURAL, UNNATURAL]
    assert table.left_out == {"no rating in every aspect": 1}
    table = rated("text/f/g\nA./3/2\nB./3/3\n", rating_columns=["f", "g"], rule=LabelRule(2.5))
    assert (table.ratings, table.labels) == ([2.5, 3], [UNNATURAL, NATURAL])


def test_most_cells_decide_whether_a_column_holds_lists(rated: Any) -> None:
    """`ratings` always contains lists; equal numbers of columns of means and of lists belong to the same aspects."""
    table = rated("text/f\nA./3;4\nB./[1, 1]\nC./2\nD./\n", rating_columns=["f"], rule=LabelRule(2.5, floor=2))
    assert table.ratings == pytest.approx([3.5, 1, 2])
    assert table.labels == [NATURAL, UNNATURAL, UNNATURAL]
    table = rated("text/f\nA./4\nB./1\nC./1;2\n", rating_columns=["f"])
    assert (table.ratings, table.left_out) == ([4, 1], {"not a number in column 'f', as '1;2'": 1})
    assert rated("text/ratings\nA./4\nB./1\n", rating_columns=["ratings"]).ratings == [4, 1]
    rows = "text/mean/votes\nA./4/3;4\nB./1/1;2\n"
    table = rated(rows, rating_columns=["mean", "votes"], rule=LabelRule(2, floor=2))
    assert (table.ratings, table.labels) == ([4, 1], [NATURAL, UNNATURAL])


@pytest.mark.parametrize(
    ("table", "scale", "expected"),
    [
        ("text/rating\nA./5\nB./2\n", None, (2, 5)),
        ("text/rating\nA./5\nB./2\n", (1, 6), (1, 6)),
        ("text/rating/scale_min/scale_max\nA./5/1/4\nB./2/1/4\n", None, (1, 5)),
        ("text/rating/scale_min/scale_max\nA./5/1/4\nB./2/1/4\n", (0, 9), (0, 9)),
        ("text/rating/scale_min/scale_max\nA./5/1/4\nB./2/1/7\n", None, (2, 5)),
        ("text/rating/scale_min/scale_max\nA./5/low/4\nB./2/low/4\n", None, (2, 5)),
    ],
)
def test_scale_of_the_ratings(rated: Any, table: str, scale: Any, expected: tuple[float, float]) -> None:
    """The scale is the requested one, that of the table extended to outliers, or the observed range."""
    assert rated(table, scale=scale).scale == expected
