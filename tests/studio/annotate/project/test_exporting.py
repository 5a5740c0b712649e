"""What is exported is what was rated, in tables that the other commands read."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from naturalness.data.compared import join
from naturalness.data.formats import location
from naturalness.data.paired import pair_columns, read_pairs
from naturalness.data.rated import read_rated
from naturalness.data.reading import first_columns, read_batches
from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import LABELS, PAIRS, Project, Scale
from naturalness.studio.annotate.project.preferences import preferred
from tests.support.annotation_projects import TEXTS, Make, rate

FORMATS = ("csv", "tsv", "jsonl", "parquet", "csv.gz")


def rows_of(path: str | Path, text_column: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    batches = read_batches(location(str(path)), text_column=text_column)
    return [row for batch in batches for row in batch.rows]


@pytest.fixture
def project(make: Make) -> Project:
    """Return a project with texts that were rated, repeated, skipped, undone, and not asked about."""
    rows = [(text, {"text": text, "id": f"t{n}"}) for n, text in enumerate(TEXTS)]
    project = make([*rows, ("The last one, nobody sees.", {})], overlap=2)
    rate(project, "ann", 0, 5, seconds=2.5)
    rate(project, "bob", 0, 2, note="a note, with comma", cause="word_order", marks=((4, 8),))
    rate(project, "ann", 0, 6, again=True)
    rate(project, "ann", 1, 2, test=True)
    rate(project, "ann", 2, None)
    rate(project, "bob", 3, 1)
    rate(project, "bob", 4, 4)
    project.undo("bob")
    return project


@pytest.mark.parametrize("ending", FORMATS)
def test_other_commands_read_the_table(project: Project, tmp_path: Path, ending: str) -> None:
    """They find texts, mean ratings, the scale, and each rater's first rating."""
    done = project.export(str(tmp_path / f"rated.{ending}"))
    assert (done.rows, done.ratings, done.options, done.pairs_path) == (3, 4, (), "")
    table = read_rated(location(done.path))
    assert table.texts == [TEXTS[0], TEXTS[1], TEXTS[3]]
    assert table.ratings == [3.5, 2.0, 1.0]
    assert (table.scale, table.left_out) == ((1.0, 6.0), {})
    assert [row["id"] for row in rows_of(done.path)] == ["t0", "t1", "t3"]
    options = {
        "text_column": None,
        "label_column": None,
        "rating_columns": None,
        "rater_column": "raters",
        "source_column": None,
        "rater_scale": "none",
        "scale": None,
    }
    joined = join(location(done.path), read_rated(location(done.path), rater_column="raters"), options)
    assert joined.singles == [[5.0, 2.0], [2.0], [1.0]]
    assert joined.raters == [["ann", "bob"], ["ann"], ["bob"]]


def test_table_has_everything_that_raters_entered(project: Project, tmp_path: Path) -> None:
    """Lists have the same order as the raters."""
    project.export(str(tmp_path / "rated.jsonl"))
    first, second, _ = rows_of(tmp_path / "rated.jsonl")
    assert first == {
        "text": TEXTS[0],
        "id": "t0",
        "rating": 3.5,
        "ratings": [5.0, 2.0],
        "raters": ["ann", "bob"],
        "scale_min": 1.0,
        "scale_max": 6.0,
        "test": False,
        "ratings_again": [[6.0], []],
        "notes": ["", "a note, with comma"],
        "causes": ["", "word_order"],
        "marks": [[], [[4, 8]]],
        "seconds": [2.5, 0.0],
        "rated_at": ["2030-01-01T00:00:00.000+00:00"] * 2,
    }
    assert second["test"] is True


def test_label_is_that_of_the_majority(make: Make, tmp_path: Path) -> None:
    """In a tie, it is the worse one; ratings are the positions of labels."""
    project = make(scale=Scale(LABELS, 0, 2, ("unnatural", "not sure", "natural")), overlap=3)
    for text, values in enumerate([(2, 2, 0), (2, 0), (1,), (2,)]):
        for rater, value in zip(("ann", "bob", "cid"), values, strict=False):
            rate(project, rater, text, value)
    done = project.export(str(tmp_path / "rated.csv"))
    table = read_rated(location(done.path))
    assert done.options == ()
    assert table.labels == ["natural", "unnatural", "not sure", "natural"]
    assert table.classes == ["unnatural", "not sure", "natural"]
    assert table.ratings == pytest.approx([4 / 3, 1, 1, 2])
    assert table.scale == (0.0, 2.0)


@pytest.mark.parametrize(
    ("labels", "values", "option"),
    [(("awful", "odd", "fine", "superb"), (3, 0, 1), "awful,odd,superb"), (("yes", "no"), (0, 1), "yes,no")],
)
def test_options_give_the_order_of_labels(
    make: Make, tmp_path: Path, labels: tuple[str, ...], values: tuple[int, ...], option: str
) -> None:
    """Unless their names imply it; labels that were never given are left out."""
    project = make(scale=Scale(LABELS, 0, len(labels) - 1, labels))
    for text, value in enumerate(values):
        rate(project, "ann", text, value)
    done = project.export(str(tmp_path / "rated.csv"))
    assert done.options == project.export_options() == ("--labels", option)
    assert read_rated(location(done.path), order=option.split(",")).classes == option.split(",")


