"""The GitHub action and the pre-commit hooks; the action's script runs in a scratch repository, as on a runner."""

from __future__ import annotations

import os
import site
import subprocess
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import build_parser
from tests.support.documented import ROOT
from tests.support.repositories import git, needs_git

yaml = pytest.importorskip("yaml", reason="needs the extra docs")

OLD = "He go to the school yesterday.\n"
NEW = "She have no idea of it.\n"
SHADOWED = ("encodings", "ensurepip", "naturalness", "numpy", "pip", "sitecustomize", "usercustomize", "venv")
"""Modules that Python looks for while the action or a hook runs."""
BACKEND = """
import zipfile
from pathlib import Path

def build_wheel(folder, settings=None, metadata=None):
    name = "toy-1-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder, name), "w") as wheel:
        wheel.writestr("toy.py", "")
        wheel.writestr("toy-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: toy\\nVersion: 1\\n")
        wheel.writestr("toy-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("toy-1.dist-info/RECORD", "")
    return name
"""
"""A build backend that needs no package, so that the action's folder can be installed without a package index."""


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
def hostile(repository: Path) -> Path:
    """Return the repository after a stranger's commit; each of its modules leaves a mark when it runs."""
    for name in SHADOWED:
        mark = repository / f"{name}.ran"
        Path(f"{name}.py").write_text(f"from os import O_CREAT, open\nopen({str(mark)!r}, O_CREAT)\n", encoding="utf-8")
    return repository


def marks(repository: Path) -> list[str]:
    """Return the modules of a repository that were run."""
    return sorted(path.stem for path in repository.glob("*.ran"))


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """Return the runner's folder for temporary files."""
    folder = tmp_path / "runner"
    folder.mkdir()
    return folder


@pytest.fixture
def installed(runner: Path) -> Path:
    """Return the runner's folder, with the virtual environment of the action and this package in it."""
    folder = runner / "naturalness"
    venv.create(folder, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    lines = [str(ROOT), *site.getsitepackages(), site.getusersitepackages()]
    (packages / "package.pth").write_text("\n".join(lines), encoding="utf-8")
    return runner


def step(action: dict[str, Any], name: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action with these environment variables."""
    (found,) = (step for step in action["runs"]["steps"] if step.get("name") == name)
    assert set(found["env"]) <= set(variables)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def checked(action: dict[str, Any], runner: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the action's step "Check" with these inputs."""
    variables = {"FILES": ".", "SINCE": "all", "ARGUMENTS": "--fast", "RUNNER_TEMP": str(runner)}
    return step(action, "Check", **variables | inputs)


def commit(name: str) -> str:
    """Return the hash of a commit or, with ``--all``, of all references."""
    return subprocess.run(["git", "rev-parse", name], check=True, capture_output=True, text=True).stdout.strip()


@needs_git
@pytest.mark.slow
def test_only_changed_lines_are_annotated(action: dict[str, Any], installed: Path, repository: Path) -> None:
    """Only the flaw on a changed line is reported, and it fails the step."""
    run = checked(action, installed, SINCE=commit("HEAD~1"))
    (line,) = (line for line in run.stdout.splitlines() if line.startswith("::"))
    assert line.startswith("::error file=page.md,line=3,")
    assert run.returncode == 1, run.stderr


@needs_git
@pytest.mark.slow
def test_a_shallow_clone_fetches_the_base(
    action: dict[str, Any], installed: Path, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a shallow clone, the action fetches the base commit."""
    base = commit("HEAD~1")
    git("config", "uploadpack.allowReachableSHA1InWant", "true")
    git("clone", "-q", "--depth=1", repository.as_uri(), str(tmp_path / "shallow"))
    monkeypatch.chdir(tmp_path / "shallow")
    run = checked(action, installed, SINCE=base)
    assert [line[:28] for line in run.stdout.splitlines()] == ["::error file=page.md,line=3,"], run.stderr


@needs_git
@pytest.mark.slow
def test_an_input_is_not_run(action: dict[str, Any], installed: Path, repository: Path) -> None:
    """Shell syntax in an input is not executed."""
    run = checked(action, installed, FILES="$(touch harmed) `touch harmed` ;touch harmed")
    assert run.returncode == 2
    assert not Path("harmed").exists()


@needs_git
@pytest.mark.slow
@pytest.mark.parametrize("path", ["", ":"])
def test_installing_imports_nothing_of_the_repository(
    path: str, action: dict[str, Any], runner: Path, hostile: Path, tmp_path: Path
) -> None:
    """Neither Python nor pip looks for a module in the repository, even if an environment variable tells it to."""
    source = tmp_path / "action"
    source.mkdir()
    (source / "backend.py").write_text(BACKEND, encoding="utf-8")
    build = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    (source / "pyproject.toml").write_text(build, encoding="utf-8")
    variables = {"ACTION": str(source), "RUNNER_TEMP": str(runner), "PIP_NO_INDEX": "1", "PYTHONPATH": path}
    run = step(action, "Install", **variables)
    assert marks(hostile) == []
    assert run.returncode == 0, run.stderr
    assert list(runner.glob("naturalness/lib/*/site-packages/toy.py"))


@needs_git
@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["--fast", "--fast --jobs 2"])
def test_checking_imports_nothing_of_the_repository(
    arguments: str, action: dict[str, Any], installed: Path, hostile: Path
) -> None:
    """The command and its child processes import the installed package."""
    run = checked(action, installed, ARGUMENTS=arguments, PYTHONPATH=":")
    assert marks(hostile) == []
    assert len(run.stdout.splitlines()) == 2, run.stderr


@needs_git
@pytest.mark.slow
@pytest.mark.parametrize(
    "since", ["--upload-pack=touch harmed", "--output=harmed", "+refs/heads/*:refs/heads/*", "other:main"]
)
def test_a_commit_to_compare_with_is_no_option_and_writes_nothing(
    since: str,
    action: dict[str, Any],
    installed: Path,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Git reads the input as the name of a commit, never as an option or as a branch to write."""
    git("branch", "other", "HEAD~1")
    git("clone", "-q", "--single-branch", str(repository), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    references = commit("--all")
    run = checked(action, installed, SINCE=since)
    assert (run.returncode, run.stdout) == (128, "")
    assert commit("--all") == references
    assert not [*tmp_path.rglob("harmed")]


def test_expressions_are_only_in_variables(action: dict[str, Any]) -> None:
    """No script of a step contains a GitHub expression."""
    assert not any("${{" in step.get("run", "") for step in action["runs"]["steps"])


@pytest.mark.parametrize("hook", range(2))
def test_hooks_are_valid(hook: int) -> None:
    """Python runs the hooks in isolated mode, and the parser accepts their arguments."""
    entry = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[hook]["entry"]
    *program, arguments = entry.split(maxsplit=4)
    assert program == ["python", "-I", "-m", "naturalness"]
    arguments = arguments.split()
    assert build_parser().parse_args([*arguments, "page.md"]).files == ["page.md"]
