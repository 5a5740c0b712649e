"""A project is made from a table: as a whole or not at all, and never in place of a file."""

from __future__ import annotations

import random
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from naturalness.data.formats import location
from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Answer, Project, Scale, table_rows
from tests.support.annotation_projects import SCALE, TEXTS, Make, rate


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


@pytest.mark.parametrize(("name", "message"), [("no/p.project", "no folder"), ("s3://bucket/p", "no folder")])
def test_places_where_no_project_can_be(tmp_path: Path, name: str, message: str) -> None:
    """A folder that is not there, an object store."""
    path = name if "://" in name else tmp_path / name
    with pytest.raises(ProjectError, match=message):
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


@pytest.fixture
def file(make: Make) -> Path:
    """A project with ratings, closed."""
    project = make([f"This is sentence number {n}." for n in range(300)])
    for text in range(20):
        rate(project, "ann", text, 3, note="so so")
    project.close()
    return project.path


def folder(path: Path) -> dict[str, bytes]:
    """Every file beside a path, with its bytes."""
    return {other.name: other.read_bytes() for other in path.parent.iterdir()}


def refused(path: Path) -> str:
    """The message with which a file is refused; nothing may change, nothing appear."""
    before = folder(path)
    with pytest.raises(ProjectError) as caught:
        Project.open(path)
    assert folder(path) == before
    return str(caught.value)


def change(path: Path, offset: int, new: bytes) -> None:
    """Other bytes at a place in a file."""
    data = bytearray(path.read_bytes())
    data[offset : offset + len(new)] = new
    path.write_bytes(bytes(data))


def test_a_closed_project_is_one_file(file: Path) -> None:
    """Which can be copied; opened again it holds what was rated."""
    assert list(folder(file)) == [file.name]
    with Project.open(file) as project:
        assert [rating.answer.value for rating in project.ratings()] == [3.0] * 20
    assert list(folder(file)) == [file.name]


def test_a_disk_that_cannot_be_written_to(
    file: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was rated can be exported; nothing can be rated."""
    before, rated = folder(file), tmp_path_factory.mktemp("out") / "rated.csv"
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != file.parent)
    with Project.open(file) as project:
        assert project.export(str(rated)).ratings == 20
        with pytest.raises(ProjectError, match=r"attempt to write a readonly database"):
            rate(project, "ann", 30, 3)
    assert folder(file) == before


def test_no_file_and_no_file_made(tmp_path: Path) -> None:
    """A slip in the name makes nothing."""
    with pytest.raises(ProjectError, match=r"no project .*check the path"):
        Project.open(tmp_path / "slip")
    with pytest.raises(ProjectError, match=r"no project .*check the path"):
        Project.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"text,rating\n", b"SQLite format 3", b"\0" * 4096])
def test_other_files(tmp_path: Path, content: bytes) -> None:
    """A table, an empty file, zeros."""
    path = tmp_path / "other"
    path.write_bytes(content)
    assert "is not an annotation project" in refused(path)


def test_the_file_of_another_program(tmp_path: Path) -> None:
    """Browsers and others keep SQLite files, too."""
    path = tmp_path / "history"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE visits (url TEXT)")
    assert "another program's SQLite file" in refused(path)


def test_a_newer_version(file: Path) -> None:
    """The message says what to do."""
    change(file, 60, (2).to_bytes(4, "big"))
    message = refused(file)
    assert "newer version of naturalness" in message
    assert "upgrade" in message


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut in a page": lambda path: path.write_bytes(path.read_bytes()[:-1000]),
    "cut at a page": lambda path: path.write_bytes(path.read_bytes()[: 4096 * 3]),
    "the first page gone": lambda path: change(path, 100, b"\xff" * 900),
    "the second page gone": lambda path: change(path, 4096, b"\xff" * 4096),
    "pages of texts gone": lambda path: change(path, path.stat().st_size - 8192, b"\0" * 8192),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_damaged_files(file: Path, damage: Callable[[Path], None]) -> None:
    """Half a copy, a bad disk."""
    damage(file)
    message = refused(file)
    assert "is damaged" in message
    assert "left as it is" in message or "it was left" in message


@pytest.mark.parametrize("seed", range(40))
def test_damage_anywhere(file: Path, seed: int) -> None:
    """A few bytes that are others: refused and left alone, or harmless; never another error."""
    rng = random.Random(seed)
    change(file, rng.randrange(file.stat().st_size), rng.randbytes(rng.choice([1, 8, 64])))
    before = folder(file)
    try:
        with Project.open(file) as project:  # there are no checksums: a letter may go unnoticed
            project.agreement()
            assert len(project.texts()) == 300
    except ProjectError:
        assert folder(file) == before


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("answers", "marks = '[1'"),
        ("answers", "value = 'much'"),
        ("questions", "first = 4000"),
        ("texts", "cells = ''"),
    ],
)
def test_rows_that_hold_nonsense(file: Path, table: str, change: str) -> None:
    """Pages that are whole to SQLite."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        (trigger,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (f"{table}_no_update",)).fetchone()
        db.execute(f"DROP TRIGGER {table}_no_update")
        db.execute(f"UPDATE {table} SET {change} WHERE number = 7")
        db.execute(trigger)
    assert "what it holds cannot be read" in refused(file)


def test_commits_wait_for_the_disk(make: Make) -> None:
    """With a log, and in full: an answer that was acknowledged outlives a power cut."""
    project = make()
    with project._store.reading() as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "DROP TRIGGER answers_no_update",
        "CREATE TRIGGER sly AFTER INSERT ON answers BEGIN SELECT 1; END",
    ],
)
def test_other_tables_than_those_of_a_project(file: Path, statement: str) -> None:
    """A trigger of somebody else's would run with every answer."""
    with closing(sqlite3.connect(file)) as db:
        db.execute(statement)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert "its tables are not those of a project" in refused(file)


