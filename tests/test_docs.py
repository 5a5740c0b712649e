"""Documentation that cannot go stale: generated pages, README code, described commands."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest

from naturalness.cli import build_parser, run
from naturalness.features import FAST
from tests.rated import write_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SERVERS = ("annotate", "serve")
"""Commands that run until they are stopped; tests of their own run them."""
PAGES = runpy.run_path(str(ROOT / "docs" / "build.py"))["PAGES"]


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    """Run `python docs/build.py` when this fails."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name]()


def test_every_argument_has_help() -> None:
    """The reference of commands has no empty cell."""
    assert "|  |" not in PAGES["commands.md"]()


def blocks(page: str, kind: str) -> list[str]:
    """The code blocks of a page."""
    return re.findall(rf"```{kind}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def commands(page: str) -> list[str]:
    """The lines of a page's shell blocks that call the command."""
    lines = [line for block in blocks(page, "sh") for line in block.split("\n")]
    found = [line.rpartition("| ")[2] for line in lines]
    return [line for line in found if line.startswith("naturalness ")]


@pytest.mark.parametrize("page", ["README.md", "docs/how-to.md"])
def test_python_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each Python block runs as printed."""
    monkeypatch.chdir(tmp_path)
    assert blocks(page, "python")
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), {})


def test_readme_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command runs as printed, in the order of the page, beside a small table."""
    monkeypatch.chdir(tmp_path)
    write_table(Path("rated.csv"), 60)
    Path("corpus.txt").write_text("She gave the old book to her brother.\n" * 40)
    told = [f"{n},{system},The {animal} {verb} the {n} books." for n in range(12)
            for system, verb in (("old", "reads"), ("new", "have read have"))
            for animal in ("cat", "dogs")]  # fmt: skip
    Path("generated.csv").write_text("\n".join(["id,system,text", *told]))
    Path("yesterday.csv").write_text("\n".join(["id,system,text", *told[1:], told[0]]))
    for line in commands("README.md"):
        arguments = shlex.split(line, comments=True)[1:]
        if arguments[0] in SERVERS:
            assert build_parser().parse_args(arguments).command == arguments[0]
        else:
            assert run(arguments) == 0, line


HOW_TO = ("docs/how-to.md", "docs/labelling.md", "docs/serving.md", "docs/annotating.md")


@pytest.mark.parametrize("line", [line for page in HOW_TO for line in commands(page)])
def test_how_to_commands_are_understood(line: str) -> None:
    """Each command of the how-to has arguments that the parser takes."""
    arguments = shlex.split(line.partition(" > ")[0], comments=True)[1:]
    assert build_parser().parse_args(arguments).command == arguments[0]


def test_the_how_to_names_the_fast_groups() -> None:
    """Those that a light model is told to take are those of the fast one."""
    assert f"--features {','.join(FAST)}\n" in (ROOT / "docs" / "how-to.md").read_text("utf-8")


def test_every_command_is_in_the_readme() -> None:
    """A command that nobody is told about does not exist."""
    for action in build_parser()._actions:
        for command in getattr(action, "choices", None) or ():
            assert f"naturalness {command}" in README
