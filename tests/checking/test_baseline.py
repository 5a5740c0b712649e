"""Baselines: what is old, what is new, and what is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.checking.baseline import Baseline, read_baseline
from naturalness.checking.checker import CheckedFiles, since, summary
from naturalness.errors import TableError
from tests.support.checks import checked
from tests.support.explained import FINE, TEXT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that contains a file."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text(f"{TEXT}\n")
    return tmp_path


def compared(text: str, baseline: Baseline, name: str = "docs/a.md") -> CheckedFiles:
    """Check a file and leave out the flaws of a baseline."""
    return since(checked(text, name), baseline, [name])


def test_old_flaws_are_hidden_and_copies_are_new(folder: Path) -> None:
    """An entry hides one copy of its sentence, on whatever line it is."""
    path = folder / "base.json"
    baseline = Baseline(path).renewed(checked(f"{TEXT}\n", "docs/a.md").flaws, ["docs/a.md"])
    assert baseline.write() == 1
    assert TEXT not in path.read_text() and "docs/a.md" in path.read_text()
    again = read_baseline(path)
    now = compared(f"{FINE}\n\n{TEXT}\n", again)
    assert (len(now.flaws), now.n_old, now.n_gone) == (0, 1, 0)
    assert summary(now) == "1 file, 2 sentences: 0 below 0.5; 1 old (in the baseline)"
    twice = compared(f"{TEXT}\n\n{TEXT}\n", again)
    assert [flaw.sentence.region().line for flaw in twice.flaws] == [3]
    fixed = compared(f"{FINE}\n", again)
    assert (fixed.n_old, fixed.n_gone) == (0, 1)
    assert summary(fixed).endswith(": 0 below 0.5; 1 of the baseline gone")
    other = compared(f"{TEXT}\n", again, "b.md")
    assert (len(other.flaws), other.n_old, other.n_gone) == (1, 0, 0)


def test_files_that_were_not_checked(folder: Path) -> None:
    """A rewritten baseline keeps the entries of other files that still exist; names are relative to its folder."""
    baseline = Baseline(folder / "docs" / "base.json").renewed(checked(f"{TEXT}\n", "docs/a.md").flaws, ["docs/a.md"])
    assert [*baseline.files] == ["a.md"]
    more = baseline.renewed(checked(f"{TEXT}\n", "b.md").flaws, ["b.md"])
    assert [*more.files] == ["a.md", "../b.md"]
    Path("docs/a.md").unlink()
    assert compared(FINE, more, "c.md").n_gone == 2
    assert not more.renewed([], ["b.md"]).files


def test_paths(tmp_path: Path) -> None:
    """A missing baseline or folder raises an error that says what to do."""
    with pytest.raises(TableError, match=r"no baseline .*; write one with --write-baseline"):
        read_baseline(tmp_path / "base.json")
    with pytest.raises(TableError, match=r"no folder .* for the baseline"):
        Baseline(tmp_path / "nowhere" / "base.json").write()
