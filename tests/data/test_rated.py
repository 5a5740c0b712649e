"""Rated tables: every layout, labels as given or by a rule, the graded target and its scale."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from naturalness.data.formats import location
from naturalness.data.labels import RULES, LabelRule
from naturalness.data.rated import RatedTexts, read_rated
from naturalness.errors import TableError

NAN = float("nan")
CAT, DOG, SKY, SEA = "The cat naps.", "Dog the barks.", "The sky is blue.", "Sea deep is it."


def tsv(path: Path, text: str, **options: Any) -> RatedTexts:
    """Return a function that reads a table whose cells are separated by ``/``."""
    path = path / "t.tsv"
    path.write_text(text.replace("/", "\t"))
    return read_rated(location(str(path)), **options)


def test_labels_are_used_as_they_are(tmp_path: Path) -> None:
    """The table's names are the classes; there are no ratings and no scale."""
    table = tsv(tmp_path, f"id/text/label\n1/{CAT}/Good\n2/{DOG}/bad\n3/{SKY}/good\n4/{SEA}/Bad\n")
    assert table.texts == [CAT, DOG, SKY, SEA]
    assert table.labels == ["Good", "bad", "Good", "bad"]
    assert table.classes == ["bad", "Good"]
    assert table.rows == [0, 1, 2, 3]
    assert table.groups == [0, 1, 2, 3]
    assert all(math.isnan(r) for r in (*table.ratings, *table.scale))
    assert (table.left_out, table.merged, table.rule, table.rule_note) == ({}, 0, None, "labels as given")


def test_labels_in_a_given_order(rated: Any) -> None:
    """Any names and numbers work; labels outside the order are dropped and counted."""
    rows = [{"t": CAT, "l": 3}, {"t": DOG, "l": 1}, {"t": SKY, "l": 2.0}, {"t": SEA, "l": "?"}]
    table = rated(*rows, text_column="t", label_column="l", order=["1", "2", "3"])
    assert (table.labels, table.classes) == (["3", "1", "2"], ["1", "2", "3"])
    assert table.left_out == {"label that is not named, as '?'": 1}


def test_labels_and_ratings_side_by_side(rated: Any) -> None:
    """Labels come from their column and the target from ratings; either may be missing."""
    table = rated(
        {"text": CAT, "label": "yes", "rating": 5},
        {"text": DOG, "label": "no", "rating": ""},
        {"text": SKY, "label": None, "rating": 3},
    )
    assert table.labels == ["yes", "no", None]
    assert table.ratings == pytest.approx([5, NAN, 3], nan_ok=True)
    assert table.scale == (3, 5)


def test_an_empty_column_of_labels_gives_way_to_ratings(rated: Any) -> None:
    """A file that is still to be labelled is read by its ratings."""
    table = rated({"text": CAT, "label": "", "rating": 5}, {"text": DOG, "label": "", "rating": 1})
    assert table.labels == ["natural", "unnatural"]


def test_a_rule_makes_labels_from_ratings(rated: Any) -> None:
    """A rule gives three classes and a description, and overrides an unnamed label column."""
    rows = [{"text": t, "rating": r, "label": "good"} for t, r in ((CAT, 5), (DOG, 1), (SKY, 3))]
    table = rated(*rows, rule=LabelRule(4, 2, middle="not sure"))
    assert table.labels == ["natural", "unnatural", "not sure"]
    assert table.classes == ["unnatural", "not sure", "natural"]
    assert table.rule_note == "natural from a mean rating of 4; unnatural below 2; not sure between"
    left = rated(*rows, rule=LabelRule(4, 2))
    assert left.labels == ["natural", "unnatural", None]
    assert left.ratings == [5, 1, 3]


MEDIANS = [
    # ratings, cut, note
    ([1, 2, 4, 5], 3.0, "no rule given: natural from the median rating on, 3"),
    ([1, 2, 4], 2.0, "no rule given: natural from the median rating on, 2"),
    ([1, 1, 1, 3, 4], 3.0, "no rule given: natural from the lowest rating but one on (the median is the lowest), 3"),
    ([1, 5, 5, 5], 5.0, "no rule given: natural from the median rating on, 5"),
    ([4, 4, 4], 4.0, "no rule given: natural from the median rating on, 4"),
]


@pytest.mark.parametrize(("ratings", "cut", "note"), MEDIANS)
def test_without_a_rule_the_median_decides(rated: Any, ratings: list[int], cut: float, note: str) -> None:
    """The median gives two classes whenever ratings differ."""
    table = rated(*({"text": f"Text {i}.", "rating": r} for i, r in enumerate(ratings)))
    assert table.rule == LabelRule(cut)
    assert table.rule_note == note
    assert table.labels == ["natural" if r >= cut else "unnatural" for r in ratings]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_lists_of_ratings_in_every_format(name: str, tmp_path: Path) -> None:
    """Lists are text in CSV, and real lists in JSON lines and Parquet."""
    path, ratings = tmp_path / name, [[5, 6], [1, 2, 3]]
    if name == "t.csv":
        path.write_text(f'text,ratings\n{CAT},"[5, 6]"\n{DOG},1 2 3\n')
    elif name == "t.jsonl":
        rows = zip((CAT, DOG), ratings, strict=True)
        path.write_text("\n".join(json.dumps({"text": t, "ratings": r}) for t, r in rows))
    else:
        pq.write_table(pa.table({"text": [CAT, DOG], "ratings": ratings}), path)
    table = read_rated(location(str(path)), rule=RULES["groves2018-likert"])
    assert table.ratings == [5.5, 2]
    assert table.labels == ["natural", "unnatural"]
    assert table.scale == (1, 6)


