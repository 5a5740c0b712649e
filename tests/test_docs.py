"""Documentation that cannot go stale: generated pages, README code, described commands."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest

from naturalness.cli import build_parser, run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = runpy.run_path(str(ROOT / "docs" / "build.py"))["PAGES"]


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    """Run `python docs/build.py` when this fails."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name]()


def test_every_argument_has_help() -> None:
    """The reference of commands has no empty cell."""
    assert "|  |" not in PAGES["commands.md"]()


def test_readme_python_runs() -> None:
    """Each Python block of the README runs as printed."""
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def readme_commands() -> list[str]:
    """The lines of the README's shell blocks that call the command."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line for block in blocks for line in block.split("\n")]
    return [line for line in lines if line.startswith("naturalness ")]


@pytest.mark.parametrize("line", readme_commands())
def test_readme_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command runs as printed, on a small file where one is named."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i},The {w} dog slept in the garden all day." for i, w in enumerate(["old"] * 20)]
    Path("rated.csv").write_text("\n".join(["id,text", *rows]))
    Path("corpus.txt").write_text("She gave the old book to her brother.\n" * 40)
    arguments = shlex.split(line, comments=True)[1:]
    assert run(arguments) == 0


def test_every_command_is_in_the_readme() -> None:
    """A command that nobody is told about does not exist."""
    for action in build_parser()._actions:
        for command in getattr(action, "choices", None) or ():
            assert f"naturalness {command}" in README
