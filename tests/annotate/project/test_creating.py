"""A project is made from a table: as a whole or not at all, and never in place of a file."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from naturalness.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Project, Scale, table_rows
from naturalness.data.formats import location
from naturalness.errors import ProjectError, TableError
from tests.annotate.project.conftest import SCALE, TEXTS, Make


def test_texts_keep_their_order_and_their_cells(make: Make) -> None:
    """Other columns stay as they were, half characters and all; what JSON lacks becomes text."""
    cells = {"text": "One line.", "id": 7, "tags": ["a", None], "bytes": "\udcff", "none": None}
    project = make([("One line.", cells), ("Another line.", {"day": date(2024, 5, 1)})])
    first, second = project.texts()
    assert (first.number, first.text, second.number) == (0, "One line.", 1)
    assert first.cells == {"id": 7, "tags": ["a", None], "bytes": "\udcff", "none": None}
    assert second.cells == {"day": "2024-05-01"}
    assert project.columns == ("text", "id", "tags", "bytes", "none", "day")


def test_empty_texts_and_second_copies_are_counted(make: Make) -> None:
    """A text that differs in blanks around it only is the same; the first row is kept."""
    project = make([("A cat.", {"n": 1}), ("", {}), ("  \n", {}), (" A cat.", {"n": 2})])
    assert [text.cells for text in project.texts()] == [{"n": 1}]
    assert project.left_out == {"empty text": 2, "same text as a row before": 1}


def test_a_table_without_a_text_makes_no_file(make: Make, tmp_path: Path) -> None:
    """The message counts why."""
    with pytest.raises(ProjectError, match=r"no text to ask about: empty text \(1\)"):
        make([("", {})])
    with pytest.raises(ProjectError, match="the table has no rows"):
        make([])
    assert list(tmp_path.iterdir()) == []


def test_rows_of_a_table(make: Make, tmp_path: Path) -> None:
    """Any table; the column of texts keeps its name."""
    table = tmp_path / "texts.csv"
    table.write_text("id,line\n1,The door is open.\n2,\n3,Is open the door.\n")
    rows = table_rows(location(str(table)), text_column="line")
    project = make(rows, text_column="line")
    assert [text.text for text in project.texts()] == ["The door is open.", "Is open the door."]
    assert project.texts()[1].cells == {"id": "3"}
    assert (project.text_column, project.columns) == ("line", ("id", "line"))


def test_a_file_that_exists_is_never_replaced(make: Make, tmp_path: Path) -> None:
    """Neither a project nor anything else, nor a link that leads nowhere."""
    taken = tmp_path / "p.project"
    taken.write_text("precious")
    with pytest.raises(ProjectError, match="exists; open it"):
        make()
    assert taken.read_text() == "precious"
    (tmp_path / "link.project").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ProjectError, match="exists"):
        make(name="link.project")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.project", "p.project"]


def test_a_file_that_appears_meanwhile_is_kept(make: Make, tmp_path: Path) -> None:
    """Who was first has the name."""

    def rows() -> Iterator[tuple[str, dict[str, Any]]]:
        yield "A text.", {}
        (tmp_path / "p.project").write_text("faster")

    with pytest.raises(ProjectError, match="exists"):
        make(rows())
    assert [path.name for path in tmp_path.iterdir()] == ["p.project"]
    assert (tmp_path / "p.project").read_text() == "faster"


def test_without_hard_links_nothing_is_replaced_either(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some disks have none."""

    def refuse(*_: Any) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr("os.link", refuse)
    assert len(make().texts()) == len(TEXTS)
    (tmp_path / "other").write_text("precious")
    with pytest.raises(ProjectError, match="exists"):
        make(name="other")
    assert (tmp_path / "other").read_text() == "precious"


def test_a_failure_leaves_nothing(make: Make, tmp_path: Path) -> None:
    """Such as a table that cannot be read to its end."""

    def rows() -> Iterator[tuple[str, dict[str, Any]]]:
        yield "A text.", {}
        raise TableError("the rest is gone")

    with pytest.raises(TableError, match="the rest is gone"):
        make(rows())
    assert list(tmp_path.iterdir()) == []


def test_the_log_of_a_project_that_is_gone_is_not_taken_up(make: Make, tmp_path: Path) -> None:
    """SQLite would write it into the new file."""
    (tmp_path / "p.project-wal").write_bytes(b"old")
    with pytest.raises(ProjectError, match="belongs to a project that is gone"):
        make()


@pytest.mark.parametrize(("place", "told"), [("no/p.project", "no folder"), ("s3://bucket/p", "disk of this machine")])
def test_places_where_no_project_can_be(tmp_path: Path, place: str, told: str) -> None:
    """A folder that is not there, an object store."""
    path = place if "://" in place else tmp_path / place
    with pytest.raises(ProjectError, match=told):
        Project.create(path, [("A text.", {})], SCALE)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are others there")
def test_only_its_owner_reads_a_project(make: Make) -> None:
    """It says who rated what, and how long that took."""
    assert stat.S_IMODE(make().path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "scale",
    [
        Scale("stars", 1, 5),
        Scale(POINTS, 6, 1),
        Scale(POINTS, 1, 5.5),
        Scale(POINTS, 1, 5, ("a", "b")),
        Scale(SLIDER, 0, float("inf")),
        Scale(SLIDER, float("nan"), 1),
        Scale(PAIRS, 0, 1),
        Scale(LABELS, 0, 1),
        Scale(LABELS, 0, 1, ("bad", "Bad ")),
        Scale(LABELS, 0, 2, ("bad", "good")),
    ],
)
def test_scales_on_which_nobody_could_answer(make: Make, scale: Scale) -> None:
    """Are refused before a file is made."""
    with pytest.raises(ProjectError, match=r"expected|choose from|has no labels"):
        make(scale=scale)


@pytest.mark.parametrize(("overlap", "share"), [(0, 1.0), (2, 1.5), (2, float("nan")), (True, 1.0)])
def test_overlaps_that_cannot_be(make: Make, overlap: int, share: float) -> None:
    """A number of raters from 1 on, and a share."""
    with pytest.raises(ProjectError, match="expected"):
        make(overlap=overlap, overlap_share=share)
