"""Exported ratings, as other commands read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from naturalness.data.compared import join
from naturalness.data.formats import location
from naturalness.data.rated import read_rated
from naturalness.data.reading import read_batches
from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import LABELS, Project, Scale
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
    """Texts, mean ratings, the scale and each rater's first rating are read back."""
    done = project.export(str(tmp_path / f"rated.{ending}"))
    assert (done.rows, done.ratings, done.options) == (3, 4, ())
    table = read_rated(location(done.path))
    assert table.texts == [TEXTS[0], TEXTS[1], TEXTS[3]]
    assert table.ratings == [3.5, 2.0, 1.0]
    assert (table.scale, table.left_out) == ((1.0, 6.0), {})
    assert [row["id"] for row in rows_of(done.path)] == ["t0", "t1", "t3"]
    joined = join(location(done.path), read_rated(location(done.path), rater_column="raters"))
    assert joined.singles == [[5.0, 2.0], [2.0], [1.0]]
    assert joined.raters == [["ann", "bob"], ["ann"], ["bob"]]


def test_table_has_everything_that_raters_entered(project: Project, tmp_path: Path) -> None:
    """All lists are in the order of the raters."""
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
    """In a tie, the worse label wins; ratings are the positions of labels."""
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
    """The options state the order of labels, without unused ones, unless the names of labels imply the order."""
    project = make(scale=Scale(LABELS, 0, len(labels) - 1, labels))
    for text, value in enumerate(values):
        rate(project, "ann", text, value)
    done = project.export(str(tmp_path / "rated.csv"))
    assert done.options == project.export_options() == ("--labels", option)
    assert read_rated(location(done.path), order=option.split(",")).classes == option.split(",")


def test_columns_of_the_input_are_renamed(make: Make, tmp_path: Path) -> None:
    """Input columns with the name of an added column get a prefix."""
    cells = {"line": "A short text.", "label": "old", "rating": "9", "input_label": "older"}
    project = make([("A short text.", cells)], text_column="line")
    rate(project, "ann", 0, 4)
    done = project.export(str(tmp_path / "rated.csv"))
    assert done.renamed == {"label": "input_input_label", "rating": "input_rating"}
    assert done.options == ("--text-column", "line")
    (row,) = rows_of(done.path, "line")
    assert (row["input_input_label"], row["input_label"]) == ("old", "older")
    assert (row["input_rating"], row["rating"]) == ("9", "4.0")


def test_no_file_is_overwritten_unless_forced(project: Project, tmp_path: Path) -> None:
    """Formats without columns and projects without ratings are refused."""
    taken = tmp_path / "rated.csv"
    taken.write_text("precious")
    with pytest.raises(TableError, match="exists"):
        project.export(str(taken))
    assert taken.read_text() == "precious"
    with pytest.raises(TableError, match="holds only texts"):
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
