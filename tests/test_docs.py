"""Documentation is current: generated pages, Python blocks, documented commands."""

from __future__ import annotations

import argparse
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import naturalness
from naturalness.cli import COMMANDS, build_parser, run
from tests.support.commands import Captured
from tests.support.documented import ROOT, blocks, calls

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = runpy.run_path(str(ROOT / "docs" / "build.py"))["PAGES"]
WRITTEN = sorted(f"docs/{path.name}" for path in ROOT.glob("docs/*.md") if path.name not in PAGES)
"""Pages that are written by hand."""
ABSENT = ("docs/data-pipelines.md", "docs/evaluators.md", "docs/neural.md")
"""Whose Python blocks need heavy packages, with which .ci/plugs runs them, or a model of Hugging Face."""
NEEDS = {"docs/notebooks.md": "pandas"}
"""Pages whose Python blocks need an optional package."""


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    """Each generated page equals the output of `python docs/build.py`."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name]()


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Return every option of a parser and of its subcommands."""
    names = {option for action in parser._actions for option in action.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            names |= {option for child in action.choices.values() for option in options(child)}
    return names - {"-h", "--help"}


def test_every_command_and_option_is_in_the_reference() -> None:
    """The reference includes options before a command and those of `assets` and `lm`."""
    page = PAGES["commands.md"]()
    names = [name for cell in re.findall(r"^\| `([^`]+)` \|", page, re.M) for name in cell.split()]
    assert options(build_parser()) <= {name.rstrip(",") for name in names}
    headings = re.findall(r"^## naturalness ([\w-]+)", page, re.MULTILINE)
    assert set(headings) == set(COMMANDS)


def test_imported_names_are_in_the_reference() -> None:
    """docs/api.md lists each name that a page imports and each public name of the package."""
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (naturalness\S*)\n(.*?)(?=^## |\Z)", api, re.M | re.S))
    entries = {name: set(re.findall(r"^### (\w+)", text, re.M)) for name, text in sections.items()}
    assert set(naturalness.__all__) <= entries["naturalness"]
    for page in [*WRITTEN, "README.md"]:
        code = "\n".join(blocks(page, "python"))
        for module, names in re.findall(r"^from (naturalness\S*) import ([\w, ]+)$", code, re.M):
            if not module.startswith(
                "naturalness.integrations."
            ):  # which need their packages, and have pages of their own
                assert set(names.split(", ")) <= entries[module], page


PYTHON = [page for page in ["README.md", *WRITTEN] if blocks(page, "python")]


@pytest.mark.parametrize("page", [page for page in PYTHON if page not in ABSENT])
def test_python_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """The Python blocks of a page run in order, and print what their comments show."""
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), names)
        shown = re.findall(r"^print\(.*\)  # (.+)$", block, re.MULTILINE)
        assert {*shown} <= {*capsys.readouterr().out.splitlines()}


def test_extras_are_installed_from_a_clone() -> None:
    """Pages install extras from a clone, since no package index has the package, and name only existing extras."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("editors/**/*.*")]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "'naturalness[" not in text, page
        named = {extra for names in re.findall(r"'\.\[([\w,-]+)\]'", text) for extra in names.split(",")}
        assert named <= set(extras), page


def test_every_command_is_in_the_readme() -> None:
    """The README names every command."""
    for action in build_parser()._actions:
        for command in getattr(action, "choices", None) or ():
            assert f"`{command}`" in README


def test_the_readme_is_short_and_shows_what_is_printed(capfd: Captured) -> None:
    """The README has at most 120 lines, and its first scores are those of the shipped model."""
    assert len(README.splitlines()) <= 120
    first, *_ = calls(blocks("README.md", "sh")[0])
    assert run(first.arguments) == 0
    assert capfd.readouterr().out == blocks("README.md", "text")[0]


def test_the_readme_shows_naturalness_and_voice() -> None:
    """The README's table of naturalness and voice has the scores of the shipped model, one row per combination of high
    and low."""
    rows = re.findall(r"^\| (\.\d\d) \| (\.\d\d) \| (.+) \|$", README, re.MULTILINE)
    scores = naturalness.score([text for *_, text in rows])
    numbers = np.column_stack([scores.naturalness, scores.voice])
    assert (numbers >= 0.5).tolist() == [[True, True], [True, False], [False, True], [False, False]]
    assert numbers == pytest.approx(np.array([row[:2] for row in rows], dtype=float), abs=0.0051)


@pytest.mark.slow
def test_the_readme_shows_the_figures_of_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    """The README's table of training figures matches the output to a hundredth."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    (block,) = [block for block in blocks("README.md", "sh") if "naturalness train" in block]
    for call in calls(block):
        if call.arguments[0] != "annotate":
            assert run(call.arguments) == 0
    printed = {
        words[0]: words for line in capfd.readouterr().out.splitlines() if (words := re.split(r"\s{2,}", line.strip()))
    }
    for line in blocks("README.md", "text")[1].splitlines():
        shown = re.split(r"\s{2,}", line.strip())
        for one, other in zip(printed[shown[0]], shown, strict=True):
            if re.match(r"\.\d", other):
                assert float(one.split()[0]) == pytest.approx(float(other.split()[0]), abs=0.01)
            else:
                assert one == other


@pytest.mark.slow
def test_the_site_is_built_and_loads_nothing(tmp_path: Path) -> None:
    """The site builds without warnings, so every link leads to a page or heading, and its pages load nothing from a
    network."""
    pytest.importorskip("zensical")
    subprocess.run([sys.executable, "docs/site.py", str(tmp_path)], cwd=ROOT, check=True)
    pages = {path.name for path in tmp_path.glob("*.html")}
    assert {f"{Path(page).stem}.html" for page in WRITTEN} | {"index.html", "commands.html"} <= pages
    for page in tmp_path.rglob("*.html"):
        assert not re.search(r"<(?:script|img|link)[^>]*(?:src|href)=.?https?://", page.read_text(encoding="utf-8")), (
            page
        )
