"""Documentation that cannot go stale: generated pages, README code, described commands."""

from __future__ import annotations

import argparse
import csv
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import naturalness
from naturalness.cli import COMMANDS, build_parser, run
from tests.support.documented import ROOT, blocks
from tests.support.rated import write_table

README = (ROOT / "README.md").read_text(encoding="utf-8")
SERVERS = ("annotate", "serve")
"""Commands that run until they are stopped; tests of their own run them."""
PAGES = runpy.run_path(str(ROOT / "docs" / "build.py"))["PAGES"]
WRITTEN = sorted(f"docs/{path.name}" for path in ROOT.glob("docs/*.md") if path.name not in PAGES)
"""Pages that are written by hand."""
ABSENT = ("docs/neural.md",)
"""Whose Python blocks need a model of Hugging Face."""
NEEDS = {"docs/notebooks.md": "pandas"}
"""Pages whose Python blocks need an optional package."""


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    """Run `python docs/build.py` when this fails."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name]()


def test_every_argument_has_help() -> None:
    """The reference of commands has no empty cell."""
    assert "|  |" not in PAGES["commands.md"]()


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Every option of a parser and of the commands inside it."""
    names = {option for action in parser._actions for option in action.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            names |= {option for child in action.choices.values() for option in options(child)}
    return names - {"-h", "--help"}


def test_every_command_and_option_is_in_the_reference() -> None:
    """Those before a command and those of `assets` and `lm` too."""
    page = PAGES["commands.md"]()
    names = [name for cell in re.findall(r"^\| `([^`]+)` \|", page, re.M) for name in cell.split()]
    assert options(build_parser()) <= {name.rstrip(",") for name in names}
    headings = re.findall(r"^## naturalness ([\w-]+)", page, re.MULTILINE)
    assert set(headings) == set(COMMANDS)


def test_what_the_pages_import_is_in_the_reference() -> None:
    """Whoever follows a page relies on the names that it uses; so are those of the package."""
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (naturalness\S*)\n(.*?)(?=^## |\Z)", api, re.M | re.S))
    entries = {name: set(re.findall(r"^### (\w+)", text, re.M)) for name, text in sections.items()}
    assert set(naturalness.__all__) <= entries["naturalness"]
    for page in [*WRITTEN, "README.md"]:
        code = "\n".join(blocks(page, "python"))
        for module, names in re.findall(r"^from (naturalness\S*) import ([\w, ]+)$", code, re.M):
            assert set(names.split(", ")) <= entries[module], page


def commands(page: str) -> list[str]:
    """The lines of a page's shell blocks that call the command."""
    lines = [line for block in blocks(page, "sh") for line in block.split("\n")]
    calls = [line.rpartition("| ")[2] for line in lines]
    return [line for line in calls if line.startswith("naturalness ")]


PYTHON = [page for page in ["README.md", *WRITTEN] if blocks(page, "python")]


@pytest.mark.parametrize("page", [page for page in PYTHON if page not in ABSENT])
def test_python_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page run as printed, one after the other."""
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), names)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", ["README.md", "docs/tour.md", pytest.param("docs/tutorial.md", marks=pytest.mark.slow)]
)
def test_commands_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command runs as printed, in the order of the page, beside a small table."""
    monkeypatch.chdir(tmp_path)
    write_table(Path("rated.csv"), 60)
    Path("corpus.txt").write_text("She gave the old book to her brother.\n" * 40)
    rows = [
        f"{n},{system},The {animal} {verb} the {n} books."
        for n in range(12)
        for system, verb in (("old", "reads"), ("new", "have read have"))
        for animal in ("cat", "dogs")
    ]
    Path("replies.txt").write_text("".join(f"The {n}th train leaves at {n % 12} o'clock.\n" for n in range(240)))
    shutil.copy(ROOT / "docs" / "sample" / "replies.csv", "replies.csv")
    Path("generated.csv").write_text("\n".join(["id,system,text", *rows]))
    Path("yesterday.csv").write_text("\n".join(["id,system,text", *rows[1:], rows[0]]))
    for line in commands(page):
        arguments = shlex.split(line, comments=True)[1:]
        if arguments[0] in SERVERS:
            assert build_parser().parse_args(arguments).command == arguments[0]
        else:
            assert run(arguments) == 0, line


@pytest.mark.parametrize("line", sorted({line for page in WRITTEN for line in commands(page)}))
def test_commands_of_all_pages_are_understood(line: str) -> None:
    """Each command has arguments that the parser takes."""
    arguments = shlex.split(line.partition(" > ")[0], comments=True)[1:]
    assert build_parser().parse_args(arguments).command == arguments[0]


def test_every_command_is_in_the_readme() -> None:
    """A command that nobody is told about does not exist."""
    for action in build_parser()._actions:
        for command in getattr(action, "choices", None) or ():
            assert f"`{command}`" in README


def test_the_readme_is_short_and_shows_what_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """At most 120 lines; the first scores are those of the model that ships."""
    assert len(README.splitlines()) <= 120
    (first,) = [line for line in blocks("README.md", "sh") if "pip install . &&" in line]
    assert run(shlex.split(first.partition("&& ")[2])[1:]) == 0
    assert [capfd.readouterr().out] == blocks("README.md", "text")


def test_the_sample_of_the_tutorial_is_whole() -> None:
    """Fifty replies in four wordings, none of them twice, each with its rating."""
    with (ROOT / "docs" / "sample" / "replies.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({row["text"] for row in rows}) == 200
    for reply in range(1, 51):
        assert [row["rating"] for row in rows if row["reply"] == str(reply)] == ["5", "4", "2", "1"]


@pytest.mark.slow
def test_the_site_is_built_and_loads_nothing(tmp_path: Path) -> None:
    """Every link leads to a page or a heading (a warning is an error), and the pages need no network."""
    pytest.importorskip("material")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(tmp_path)], cwd=ROOT, check=True)
    pages = {path.name for path in tmp_path.glob("*.html")}
    assert {f"{Path(page).stem}.html" for page in WRITTEN} | {"index.html", "commands.html"} <= pages
    for page in tmp_path.rglob("*.html"):
        assert not re.search(r"<(?:script|img|link)[^>]*(?:src|href)=.?https?://", page.read_text(encoding="utf-8")), (
            page
        )
