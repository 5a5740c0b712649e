"""Changed lines, as git reports them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from naturalness.checking.changes import Changes
from naturalness.checking.sources import read_source, sentences
from naturalness.errors import NaturalnessError
from tests.support.repositories import git, needs_git

pytestmark = needs_git
OLD = "One stands here.\nTwo stands here.\n\nThree stands\nhere.\n\nFour stands here.\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository with two files and work in its folder."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("a.md", "same.md"):
        Path(name).write_text(OLD)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    return tmp_path


def touched(name: str, revision: str = "HEAD") -> list[str]:
    """Return the sentences of a file that touch changed lines."""
    changes = Changes(revision)
    return [sentence.text for sentence in sentences(read_source(name)) if changes.touch(sentence)]


def test_sentences_with_changed_lines(repository: Path) -> None:
    """Staged and unstaged changes count; removed lines change only the sentence around them."""
    assert touched("a.md") == touched("same.md") == []
    Path("a.md").write_text(OLD.replace("Two stands", "Two stood"))
    assert touched("a.md") == ["Two stood here."]
    git("add", ".")
    assert touched("a.md") == ["Two stood here."]
    git("commit", "-qm", "second")
    assert touched("a.md") == []
    assert touched("a.md", "HEAD~1") == ["Two stood here."]
    Path("a.md").write_text(OLD.replace("Three stands\n", "Three stands\nright\n"))
    git("commit", "-qam", "third")
    Path("a.md").write_text(OLD.replace("Four stands here.\n", ""))
    assert touched("a.md") == ["Three stands here."]


def test_files_that_git_does_not_know(repository: Path) -> None:
    """All lines of untracked and ignored files count as changed."""
    Path(".gitignore").write_text("ignored.md\n")
    for name in ("new.md", "ignored.md"):
        Path(name).write_text("New here.\n\nToo.\n")
        assert touched(name) == ["New here.", "Too."]


def test_odd_names(repository: Path) -> None:
    """Names may have quotes, line ends, git's pattern signs and invalid UTF-8, also below the top folder."""
    names = ['q"uo te\n.md', ":(top)*.md", "-x.md", "é.md", os.fsdecode(b"\xe9.md"), "*.md"]
    Path("deep").mkdir()
    for name in names:
        Path("deep", name).write_text(OLD)
    git("add", "--", "deep")
    git("commit", "-qm", "odd")
    os.chdir("deep")
    for name, word in zip(names, ("One", "Two", "One", "Two", "One", "Four"), strict=True):
        assert touched(name) == []
        Path(name).write_text(OLD.replace(word, "New"))
        assert touched(name) == ["New stands here."], name
    assert touched("../a.md") == []


def test_settings_of_git_change_nothing(repository: Path) -> None:
    """Binary attributes, context between hunks and other settings of git do not affect the changed lines."""
    Path(".gitattributes").write_text("*.md -diff -text\n")
    for name, value in (("diff.interHunkContext", "9"), ("diff.orderFile", "none"), ("color.diff", "always")):
        git("config", name, value)
    git("config", "diff.relative", "true")
    Path("a.md").write_text(OLD.replace("One", "1").replace("Four", "4"))
    assert touched("a.md") == ["1 stands here.", "4 stands here."]


def test_nothing_that_a_repository_names_is_run(repository: Path) -> None:
    """Hooks, monitors, filters, diff programs and programs for partial clones are not run."""
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{repository}/sprung'\n")
    trap.chmod(0o755)
    hook = repository / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to(trap)
    Path(".git/info").mkdir(exist_ok=True)
    Path(".git/info/attributes").write_text("*.md filter=evil diff=evil\n")
    for name in (
        *("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external"),
        *("diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.process", "filter.evil.smudge"),
        *("remote.origin.uploadpack", "credential.helper"),
    ):
        git("config", name, str(trap))
    git("config", "filter.evil.required", "true")
    git("config", "core.repositoryFormatVersion", "1")
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.url", str(repository))
    git("config", "remote.origin.promisor", "true")
    (repository / "sprung").unlink(missing_ok=True)
    blob = subprocess.run(["git", "rev-parse", "HEAD:a.md"], check=True, capture_output=True, text=True).stdout.strip()
    Path("a.md").write_text(OLD.replace("One", "1"))
    os.utime("same.md", (1, 1))
    assert touched("a.md") == ["1 stands here."]
    assert touched("same.md") == []
    Path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    with pytest.raises(NaturalnessError, match="git: "):
        touched("a.md")
    assert not (repository / "sprung").exists()


def test_errors_are_clear(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A missing git, repository or revision, or an option in place of a revision, raises a clear error."""
    for revision in ("nosuch", "--output=x", "a.md"):
        with pytest.raises(NaturalnessError, match=rf"`changed` expects a commit, .* found '{revision}'; name files"):
            Changes(revision)
    assert not Path("x").exists()
    monkeypatch.chdir(tmp_path_factory.mktemp("outside"))
    with pytest.raises(NaturalnessError, match=r"not a git repository.*`changed` needs a repository"):
        Changes("HEAD")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NaturalnessError, match="`changed` needs git, which is not installed"):
        Changes("HEAD")
