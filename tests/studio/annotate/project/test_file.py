"""The project file: creation, checks and damage."""

from __future__ import annotations

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

from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import LABELS, POINTS, SLIDER, Project, Scale
from tests.support.annotation_projects import SCALE, TEXTS, Make, rate


def test_texts_keep_their_order_and_cells(make: Make) -> None:
    """Cells are stored unchanged, even lone surrogates; values that JSON lacks become text."""
    cells = {"text": "One line.", "id": 7, "tags": ["a", None], "bytes": "\udcff", "none": None}
    project = make([("One line.", cells), ("Another line.", {"day": date(2024, 5, 1)})])
    first, second = project.texts()
    assert (first.number, first.text, second.number) == (0, "One line.", 1)
    assert first.cells == {"id": 7, "tags": ["a", None], "bytes": "\udcff", "none": None}
    assert second.cells == {"day": "2024-05-01"}
    assert project.columns == ("text", "id", "tags", "bytes", "none", "day")


def test_empty_and_repeated_texts_are_left_out(make: Make) -> None:
    """White space around a text does not matter; the first of several equal texts is kept."""
    project = make([("A cat.", {"n": 1}), ("", {}), ("  \n", {}), (" A cat.", {"n": 2})])
    assert [text.cells for text in project.texts()] == [{"n": 1}]
    assert project.left_out == {"empty text": 2, "same text as a row before": 1}


def test_failure_leaves_no_file(make: Make, tmp_path: Path) -> None:
    """A table without texts, or one that cannot be read to its end, creates no project."""

    def rows() -> Iterator[tuple[str, dict[str, Any]]]:
        yield "A text.", {}
        raise TableError("the rest is gone")

    for texts, error, words in (
        ([("", {})], ProjectError, r"no text to ask about: empty text \(1\)"),
        ([], ProjectError, "the table has no rows"),
        (rows(), TableError, "the rest is gone"),
    ):
        with pytest.raises(error, match=words):
            make(texts)
    with pytest.raises(ProjectError, match="no folder"):
        Project.create(tmp_path / "no" / "p.project", [("A text.", {})], SCALE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("links", [True, False])
def test_existing_file_is_never_replaced(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Dangling links, and files that appear during creation, are not replaced either."""

    def refuse(*_: Any) -> None:
        raise PermissionError("no links here")

    def rows() -> Iterator[tuple[str, dict[str, Any]]]:
        yield "A text.", {}
        (tmp_path / "new.project").write_text("faster")

    if not links:
        monkeypatch.setattr("os.link", refuse)
    (tmp_path / "p.project").write_text("precious")
    (tmp_path / "link.project").symlink_to(tmp_path / "nowhere")
    (tmp_path / "gone.project-wal").write_bytes(b"old")
    for name, texts, words in (
        ("p.project", TEXTS, "exists; open it"),
        ("link.project", TEXTS, "exists"),
        ("new.project", rows(), "exists"),
        ("gone.project", TEXTS, "belongs to a project that is gone"),
    ):
        with pytest.raises(ProjectError, match=words):
            make(texts, name=name)
    assert (tmp_path / "p.project").read_text() == "precious"
    assert (tmp_path / "new.project").read_text() == "faster"
    assert len(list(tmp_path.iterdir())) == 4
    assert len(make(name="other.project").texts()) == len(TEXTS)


@pytest.mark.skipif(sys.platform == "win32", reason="file permissions differ there")
def test_only_its_owner_can_read_a_project(make: Make) -> None:
    """The file has mode 600, since it records who rated what."""
    assert stat.S_IMODE(make().path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "scale",
    [
        Scale("stars", 1, 5),
        Scale(POINTS, 6, 1),
        Scale(SLIDER, 0, float("inf")),
        Scale(SLIDER, float("nan"), 1),
        Scale(LABELS, 0, 1),
        Scale(LABELS, 0, 1, ("bad", "Bad ")),
        Scale(LABELS, 0, 2, ("bad", "good")),
    ],
)
def test_invalid_scale_is_refused(make: Make, scale: Scale) -> None:
    """An invalid scale is refused before a file is created."""
    with pytest.raises(ProjectError, match="expected"):
        make(scale=scale)


@pytest.fixture
def file(make: Make) -> Path:
    """Return the path of a closed project with ratings."""
    project = make([f"This is sentence number {n}." for n in range(300)])
    for text in range(20):
        rate(project, "ann", text, 3, note="so so")
    project.close()
    return project.path


def folder(path: Path) -> dict[str, bytes]:
    """Return the bytes of each file in the folder of a path."""
    return {other.name: other.read_bytes() for other in path.parent.iterdir()}


def refused(path: Path) -> str:
    """Return the message with which a file is refused; require that no file changes or appears."""
    before = folder(path)
    with pytest.raises(ProjectError) as caught:
        Project.open(path)
    assert folder(path) == before
    return str(caught.value)


def change(path: Path, offset: int, new: bytes) -> None:
    """Overwrite bytes of a file."""
    data = bytearray(path.read_bytes())
    data[offset : offset + len(new)] = new
    path.write_bytes(bytes(data))


def test_closed_project_is_one_file(file: Path) -> None:
    """Opening and closing a project leaves no other file."""
    assert list(folder(file)) == [file.name]
    with Project.open(file) as project:
        assert [rating.answer.value for rating in project.ratings()] == [3.0] * 20
    assert list(folder(file)) == [file.name]
    project.close()
    with pytest.raises(ProjectError, match="is closed"):
        project.ratings()


def test_missing_project_is_not_created(tmp_path: Path) -> None:
    """A missing file and a folder are refused."""
    for path in (tmp_path / "slip", tmp_path):
        with pytest.raises(ProjectError, match=r"no project .*check the path"):
            Project.open(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"text,rating\n", b"SQLite format 3", b"\0" * 4096])
def test_other_file_is_refused(tmp_path: Path, content: bytes) -> None:
    """A table, and the SQLite file of another program, are refused."""
    path = tmp_path / "other"
    path.write_bytes(content)
    assert "is not an annotation project" in refused(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE visits (url TEXT)")
    assert "another program's SQLite file" in refused(path)


def test_project_of_a_newer_version_is_refused(file: Path) -> None:
    """A project of a newer version is refused with advice to upgrade."""
    change(file, 60, (2).to_bytes(4, "big"))
    message = refused(file)
    assert "newer version of naturalness" in message and "upgrade" in message


def test_project_of_an_earlier_release_is_opened(make: Make) -> None:
    """Unknown settings are ignored; the message about pairs of texts says what to do."""
    project = make()
    for key, value in (("context", ["turn"]), ("keys:ann", {"skip": "x"}), ("guidelines", [["# Fine?", ""]])):
        project.settings.set(key, value)
    project.close()
    with Project.open(project.path) as opened:
        assert rate(opened, "ann", 1, 4).answer.value == 4.0
        assert opened.settings.guidelines.question == "Fine?"
        opened.settings.set("scale", {"kind": "pairs", "low": -1.0, "high": 1.0, "labels": []})
    assert "export this one with naturalness 0.3" in refused(project.path)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut in a page": lambda path: path.write_bytes(path.read_bytes()[:-1000]),
    "cut at a page": lambda path: path.write_bytes(path.read_bytes()[: 4096 * 3]),
    "the first page gone": lambda path: change(path, 100, b"\xff" * 900),
    "the second page gone": lambda path: change(path, 4096, b"\xff" * 4096),
    "pages of texts gone": lambda path: change(path, path.stat().st_size - 8192, b"\0" * 8192),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_damaged_file_is_refused(file: Path, damage: Callable[[Path], None]) -> None:
    """A damaged file is refused and left unchanged."""
    damage(file)
    message = refused(file)
    assert "is damaged" in message and "it was left" in message


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answers SET marks = '[1' WHERE number = 7",
        "UPDATE answers SET value = 'much' WHERE number = 7",
        "UPDATE questions SET first = 4000 WHERE number = 7",
        "UPDATE texts SET cells = '' WHERE number = 7",
        "UPDATE settings SET value = '{' WHERE key = 'scale'",
        "UPDATE settings SET value = '3' WHERE key = 'scale'",
    ],
)
def test_invalid_rows_are_refused(file: Path, statement: str) -> None:
    """Invalid cells are refused even in a file that SQLite considers intact."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE name LIKE '%_no_update'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
        for _, sql in triggers:
            db.execute(sql)
    assert "what it holds cannot be read" in refused(file)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "DROP TRIGGER answers_no_update",
        "CREATE TRIGGER sly AFTER INSERT ON answers BEGIN SELECT 1; END",
    ],
)
def test_foreign_tables_and_triggers_are_refused(file: Path, statement: str) -> None:
    """A file with other tables or triggers is refused, since a trigger would run with every answer."""
    with closing(sqlite3.connect(file)) as db:
        db.execute(statement)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert "its tables are not those of a project" in refused(file)