def test_columns_of_the_input_are_renamed(make: Make, tmp_path: Path) -> None:
    """If they have a name of an added column, so that no old label is taken for a rating."""
    cells = {"line": "A short text.", "label": "old", "rating": "9", "input_label": "older"}
    project = make([("A short text.", cells)], text_column="line")
    rate(project, "ann", 0, 4)
    done = project.export(str(tmp_path / "rated.csv"))
    assert done.renamed == {"label": "input_input_label", "rating": "input_rating"}
    assert done.options == ("--text-column", "line")
    (row,) = rows_of(done.path, "line")
    assert (row["input_input_label"], row["input_label"]) == ("old", "older")
    assert (row["input_rating"], row["rating"]) == ("9", "4.0")


def test_notes_are_no_formulas_in_a_spreadsheet(make: Make, tmp_path: Path) -> None:
    """Texts of the input are unchanged, even if they begin like a formula."""
    project = make(["=1+1", "A second text."])
    rate(project, "ann", 0, 4, note="=HYPERLINK(1)", cause="+cause")
    project.export(str(tmp_path / "rated.csv"))
    with (tmp_path / "rated.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["text"] == "=1+1"
    assert not any(value[0] in "=+-@" for key, value in row.items() if value and key != "text")
    project.export(str(tmp_path / "rated.jsonl"))
    assert rows_of(tmp_path / "rated.jsonl")[0]["notes"] == ["=HYPERLINK(1)"]


def test_no_file_is_overwritten_unless_forced(project: Project, tmp_path: Path) -> None:
    """Formats that hold no ratings, and projects without ratings, are refused."""
    taken = tmp_path / "rated.csv"
    taken.write_text("precious")
    with pytest.raises(TableError, match="exists"):
        project.export(str(taken))
    assert taken.read_text() == "precious"
    with pytest.raises(TableError, match="holds texts alone"):
        project.export(str(tmp_path / "rated.txt"))
    project.export(str(taken), force=True)
    assert taken.read_text().startswith("text,id,rating")
    while project.undo("ann") or project.undo("bob"):
        pass
    rate(project, "ann", 5, None)
    with pytest.raises(ProjectError, match="rated yet"):
        project.export(str(tmp_path / "other.csv"))
    assert project.export_options() == ()
    assert not (tmp_path / "other.csv").exists()


@pytest.fixture
def pairs(make: Make) -> Project:
    """Return a project with pairs that were rated in both orders, repeated, skipped and undone."""
    rows = [(text, {"text": text, "id": n}) for n, text in enumerate(TEXTS)]
    project = make(rows, scale=Scale(PAIRS, -1, 1), overlap=2)
    rate(project, "ann", (0, 1), 1, note="=clear")
    rate(project, "bob", (1, 0), -1)
    rate(project, "ann", (1, 0), 1, again=True)
    rate(project, "ann", (0, 2), 0)
    rate(project, "bob", (0, 2), 1)
    rate(project, "ann", (1, 3), None)
    rate(project, "ann", (3, 4), 1)
    project.undo("ann")
    return project


@pytest.mark.parametrize(
    ("ending", "beside"), [("csv", "pairs.csv"), ("jsonl", "pairs.jsonl"), ("v2.tsv.gz", "v2.pairs.tsv.gz")]
)
def test_pairs_are_exported_as_two_tables(pairs: Project, tmp_path: Path, ending: str, beside: str) -> None:
    """One has a rating per text, the other the answers as the raters saw the pairs; `train` reads both."""
    done = pairs.export(str(tmp_path / f"rated.{ending}"))
    assert (done.rows, done.ratings, done.pairs_path) == (3, 4, str(tmp_path / f"rated.{beside}"))
    table = read_rated(location(done.path))
    _, expected = preferred([(0, 1, 1.0), (0, 1, 1.0), (0, 2, 0.5), (0, 2, 1.0)])
    assert (table.texts, table.scale) == (list(TEXTS[:3]), (0.0, 1.0))
    assert table.ratings == pytest.approx(expected.tolist())
    assert [(str(row["id"]), str(row["pairs"])) for row in rows_of(done.path)] == [("0", "4"), ("1", "2"), ("2", "2")]
    rows = rows_of(done.pairs_path, "first_text")
    assert [(int(r["first"]), int(r["second"]), r["better"], r["rater"]) for r in rows] == [
        (0, 1, "first", "ann"),
        (1, 0, "first", "ann"),
        (1, 0, "second", "bob"),
        (0, 2, "same", "ann"),
        (0, 2, "first", "bob"),
    ]
    assert [str(row["again"]).lower() == "true" for row in rows] == [False, True] + [False] * 3
    assert (rows[1]["first_text"], rows[1]["second_text"]) == (TEXTS[1], TEXTS[0])
    assert rows[0]["note"] == ("=clear" if ending == "jsonl" else "'=clear")
    where = location(done.pairs_path)
    columns = pair_columns(first_columns(where), where.path)
    assert columns is not None
    learned = read_pairs(where, columns)
    assert [(learned.texts[good], learned.texts[bad]) for good, bad in learned.pairs] == [
        (TEXTS[0], TEXTS[1]),
        (TEXTS[0], TEXTS[2]),
    ]


def test_both_tables_of_pairs_or_none_are_written(pairs: Project, tmp_path: Path) -> None:
    """If one of them exists, the other is not written."""
    (tmp_path / "rated.pairs.csv").write_text("precious")
    with pytest.raises(TableError, match="exists"):
        pairs.export(str(tmp_path / "rated.csv"))
    assert [p.name for p in tmp_path.glob("rated*")] == ["rated.pairs.csv"]
    with pytest.raises(TableError, match="two tables; name a file"):
        pairs.export("-")
    with pytest.raises(TableError, match="holds texts alone"):
        pairs.export(str(tmp_path / "rated.txt"))
