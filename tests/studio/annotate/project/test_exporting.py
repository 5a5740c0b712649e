"""What is exported is what was rated, in tables that the other commands read."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.data.compared import join
from naturalness.data.formats import location
from naturalness.data.paired import pair_columns, read_pairs
from naturalness.data.rated import read_rated
from naturalness.data.reading import first_columns, read_batches
from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import LABELS, PAIRS, SLIDER, Project, Scale
from naturalness.studio.annotate.project.exporting import beside
from naturalness.studio.annotate.project.preferences import preferred
from tests.support.annotation_projects import TEXTS, Make, rate
from tests.support.rated import sentences

FORMATS = ("csv", "tsv", "jsonl", "parquet", "csv.gz")


def rows_of(path: str | Path, text_column: str | None = None) -> list[dict[str, Any]]:
    """The rows of a table, with cells as their format gives them back."""
    batches = read_batches(location(str(path)), text_column=text_column)
    return [row for batch in batches for row in batch.rows]


@pytest.fixture
def project(make: Make) -> Project:
    """Texts rated, repeated, skipped, undone, and one left alone."""
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
def test_the_table_is_read_as_what_was_rated(project: Project, tmp_path: Path, ending: str) -> None:
    """In every format: texts, the mean of the ratings, and the scale."""
    done = project.export(str(tmp_path / f"rated.{ending}"))
    assert (done.rows, done.ratings, done.options, done.pairs_path) == (3, 4, (), "")
    where = location(done.path)
    table = read_rated(where)
    assert table.texts == [TEXTS[0], TEXTS[1], TEXTS[3]]
    assert table.ratings == [3.5, 2.0, 1.0]
    assert table.scale == (1.0, 6.0)
    assert table.left_out == {}
    rows = rows_of(done.path)
    assert [row["id"] for row in rows] == ["t0", "t1", "t3"]


@pytest.mark.parametrize("ending", FORMATS)
def test_single_ratings_keep_their_raters(project: Project, tmp_path: Path, ending: str) -> None:
    """As `compare` joins them; a repeated rating is not among them."""
    path = str(tmp_path / f"rated.{ending}")
    project.export(path)
    where = location(path)
    options = {
        "text_column": None,
        "label_column": None,
        "rating_columns": None,
        "rater_column": "raters",
        "source_column": None,
        "rater_scale": "none",
        "scale": None,
    }
    joined = join(where, read_rated(where, rater_column="raters"), options)
    assert joined.singles == [[5.0, 2.0], [2.0], [1.0]]
    assert joined.raters == [["ann", "bob"], ["ann"], ["bob"]]


def test_all_that_was_said(project: Project, tmp_path: Path) -> None:
    """Lists run alongside the raters."""
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


LABEL_SCALE = Scale(LABELS, 0, 2, ("unnatural", "not sure", "natural"))


def test_labels(make: Make, tmp_path: Path) -> None:
    """That of most, the worse one in a tie; ratings are their places."""
    project = make(scale=LABEL_SCALE, overlap=3)
    for text, values in enumerate([(2, 2, 0), (2, 0), (1,), (2,)]):
        for rater, value in zip(("ann", "bob", "cid"), values, strict=False):
            rate(project, rater, text, value)
    path = str(tmp_path / "rated.csv")
    assert project.export(path).options == ()
    table = read_rated(location(path))
    assert table.labels == ["natural", "unnatural", "not sure", "natural"]
    assert table.classes == ["unnatural", "not sure", "natural"]
    assert table.ratings == pytest.approx([4 / 3, 1, 1, 2])
    assert table.scale == (0.0, 2.0)


def test_labels_whose_order_nobody_could_tell(make: Make, tmp_path: Path) -> None:
    """The option that tells it comes with the export; labels never given are not in it."""
    project = make(scale=Scale(LABELS, 0, 3, ("awful", "odd", "fine", "superb")))
    for text, value in enumerate((3, 0, 1)):
        rate(project, "ann", text, value)
    path = str(tmp_path / "rated.csv")
    assert project.export(path).options == ("--labels", "awful,odd,superb")
    assert project.export_options() == ("--labels", "awful,odd,superb")
    with pytest.raises(TableError, match="order is not known"):
        read_rated(location(path))
    table = read_rated(location(path), order=["awful", "odd", "superb"])
    assert table.classes == ["awful", "odd", "superb"]


def test_labels_that_mean_the_reverse(make: Make, tmp_path: Path) -> None:
    """Whoever calls "no" the better one is believed."""
    project = make(scale=Scale(LABELS, 0, 1, ("yes", "no")))
    rate(project, "ann", 0, 0)
    rate(project, "ann", 1, 1)
    assert project.export(str(tmp_path / "r.csv")).options == ("--labels", "yes,no")


def test_columns_of_the_input_that_have_our_names(make: Make, tmp_path: Path) -> None:
    """Are renamed, so that no old label is taken for a rating."""
    cells = {"line": "A short text.", "label": "old", "rating": "9", "input_label": "older"}
    project = make([("A short text.", cells)], text_column="line")
    rate(project, "ann", 0, 4)
    done = project.export(str(tmp_path / "rated.csv"))
    assert done.renamed == {"label": "input_input_label", "rating": "input_rating"}
    assert done.options == ("--text-column", "line")
    (row,) = rows_of(done.path, "line")
    assert (row["input_input_label"], row["input_label"]) == ("old", "older")
    assert (row["input_rating"], row["rating"]) == ("9", "4.0")
    assert read_rated(location(done.path), text_column="line").ratings == [4.0]


def test_ratings_keep_all_their_digits(make: Make, tmp_path: Path) -> None:
    """Of a slider, too."""
    project = make(scale=Scale(SLIDER, 0, 1), overlap=2)
    rate(project, "ann", 0, 1 / 3)
    rate(project, "bob", 0, 0.1234567891234)
    for ending in FORMATS:
        path = str(tmp_path / f"r.{ending}")
        project.export(path)
        (row,) = rows_of(path)
        singles = row["ratings"] if isinstance(row["ratings"], list) else json.loads(row["ratings"])
        assert singles == [1 / 3, 0.1234567891234]
        assert float(row["rating"]) == math.fsum(singles) / 2


def test_what_raters_write_is_no_formula(make: Make, tmp_path: Path) -> None:
    """A spreadsheet would compute it; the texts are the user's own and stay as they were."""
    project = make(["=1+1", "A second text."])
    rate(project, "ann", 0, 4, note="=HYPERLINK(1)", cause="+cause")
    project.export(str(tmp_path / "rated.csv"))
    with (tmp_path / "rated.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["text"] == "=1+1"
    assert not any(value[0] in "=+-@" for key, value in row.items() if value and key != "text")
    project.export(str(tmp_path / "rated.jsonl"))
    assert rows_of(tmp_path / "rated.jsonl")[0]["notes"] == ["=HYPERLINK(1)"]


def test_texts_that_are_hard_to_quote(make: Make, tmp_path: Path) -> None:
    """Quotes, commas, lines and tags come back as they were."""
    texts = ['He said "no, never".', "One line,\nanother.", "<script>alert(1)</script>", "Ünï 🙂."]
    project = make(texts)
    for number in range(len(texts)):
        rate(project, "O'Neil, Ann", number, 3, note=texts[number])
    for ending in ("csv", "jsonl", "parquet"):
        path = str(tmp_path / f"r.{ending}")
        project.export(path)
        assert read_rated(location(path), rater_column="raters").texts == texts


def test_nothing_is_overwritten_or_half_written(project: Project, tmp_path: Path) -> None:
    """An existing table stays; formats that hold no ratings, and empty projects, are refused."""
    taken = tmp_path / "rated.csv"
    taken.write_text("precious")
    with pytest.raises(TableError, match="exists"):
        project.export(str(taken))
    assert taken.read_text() == "precious"
    with pytest.raises(TableError, match="holds texts alone"):
        project.export(str(tmp_path / "rated.txt"))
    project.export(str(taken), force=True)
    assert taken.read_text().startswith("text,id,rating")


def test_nothing_rated_is_nothing_to_export(make: Make, tmp_path: Path) -> None:
    """Skipped and undone are not rated."""
    project = make()
    rate(project, "ann", 0, None)
    rate(project, "ann", 1, 3)
    project.undo("ann")
    with pytest.raises(ProjectError, match="rated yet"):
        project.export(str(tmp_path / "rated.csv"))
    assert project.export_options() == ()
    assert not (tmp_path / "rated.csv").exists()


@pytest.mark.slow
def test_train_and_compare_read_it(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands themselves, on what two raters said."""
    rows = sentences(60)
    project = make([row[0] for row in rows], overlap=2)
    for text in project.texts():
        value = next(row[1] for row in rows if row[0] == text.text)
        rate(project, "ann", text.number, value)
        rate(project, "bob", text.number, min(6, value + text.number % 2))
    path = str(tmp_path / "rated.csv")
    project.export(path)
    quick = ["--learner", "logistic-l2", "--features", "surface", "--repeats", "2", "--folds", "2", "--jobs", "1"]
    assert run(["train", path, "-o", str(tmp_path / "model"), *quick]) == 0
    assert run(f"compare {path} --metrics length --raters raters".split()) == 0
    assert "alpha" in capsys.readouterr().out


@pytest.fixture
def paired_project(make: Make) -> Project:
    """Two raters, one pair turned round, one skipped, one undone, one repeated."""
    rows = [(text, {"text": text, "id": n}) for n, text in enumerate(TEXTS)]
    paired_project = make(rows, scale=Scale(PAIRS, -1, 1), overlap=2)
    rate(paired_project, "ann", (0, 1), 1, note="=clear")
    rate(paired_project, "bob", (1, 0), -1)
    rate(paired_project, "ann", (1, 0), 1, again=True)
    rate(paired_project, "ann", (0, 2), 0)
    rate(paired_project, "bob", (0, 2), 1)
    rate(paired_project, "ann", (1, 3), None)
    rate(paired_project, "ann", (3, 4), 1)
    paired_project.undo("ann")
    return paired_project


def test_a_rating_per_text(paired_project: Project, tmp_path: Path) -> None:
    """The chance to be preferred, 0 to 1; texts in no answered pair are not in the table."""
    done = paired_project.export(str(tmp_path / "rated.csv"))
    assert (done.rows, done.ratings) == (3, 4)
    outcomes = [(0, 1, 1.0), (0, 1, 1.0), (0, 2, 0.5), (0, 2, 1.0)]
    expected = preferred(5, outcomes)
    table = read_rated(location(done.path))
    assert table.texts == list(TEXTS[:3])
    assert table.ratings == pytest.approx(expected[:3].tolist())
    assert table.ratings[0] > table.ratings[1]
    assert table.scale == (0.0, 1.0)
    rows = rows_of(done.path)
    assert [(row["id"], row["pairs"]) for row in rows] == [("0", "4"), ("1", "2"), ("2", "2")]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "tsv.gz"])
def test_the_table_of_pairs(paired_project: Project, tmp_path: Path, ending: str) -> None:
    """As the raters saw them, repeated ones too."""
    done = paired_project.export(str(tmp_path / f"rated.{ending}"))
    assert done.pairs_path == str(tmp_path / f"rated.pairs.{ending}")
    rows = rows_of(done.pairs_path, "first_text")
    answers = [(int(r["first"]), int(r["second"]), r["better"], r["rater"]) for r in rows]
    assert answers == [
        (0, 1, "first", "ann"),
        (1, 0, "first", "ann"),
        (1, 0, "second", "bob"),
        (0, 2, "same", "ann"),
        (0, 2, "first", "bob"),
    ]
    assert [str(row["again"]).lower() == "true" for row in rows] == [False, True] + [False] * 3
    assert (rows[1]["first_text"], rows[1]["second_text"]) == (TEXTS[1], TEXTS[0])
    guarded = "'=clear" if ending in ("csv", "tsv.gz") else "=clear"
    assert rows[0]["note"] == guarded


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "tsv.gz"])
def test_the_table_of_pairs_can_be_learned_from(paired_project: Project, tmp_path: Path, ending: str) -> None:
    """As `train` reads it: repeated questions do not count."""
    done = paired_project.export(str(tmp_path / f"rated.{ending}"))
    where = location(done.pairs_path)
    columns = pair_columns(first_columns(where), where.path)
    assert columns is not None
    pairs = read_pairs(where, columns)
    text_pairs = [(pairs.texts[good], pairs.texts[bad]) for good, bad in pairs.pairs]
    assert text_pairs == [(TEXTS[0], TEXTS[1]), (TEXTS[0], TEXTS[2])]


def test_both_tables_or_none(paired_project: Project, tmp_path: Path) -> None:
    """An existing one of them is refused before the other is written."""
    (tmp_path / "rated.pairs.csv").write_text("precious")
    with pytest.raises(TableError, match="exists"):
        paired_project.export(str(tmp_path / "rated.csv"))
    assert [p.name for p in tmp_path.glob("rated*")] == ["rated.pairs.csv"]
    with pytest.raises(TableError, match="two tables; name a file"):
        paired_project.export("-")
    with pytest.raises(TableError, match="holds texts alone"):
        paired_project.export(str(tmp_path / "rated.txt"))


@pytest.mark.parametrize(
    ("path", "expected"), [("rated.csv", "rated.pairs.csv"), ("a.b/rated.v2.CSV.gz", "a.b/rated.v2.pairs.CSV.gz")]
)
def test_the_name_beside(path: str, expected: str) -> None:
    """The ending stays, so the format does."""
    assert beside(path) == expected
