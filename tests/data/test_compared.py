"""Columns that a comparison joins to rated texts by row number."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from naturalness.data.compared import Joined, join
from naturalness.data.formats import location
from naturalness.data.rated import read_rated
from naturalness.errors import TableError


def joined(
    path: Path, text: str, *, merge: bool = False, by_rater: dict[str, Any] | None = None, **options: Any
) -> Joined:
    """Write a table, read its ratings and join the rest."""
    path.write_text(text, encoding="utf-8")
    where = location(str(path))
    rated = read_rated(where, merge_duplicates=merge, **(by_rater or {}))
    return join(where, rated, **options)


def test_rows_are_joined_by_number(tmp_path: Path) -> None:
    """An unusable row is dropped with its cells."""
    table = (
        "text\trating\tratings\tsystem\treferences\n"
        'A boat.\t3\t[3, 3]\tx\t["One, two.", "Three."]\n'
        "\t4\t[4]\ty\t\n"
        "A chair.\t2\t[1, null, 3]\tz\tJust one, with a comma.\n"
        "A clock.\t5\t\tx\t\n"
    )
    columns = joined(tmp_path / "t.tsv", table, by=["system"])
    assert columns.systems == ["x", "z", "x"]
    assert columns.by == {"system": ["x", "z", "x"]}
    assert columns.references == [["One, two.", "Three."], ["Just one, with a comma."], []]
    assert columns.singles == [[3, 3], [1, 3], []]


def test_missing_columns(tmp_path: Path) -> None:
    """Missing and empty columns are None; a column that the user names must exist."""
    columns = joined(tmp_path / "t.csv", "text,rating,system\nA boat.,3,\nA chair.,2,\n")
    assert (columns.systems, columns.references, columns.singles) == (None, None, None)
    with pytest.raises(TableError, match="no column 'writer'; it has: text, rating"):
        joined(tmp_path / "t.csv", "text,rating\nA boat.,3\n", system_column="writer")


def test_scores_of_a_table(tmp_path: Path) -> None:
    """A cell that is not a number is a missing score; merged rows have the mean score."""
    table = (
        "text,rating,comet,ter\nA boat.,3,0.5,10\nA chair.,2,,20\nA clock.,5,fine,30\n"
        "A boat.,3,0.7,\nOne cup.,4,1_0,5\n"
    )
    columns = joined(tmp_path / "t.csv", table, scores=["comet", "ter"])
    assert str(columns.scores["comet"]) == "[0.5, nan, nan, 0.7, nan]"
    assert str(columns.scores["ter"]) == "[10.0, 20.0, 30.0, nan, 5.0]"
    merged = joined(tmp_path / "t.csv", table, merge=True, scores=["comet", "ter"])
    assert str(merged.scores["comet"]) == "[0.6, nan, nan, nan]"
    assert str(merged.scores["ter"]) == "[10.0, 20.0, 30.0, 5.0]"


def test_columns_without_scores_are_refused(tmp_path: Path) -> None:
    """A missing column gets a suggestion; a column without numbers is an error."""
    table = "text,rating,comet,name\nA boat.,3,0.5,x\nA chair.,2,,y\n"
    with pytest.raises(TableError, match="no column 'commet'; did you mean 'comet'"):
        joined(tmp_path / "t.csv", table, scores=["commet"])
    with pytest.raises(TableError, match="column 'name' holds no number"):
        joined(tmp_path / "t.csv", table, scores=["name"])


def test_merged_rows(tmp_path: Path) -> None:
    """Individual ratings and references of merged rows are combined; differing systems become None."""
    table = (
        "text,ratings,system,references,domain\n"
        'A boat.,1;2,x,"[""One.""]",home\n'
        "A chair.,5,y,,home\n"
        'A boat. ,3,y,"[""Two."", ""One.""]",home\n'
    )
    columns = joined(tmp_path / "t.csv", table, merge=True, by=["domain", "system"])
    assert columns.systems == [None, "y"]
    assert columns.by == {"domain": ["home", "home"], "system": ["several", "y"]}
    assert columns.references == [["One.", "Two."], []]
    assert columns.singles == [[1, 2, 3], [5]]


def test_rows_left_out_do_not_affect_merged_rows(tmp_path: Path) -> None:
    """A dropped row of the same text does not count as merged."""
    table = (
        "text,rating,system,references,comet\n"
        "A boat.,1,A,One.,1\n"
        "Dogs bark loud.,2,B,Two.,2\n"
        "Dogs bark loud.,,C,Three.,5\n"
        "Dogs bark loud.,good,D,Four.,8\n"
        "A boat.,3,A,One.,3\n"
    )
    columns = joined(tmp_path / "t.csv", table, merge=True, scores=["comet"], by=["system"])
    assert columns.systems == ["A", "B"] and columns.by == {"system": ["A", "B"]}
    assert columns.references == [["One."], ["Two."]]
    assert columns.scores == {"comet": [2.0, 2.0]}


def test_long_format_and_raters(tmp_path: Path) -> None:
    """Judgements are merged by text, raters are known, and each rater's scale is removed."""
    rows = [f"Text {i}.,{r + 2 * (who == 'bob')},{who}" for i, r in enumerate((1, 2, 3)) for who in ("ann", "bob")]
    columns = joined(
        tmp_path / "t.csv",
        "\n".join(["text,rating,rater", *rows]),
        merge=True,
        by_rater={"rating_columns": ["rating"], "rater_column": "rater", "rater_scale": "z"},
    )
    assert columns.raters == [["ann", "bob"]] * 3
    assert columns.singles is not None
    assert all(math.isclose(a, b, abs_tol=1e-12) for a, b in columns.singles)


def test_several_aspects_have_no_single_agreement(tmp_path: Path) -> None:
    """A note says that agreement is not computed for several aspects."""
    table = "text,a,b\nA boat.,1;2,3;4\nA chair.,2;2,1;1\n"
    columns = joined(tmp_path / "t.csv", table, by_rater={"rating_columns": ["a", "b"]})
    assert columns.singles is None
    assert "single aspect" in columns.notes[0]


def test_references_are_texts(tmp_path: Path) -> None:
    """`null` is no reference, and brackets that do not form a list are a text; other types are refused."""
    rows = """{"text": "A boat.", "rating": 1, "references": ["One.", null, " ", "Two."]}
{"text": "A chair.", "rating": 2, "references": "[\\"Three.\\", null]"}
{"text": "A clock.", "rating": 3, "references": "[laughs] The clock, then."}
{"text": "A house.", "rating": 4, "references": null}
"""
    path = tmp_path / "t.jsonl"
    columns = joined(path, rows)
    assert columns.references == [["One.", "Two."], ["Three."], ["[laughs] The clock, then."], []]
    for wrong, said in (
        ("7", "7"),
        ('[["One."]]', r"\['One.'\]"),
        ('{"a": 1}', "{'a': 1}"),
        ('"[1, 2]"', "1"),
        ("[true]", "True"),
    ):
        table = rows.replace('"[laughs] The clock, then."', wrong)
        with pytest.raises(TableError, match=f"row 3, column 'references': found {said}; expected"):
            joined(path, table)
        assert joined(path, table, needs_references=False).references is None