def test_commits_wait_for_the_disk(make: Make) -> None:
    """SQLite is set to survive a power failure."""
    with make()._store.reading() as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_log_of_a_killed_server_is_used(make: Make, tmp_path: Path) -> None:
    """The log holds the latest answers; beside a damaged file, it is left unchanged."""
    project = make([f"This is sentence number {n}." for n in range(300)])
    rate(project, "ann", 2, 5)
    for name, suffixes in (("whole", ("", "-wal", "-shm")), ("cut", ("", "-wal", "-shm")), ("short", ("", "-wal"))):
        copy = tmp_path / name / "copy"
        copy.parent.mkdir()
        for suffix in suffixes:
            shutil.copy(f"{project.path}{suffix}", f"{copy}{suffix}")
        if name == "whole":
            with Project.open(copy) as opened:
                assert [rating.answer.value for rating in opened.ratings()] == [5.0]
            assert list(folder(copy)) == ["copy"]
            continue
        change(copy, copy.stat().st_size - 8192, b"\0" * 8192)
        before = folder(copy)
        with pytest.raises(ProjectError, match="is damaged"):
            Project.open(copy)
        after = folder(copy)
        assert (after["copy"], after["copy-wal"]) == (before["copy"], before["copy-wal"])


def test_file_names_may_contain_any_character(make: Make) -> None:
    """Names may contain characters with a meaning in URIs; a project can be opened twice."""
    project = make(name="a b?mode=memory&c#d%41'\".project")
    assert project.path.exists()
    with Project.open(project.path) as other:
        rate(other, "bob", 1, 4)
        assert [rating.question.rater for rating in project.ratings()] == ["bob"]
        rate(project, "ann", 0, 6)
    assert len(project.ratings()) == 2


def test_answers_cannot_be_changed(make: Make) -> None:
    """The file refuses changes of rows, and a second answer to a question."""
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
