"""Pairs become a table of what was preferred, and one with a rating per text."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.annotate.project import PAIRS, Project, Scale
from naturalness.annotate.project.exporting import beside
from naturalness.annotate.project.preferences import preferred
from naturalness.data.formats import location
from naturalness.data.paired import pair_columns, read_pairs
from naturalness.data.rated import read_rated
from naturalness.data.reading import first_columns
from naturalness.errors import TableError
from tests.annotate.project.conftest import TEXTS, Make, rate
from tests.annotate.project.test_exporting import rows_of


@pytest.fixture
def project(make: Make) -> Project:
    """Two raters, one pair turned round, one skipped, one undone, one settled, one repeated."""
    rows = [(text, {"text": text, "id": n}) for n, text in enumerate(TEXTS)]
    project = make(rows, scale=Scale(PAIRS, -1, 1), overlap=2)
    rate(project, "ann", (0, 1), 1, note="=clear")
    rate(project, "bob", (1, 0), -1)
    rate(project, "ann", (1, 0), 1, again=True)
    rate(project, "ann", (0, 2), 0)
    rate(project, "bob", (0, 2), 1)
    project.settle((2, 0), 1, "bob")
    rate(project, "ann", (1, 3), None)
    rate(project, "ann", (3, 4), 1)
    project.undo("ann")
    return project


def test_a_rating_per_text(project: Project, tmp_path: Path) -> None:
    """The chance to be preferred, 0 to 1; texts in no answered pair are not in the table."""
    done = project.export(str(tmp_path / "rated.csv"))
    assert (done.rows, done.ratings) == (3, 4)
    outcomes = [(0, 1, 1.0), (0, 1, 1.0), (0, 2, 0.0)]  # the third is settled
    expected = preferred(5, outcomes)
    found = read_rated(location(done.path))
    assert found.texts == list(TEXTS[:3])
    assert found.ratings == pytest.approx(expected[:3].tolist())
    assert found.ratings[0] > found.ratings[1]
    assert found.scale == (0.0, 1.0)
    rows = rows_of(done.path)
    assert [(row["id"], row["pairs"]) for row in rows] == [("0", "3"), ("1", "2"), ("2", "1")]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "tsv.gz"])
def test_the_table_of_pairs(project: Project, tmp_path: Path, ending: str) -> None:
    """As the raters saw them, repeated ones too, then what was settled."""
    done = project.export(str(tmp_path / f"rated.{ending}"))
    assert done.pairs_path == str(tmp_path / f"rated.pairs.{ending}")
    rows = rows_of(done.pairs_path, "first_text")
    told = [(int(r["first"]), int(r["second"]), r["better"], r["rater"]) for r in rows]
    assert told == [
        (0, 1, "first", "ann"),
        (1, 0, "first", "ann"),
        (1, 0, "second", "bob"),
        (0, 2, "same", "ann"),
        (0, 2, "first", "bob"),
        (0, 2, "second", "bob"),
    ]
    assert [str(row["again"]).lower() == "true" for row in rows] == [False, True] + [False] * 4
    assert [str(row["settled"]).lower() == "true" for row in rows] == [False] * 5 + [True]
    assert (rows[1]["first_text"], rows[1]["second_text"]) == (TEXTS[1], TEXTS[0])
    guarded = "'=clear" if ending in ("csv", "tsv.gz") else "=clear"
    assert rows[0]["note"] == guarded


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "tsv.gz"])
def test_the_table_of_pairs_can_be_learned_from(project: Project, tmp_path: Path, ending: str) -> None:
    """As `train` reads it: repeated questions do not count, and what was settled counts alone."""
    done = project.export(str(tmp_path / f"rated.{ending}"))
    where = location(done.pairs_path)
    columns = pair_columns(first_columns(where), where.path)
    assert columns is not None
    pairs = read_pairs(where, columns)
    told = [(pairs.texts[good], pairs.texts[bad]) for good, bad in pairs.pairs]
    assert told == [(TEXTS[0], TEXTS[1]), (TEXTS[2], TEXTS[0])]


def test_both_tables_or_none(project: Project, tmp_path: Path) -> None:
    """An existing one of them is refused before the other is written."""
    (tmp_path / "rated.pairs.csv").write_text("precious")
    with pytest.raises(TableError, match="exists"):
        project.export(str(tmp_path / "rated.csv"))
    assert [p.name for p in tmp_path.glob("rated*")] == ["rated.pairs.csv"]
    with pytest.raises(TableError, match="two tables; name a file"):
        project.export("-")
    with pytest.raises(TableError, match="holds texts alone"):
        project.export(str(tmp_path / "rated.txt"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("rated.csv", "rated.pairs.csv"),
        ("a.b/rated.v2.CSV.gz", "a.b/rated.v2.pairs.CSV.gz"),
        ("s3://bucket/rated.parquet?region=x", "s3://bucket/rated.pairs.parquet?region=x"),
    ],
)
def test_the_name_beside(path: str, expected: str) -> None:
    """The ending stays, so the format does."""
    assert beside(path) == expected
