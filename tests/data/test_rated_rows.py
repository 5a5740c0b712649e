"""Rows of rated tables: merged, scaled per rater, grouped, dropped, in any order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naturalness.data.formats import location
from naturalness.data.labels import RULES, LabelRule
from naturalness.data.rated import read_rated

CAT, DOG, SKY, SEA = "The cat naps.", "Dog the barks.", "The sky is blue.", "Sea deep is it."


def test_duplicates_are_merged(rated: Any) -> None:
    """Texts that differ in outer blanks are merged; text and row number are the first row's."""
    rows = [{"text": CAT, "ratings": [6, 6]}, {"text": DOG, "ratings": [1]}, {"text": f" {CAT} ", "ratings": [3]}]
    table = rated(*rows, rule=LabelRule(4, floor=4))
    assert (table.texts, table.rows, table.merged) == ([CAT, DOG], [0, 1], 1)
    assert (table.ratings, table.labels) == ([5, 1], ["unnatural", "unnatural"])
    apart = rated(*rows, rule=LabelRule(4, floor=4), merge_duplicates=False)
    assert (apart.ratings, apart.merged) == ([6, 1, 3], 0)
    assert apart.groups == [0, 1, 0]


def test_merged_means_and_labels(rated: Any) -> None:
    """The mean of the means, and the most frequent label, the worse one on a tie."""
    assert rated({"text": CAT, "rating": 5}, {"text": CAT, "rating": 2}).ratings == [3.5]
    labels = [(CAT, "good"), (CAT, "bad"), (CAT, "good"), (DOG, "good"), (DOG, "bad")]
    table = rated(*({"text": t, "label": x} for t, x in labels))
    assert (table.labels, table.merged) == (["good", "bad"], 3)


def test_long_format(rated: Any) -> None:
    """Each row is a judgement; the ratings of a text count as individual ones."""
    judgements = [(CAT, "ann", 1), (DOG, "ann", 0), (CAT, "Lee, Ben; jr", 1), (DOG, None, 1)]
    rows = [{"text": t, "who": w, "rating": r} for t, w, r in judgements]
    table = rated(*rows, rater_column="who", rule=RULES["groves2018-votes"])
    assert (table.ratings, table.labels, table.merged) == ([1, 0.5], ["natural", None], 2)


@pytest.mark.parametrize("layout", ["long", "lists", "columns"])
def test_ratings_scaled_per_rater(rated: Any, layout: str) -> None:
    """A strict and a mild rater agree after scaling; the observed scale is the new one."""
    ann, ben = {CAT: 3, DOG: 1, SKY: 2}, {CAT: 100, DOG: 80, SKY: 90}
    who: dict[str, Any] = {"rater_column": "who"}
    rows: list[dict[str, Any]]
    if layout == "lists":
        rows = [{"text": t, "who": ["ann", "ben"], "ratings": [ann[t], ben[t]]} for t in ann]
        rows[0]["rating"] = 51.5  # on the raters' own scales, so of no use
    elif layout == "columns":
        rows = [{"text": t, "ann": ann[t], "ben": ben[t], "mean": 51.5} for t in ann]
        who = {"rater_columns": ["ann", "ben"], "rating_columns": ["mean"]}
    else:
        by = (("ann", ann), ("ben", ben))
        rows = [{"text": t, "who": w, "rating": ratings[t]} for w, ratings in by for t in ann]
    table = rated(*rows, **who, rater_scale="unit", rule=LabelRule(0.75))
    assert table.ratings == [1, 0, 0.5]
    assert table.labels == ["natural", "unnatural", "unnatural"]
    assert (table.scale, table.rater_note) == ((0, 1), "")


def test_a_column_per_rater_with_missing_ratings(rated: Any) -> None:
    """A text that some raters left out keeps the other ratings; columns that nobody named are not read."""
    rows = [
        {"text": CAT, "ann": 5, "ben": "", "cy": 4, "rating": 1, "ratings": "1;1"},
        {"text": DOG, "ann": None, "ben": 2, "cy": "n/a", "rating": 1, "ratings": "1;1"},
        {"text": SKY, "ann": "", "ben": "", "cy": ""},
    ]
    table = rated(*rows, rater_columns=["ann", "ben", "cy"])
    assert table.ratings == [4.5, 2]
    assert table.singles == [[[5, 4]], [[2]]]
    assert table.raters == [[["ann", "cy"]], [["ben"]]]
    assert table.left_out == {"no rating": 1}