@pytest.mark.parametrize("value", ["{", "3", '{"kind": "stars", "low": 1, "high": 2, "labels": []}'])
def test_settings_that_cannot_be_read(file: Path, value: str) -> None:
    """The file is whole, and still nothing that one could go on with."""
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE settings SET value = ? WHERE key = 'scale'", (value,))
    assert "what it holds cannot be read" in refused(file) or value.startswith('{"kind"')


def test_the_log_of_a_killed_server_is_taken_up(make: Make, tmp_path: Path) -> None:
    """As SQLite leaves it: what was answered last is in the log alone."""
    project = make()
    rate(project, "ann", 2, 5)
    left = tmp_path / "left"
    left.mkdir()
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(f"{project.path}{suffix}", left / f"copy{suffix}")
    with Project.open(left / "copy") as copy:
        assert [rating.answer.value for rating in copy.ratings()] == [5.0]
    assert [path.name for path in left.iterdir()] == ["copy"]


@pytest.mark.parametrize("lacking", ["", "-shm"])
def test_a_damaged_file_with_a_log_keeps_its_bytes(make: Make, tmp_path: Path, lacking: str) -> None:
    """Neither file nor log changes, so both can be rescued."""
    project = make([f"This is sentence number {n}." for n in range(300)])
    rate(project, "ann", 2, 5)
    left = tmp_path / "left"
    left.mkdir()
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(f"{project.path}{suffix}", left / f"copy{suffix}")
    if lacking:
        (left / f"copy{lacking}").unlink()
    change(left / "copy", (left / "copy").stat().st_size - 8192, b"\0" * 8192)
    before = folder(left / "copy")
    with pytest.raises(ProjectError, match="is damaged"):
        Project.open(left / "copy")
    after = folder(left / "copy")
    assert (after["copy"], after["copy-wal"]) == (before["copy"], before["copy-wal"])


def test_odd_names_of_files(make: Make) -> None:
    """Characters that mean something in addresses are only characters here."""
    project = make(name="a b?mode=memory&c#d%41'\".project")
    rate(project, "ann", 0, 2)
    project.close()
    assert project.path.exists()
    with Project.open(project.path) as reopened:
        assert len(reopened.ratings()) == 1


def test_one_project_open_twice(make: Make) -> None:
    """Within one process or in two, each sees what the other stores."""
    project = make()
    with Project.open(project.path) as other:
        rate(other, "bob", 1, 4)
        assert [rating.question.rater for rating in project.ratings()] == ["bob"]
        rate(project, "ann", 0, 6)
    assert len(project.ratings()) == 2


def test_a_closed_project_says_so(make: Make) -> None:
    """It is closed once, however often."""
    project = make()
    project.close()
    project.close()
    with pytest.raises(ProjectError, match="is closed"):
        project.ratings()


def test_what_raters_did_cannot_be_changed(make: Make) -> None:
    """Not even by a slip in this package: the file itself refuses it."""
    project = make()
    question = rate(project, "ann", 0, 2).question
    project.close()
    with closing(sqlite3.connect(project.path)) as db:
        for table in ("texts", "questions", "shown", "answers", "undone", "settled"):
            for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET rowid = rowid + 1"):
                if db.execute(f"SELECT count(*) FROM {table}").fetchone() != (0,):
                    with pytest.raises(sqlite3.IntegrityError, match="are only added"):
                        db.execute(statement)
        with pytest.raises(sqlite3.IntegrityError, match="the question is answered"):
            db.execute(
                "INSERT INTO answers (question, value, note, cause, marks, seconds, at) "
                "VALUES (?, 1, '', '', '[]', 0, '')",
                (question.number,),
            )


def test_settings_stay(make: Make) -> None:
    """Scale and seed for good; overlap and keys until they are changed."""
    project = make(overlap=2, overlap_share=0.25, seed=9, lease=30.0)
    project.settings.set_keys("ann", {"skip": "s"})
    project.settings.set_keys("bob", {"skip": "x", "undo": "u"})
    project.settings.set_overlap(3, 0.5)
    project.settings.set("strategy", "mixed")
    project.close()
    with Project.open(project.path) as reopened:
        assert (reopened.scale, reopened.seed, reopened.lease) == (project.scale, 9, 30.0)
        assert reopened.settings.overlap == (3, 0.5)
        assert reopened.settings.keys("ann") == {"skip": "s"}
        assert reopened.settings.keys("bob") == {"skip": "x", "undo": "u"}
        assert reopened.settings.keys("cid") == {}
        assert reopened.settings.get("strategy") == "mixed"
        assert reopened.settings.get("nothing", 5) == 5
        with pytest.raises(ValueError, match="belongs to the file"):
            reopened.settings.set("scale", {})
        with pytest.raises(ProjectError, match="no question 77"):
            reopened.answer(77, Answer(1))