def test_both_columns_do_what_each_is_best_at(rated: Any) -> None:
    """`rating` (here a median) is the target and meets plain rules; floors use individual ratings."""
    rows = [
        {"text": CAT, "rating": 5, "ratings": [5, 5, 6]},
        {"text": DOG, "rating": 5, "ratings": [5, 6, 1]},
        {"text": SKY, "rating": 5, "ratings": []},
    ]
    plain = rated(*rows, rule=LabelRule(4.5))
    assert plain.ratings == [5, 5, 5]
    assert plain.labels == ["natural"] * 3
    floor = rated(*rows, rule=LabelRule(3, floor=2))
    assert floor.ratings == [5, 5, 5]
    assert floor.labels == ["natural", "unnatural", None]
    assert floor.rule_note.endswith("; no label for texts without single ratings: 1")


def test_shares_of_votes_as_target(rated: Any) -> None:
    """The target is a share from 0 to 1; a text without individual ratings is dropped."""
    rows = [
        {"text": CAT, "ratings": [1, 1, 1, 0], "rating": 0.75},
        {"text": DOG, "ratings": [0, 0, 0, 0], "rating": 0},
        {"text": SKY, "ratings": [1, 0], "rating": 0.5},
        {"text": SEA, "ratings": [], "rating": 0.5},
    ]
    table = rated(*rows, rule=RULES["groves2018-votes"], target="share")
    assert table.ratings == [0.75, 0, 0.5]
    assert table.labels == ["natural", "unnatural", None]
    assert table.scale == (0, 1)
    assert table.left_out == {"no single ratings": 1}


def test_several_aspects(rated: Any) -> None:
    """Aspects are averaged for the target; all must be natural for the label."""
    rows = [
        {"text": CAT, "f": [3, 3], "g": [3, 2]},
        {"text": DOG, "f": [3, 3], "g": [3, 1]},
        {"text": SKY, "f": [1, 1], "g": []},
        {"text": SEA, "f": [3, 3], "g": []},
    ]
    table = rated(*rows, rating_columns=["f", "g"], rule=LabelRule(2.5, floor=2))
    assert table.ratings == pytest.approx([2.75, 2.5, NAN], nan_ok=True)
    assert table.labels == ["natural", "unnatural", "unnatural"]
    assert table.left_out == {"no rating in every aspect": 1}
    means = [{"text": CAT, "f": 3, "g": 2}, {"text": DOG, "f": 3, "g": 3}]
    table = rated(*means, rating_columns=["f", "g"], rule=LabelRule(2.5))
    assert (table.ratings, table.labels) == ([2.5, 3], ["unnatural", "natural"])


def test_columns_of_lists_tell_themselves(rated: Any) -> None:
    """Most cells of a rating column decide whether it holds lists; `ratings` always does."""
    lists = [{"text": CAT, "f": "3;4"}, {"text": DOG, "f": "[1, 1]"}, {"text": SKY, "f": "2"}, {"text": SEA, "f": ""}]
    table = rated(*lists, rating_columns=["f"], rule=LabelRule(2.5, floor=2))
    assert table.ratings == pytest.approx([3.5, 1, 2])
    assert table.labels == ["natural", "unnatural", "unnatural"]
    numbers = [{"text": CAT, "f": 4}, {"text": DOG, "f": 1}, {"text": SKY, "f": "1;2"}]
    table = rated(*numbers, rating_columns=["f"])
    assert table.ratings == [4, 1]
    assert table.left_out == {"not a number in column 'f', as '1;2'": 1}
    table = rated(
        {"text": CAT, "ratings": 4}, {"text": DOG, "ratings": 1}, rating_columns=["ratings"], rule=LabelRule(2)
    )
    assert table.ratings == [4, 1]


def test_numbers_and_the_lists_behind_them(rated: Any) -> None:
    """Equally many columns of means and lists are the same aspects; otherwise it is an error."""
    rows = [{"text": CAT, "mean": 4, "votes": "3;4"}, {"text": DOG, "mean": 1, "votes": "1;2"}]
    table = rated(*rows, rating_columns=["mean", "votes"], rule=LabelRule(2, floor=2))
    assert (table.ratings, table.labels) == ([4, 1], ["natural", "unnatural"])
    with pytest.raises(TableError, match="2 rating columns and 1 columns of single ratings"):
        rated(*(row | {"other": 3} for row in rows), rating_columns=["mean", "votes", "other"])


def test_scale_of_the_ratings(rated: Any) -> None:
    """The scale is given, or the table's, extended to outliers, or the observed range."""
    rows = [{"text": CAT, "rating": 5}, {"text": DOG, "rating": 2}]
    assert rated(*rows).scale == (2, 5)
    assert rated(*rows, scale=(1, 6)).scale == (1, 6)
    scaled_rows = [row | {"scale_min": 1, "scale_max": 4} for row in rows]
    assert rated(*scaled_rows).scale == (1, 5)
    assert rated(*scaled_rows, scale=(0, 9)).scale == (0, 9)
    assert rated(scaled_rows[0], scaled_rows[1] | {"scale_max": 7}).scale == (2, 5)
    assert rated(*(row | {"scale_min": "low"} for row in scaled_rows)).scale == (2, 5)
