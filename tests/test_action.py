"""The GitHub action and the pre-commit hooks; the action's script runs in a scratch repository, as on a runner."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import build_parser
from tests.support.documented import ROOT
from tests.support.repositories import git, needs_git

yaml = pytest.importorskip("yaml", reason="needs the extra docs")

OLD = "He go to the school yesterday.\n"
NEW = "She have no idea of it.\n"
ZEROS = "0" * 40


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    """Return the action as GitHub reads it."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return read


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with an old flaw and a newer one."""
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "-q", "-b", "main")
    for text in (OLD, NEW):
        with Path("page.md").open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
        git("add", "page.md")
        git("commit", "-q", "-m", text)
    return folder


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return the folder that the action installs into, with this package in it."""
    command = tmp_path / "runner" / "naturalness" / "bin" / "naturalness"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m naturalness "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return tmp_path / "runner"


def checked(action: dict[str, Any], programs: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the step that checks, with these inputs."""
    (step,) = (step for step in action["runs"]["steps"] if step.get("name") == "Check")
    variables = {"FILES": ".", "SINCE": "all", "ARGUMENTS": "--fast", "RUNNER_TEMP": str(programs)} | inputs
    assert set(step["env"]) == {"FILES", "SINCE", "ARGUMENTS"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env=os.environ | variables | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def commit(name: str) -> str:
    """Return the number of a commit."""
    return subprocess.run(["git", "rev-parse", name], check=True, capture_output=True, text=True).stdout.strip()


@needs_git
@pytest.mark.slow
def test_only_changed_lines_are_annotated(action: dict[str, Any], programs: Path, repository: Path) -> None:
    """The flaw that was there before is not reported; the new one fails the step."""
    run = checked(action, programs, SINCE=commit("HEAD~1"))
    (line,) = (line for line in run.stdout.splitlines() if line.startswith("::"))
    assert line.startswith("::error file=page.md,line=3,")
    assert run.returncode == 1, run.stderr


@needs_git
@pytest.mark.slow
def test_all_lines_of_a_new_branch(action: dict[str, Any], programs: Path, repository: Path) -> None:
    """Without a commit to compare with, every line counts."""
    lines = checked(action, programs, SINCE=ZEROS).stdout.splitlines()
    assert [line[:28] for line in lines if line.startswith("::")] == [
        "::error file=page.md,line=1,",
        "::error file=page.md,line=3,",
    ]


@needs_git
@pytest.mark.slow
def test_a_shallow_clone_fetches_the_base(
    action: dict[str, Any], programs: Path, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkout of one commit fetches the one to compare with."""
    base = commit("HEAD~1")
    git("config", "uploadpack.allowReachableSHA1InWant", "true")
    git("clone", "-q", "--depth=1", repository.as_uri(), str(tmp_path / "shallow"))
    monkeypatch.chdir(tmp_path / "shallow")
    run = checked(action, programs, SINCE=base)
    assert [line[:28] for line in run.stdout.splitlines()] == ["::error file=page.md,line=3,"], run.stderr


@needs_git
@pytest.mark.slow
def test_an_input_is_not_run(action: dict[str, Any], programs: Path, repository: Path) -> None:
    """What an input holds is a word for the command, whatever it looks like."""
    run = checked(action, programs, FILES="$(touch harmed) `touch harmed` ;touch harmed")
    assert run.returncode == 2
    assert not Path("harmed").exists()


def test_expressions_stand_in_variables(action: dict[str, Any]) -> None:
    """No script of a step has an expression of GitHub in it."""
    assert not any("${{" in step.get("run", "") for step in action["runs"]["steps"])


@pytest.mark.parametrize("hook", range(2))
def test_hooks_are_understood(hook: int) -> None:
    """The parser accepts the entries of the pre-commit hooks."""
    entry = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[hook]["entry"]
    program, *arguments = entry.split()
    assert program == "naturalness"
    assert build_parser().parse_args([*arguments, "page.md"]).files == ["page.md"]