def test_ratings_that_cannot_be_scaled_are_dropped(rated: Any) -> None:
    """A rater with few ratings or without a name loses only those ratings."""
    rows = [{"text": t, "who": "ann", "rating": i} for i, t in enumerate((CAT, DOG, SKY))]
    rows += [{"text": CAT, "who": "ben", "rating": 9}, {"text": SEA, "who": "", "rating": 9}]
    table = rated(*rows, rater_column="who", rater_scale="rank")
    assert table.texts == [CAT, DOG, SKY]
    assert table.ratings == pytest.approx([1 / 6, 1 / 2, 5 / 6])
    assert table.left_out == {"no rating on a rater's scale": 1}
    assert table.rater_note == "raters: 2, of whom 1 with fewer than 3 ratings, which are not used"


def test_sources_and_texts_make_groups(rated: Any) -> None:
    """Groups connect through merged texts too; rows without a source stand alone."""
    pairs = [(CAT, "a"), (DOG, "b"), (CAT, "b"), (SKY, ""), (SEA, None)]
    rows = [{"text": t, "from": s, "rating": i} for i, (t, s) in enumerate(pairs)]
    assert rated(*rows, source_column="from").groups == [0, 0, 1, 2]
    apart = rated(*rows, source_column="from", merge_duplicates=False)
    assert apart.groups == [0, 0, 0, 1, 2]
    assert rated(*rows).groups == [0, 1, 2, 3]


def test_bad_rows_cost_no_others(tmp_path: Path) -> None:
    """Bad rows are counted by reason, with the first bad cell as an example."""
    good = [{"text": CAT, "rating": 5}, {"text": DOG, "rating": 1}]
    bad = [
        {"text": "  ", "rating": 1},
        {"text": None, "rating": 1},
        {"text": SKY},
        {"text": SKY, "rating": "nan"},
        {"text": SKY, "rating": "five"},
        {"text": SKY, "rating": "six"},
        {"text": SKY, "rating": "inf"},
        {"text": SKY, "rating": 7},
        {"rating": 3},
        {"text": 3, "rating": 3},
    ]
    lines = [json.dumps(row) for row in [good[0], *bad, good[1]]] + ["{", "[]"]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines))
    table = read_rated(location(str(path)), scale=(1, 6))
    assert (table.texts, table.rows) == ([CAT, DOG], [0, 11])
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


ROWS = st.lists(
    st.tuples(
        st.sampled_from([CAT, DOG, SKY, SEA]),
        st.sampled_from(["ann", "ben"]),
        st.sampled_from(["a", "b", "c", ""]),
        st.integers(1, 6),
    ),
    min_size=4,
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(rows=ROWS, method=st.sampled_from(["none", "z", "rank"]), data=st.data())
def test_the_order_of_rows_does_not_matter(
    rated: Any, rows: list[tuple[str, str, str, int]], method: str, data: st.DataObject
) -> None:
    """Ratings, labels and groups do not depend on the order."""

    def read(order: list[tuple[str, str, str, int]]) -> Any:
        judgements = ({"text": t, "who": w, "from": s, "rating": r} for t, w, s, r in order)
        options = {"rater_column": "who", "source_column": "from", "rater_scale": method}
        # Six ratings by nobody else make sure that a rater can be scaled.
        fill = ({"text": f"Text {i}.", "who": "cleo", "rating": i} for i in range(1, 7))
        table = rated(*judgements, *fill, **options)
        group = dict(zip(table.texts, table.groups, strict=True))
        together = {frozenset(t for t in group if group[t] == g) for g in table.groups}
        entries = zip(table.texts, table.ratings, table.labels, strict=True)
        return sorted(entries), together, table.scale, table.rule, table.left_out, table.merged

    assert read(rows) == read(data.draw(st.permutations(rows)))
