"""Unfinished files are locked; the next process restores or removes those of a killed process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from naturalness.errors import NaturalnessWarning
from naturalness.files import unfinished
from naturalness.files.folder import replace_folder
from naturalness.files.storage import write_whole
from naturalness.files.unfinished import restore, unfinished_file, unfinished_folder

WRITING = """
import os, signal, sys
from pathlib import Path
from naturalness.files import folder
from naturalness.files.unfinished import unfinished_file, unfinished_folder
path = Path(sys.argv[1])
part_of = unfinished_folder if path.suffix == "" else unfinished_file
with part_of(path) as part:
    if part.is_dir():
        new = part / "model"
        new.mkdir()
        (new / "manifest.json").write_text("new")
        rename = Path.rename
        def renamed(self, target):
            result = rename(self, target)
            os.kill(os.getpid(), signal.SIGKILL)
        Path.rename = renamed
        folder.replace_folder(path, new)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(path: Path) -> None:
    """Write to a path in a process that kills itself: a file in the middle, a folder after the first renaming."""
    assert subprocess.run([sys.executable, "-c", WRITING, str(path)], check=False).returncode == -9


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return a folder with a file."""
    folder = tmp_path / "AD"
    folder.mkdir()
    (folder / "manifest.json").write_text("old")
    return folder


def test_an_old_folder_survives_a_kill_between_two_renamings(model: Path) -> None:
    """The next command restores the old folder and prints a warning."""
    killed(model)
    assert not model.exists()
    with pytest.warns(NaturalnessWarning, match=r"AD' was moved aside by a command that was killed.*it is back"):
        restore(model)
    assert (model / "manifest.json").read_text() == "old"
    assert list(model.parent.iterdir()) == [model]


def test_a_folder_is_replaced(model: Path) -> None:
    """The new folder contains nothing of the old one."""
    with unfinished_folder(model) as scratch:
        (scratch / "model").mkdir()
        replace_folder(model, scratch / "model")
    assert list(model.iterdir()) == []
    assert list(model.parent.iterdir()) == [model]


def test_a_folder_that_cannot_be_replaced_stays(model: Path) -> None:
    """If the second renaming fails, the first is undone."""
    with unfinished_folder(model) as scratch, pytest.raises(OSError, match="No such file"):
        replace_folder(model, scratch / "nothing")
    assert (model / "manifest.json").read_text() == "old"
    assert list(model.parent.iterdir()) == [model]


def test_leftovers_are_removed_and_nothing_else(tmp_path: Path) -> None:
    """Only unlocked leftovers of the same path are removed."""
    path = tmp_path / "scores.csv"
    killed(path)
    (left,) = tmp_path.iterdir()
    others = [".scores.csv.part", ".scores.csv.archived", ".scores_csv.a1b2c3d4.part", ".other.csv.a1b2c3d4.part"]
    for name in others:
        (tmp_path / name).write_text("mine")
    with unfinished_file(path) as running:
        write_whole(path, b"text")
        assert running.exists()
    assert not left.exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([*others, path.name])


def test_a_removed_temporary_file_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If another process removes a temporary file before it is locked, a new one is created."""
    lock, seen = unfinished.lock_of, []

    def late(path: str, *, wait: bool) -> int | None:
        seen.append(Path(path))
        if len(seen) == 1:
            seen[0].unlink()
        return lock(path, wait=wait)

    monkeypatch.setattr(unfinished, "lock_of", late)
    with unfinished_file(tmp_path / "x", clean=False) as part:
        assert part == seen[1]
        assert part.exists()
