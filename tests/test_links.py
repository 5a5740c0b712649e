"""Links of the pages lead to what is in the repository; those of the site are checked where it is built."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.support.documented import ROOT

PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "training/README.md"]
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md"))
BLOCK = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *#*$", re.M)


def prose(path: Path) -> str:
    """A page without its blocks of code."""
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def links(page: str) -> list[str]:
    """The relative links of a page, those to pictures and to its own headings among them."""
    return [link for link in LINK.findall(CODE.sub("", prose(ROOT / page))) if ":" not in link]


@cache
def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and its like make them."""
    return set(numbered(HEADING.findall(prose(path))))


def numbered(headings: list[str]) -> list[str]:
    """Anchors of headings: in lower case, hyphens for spaces, without other punctuation; repeated ones are numbered."""
    counts: Counter[str] = Counter()
    names = []
    for heading in headings:
        shown = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        names.append(f"{name}-{counts[name]}" if counts[name] else name)
        counts[name] += 1
    return names


def leads(page: str, link: str) -> bool:
    """Whether a link ends at a file or a folder of the repository and, where it names one, at a heading."""
    target, _, anchor = link.partition("#")
    path = ((ROOT / page).parent / target if target else ROOT / page).resolve()
    if not (path.exists() and path.is_relative_to(ROOT)):
        return False
    return not anchor or path.suffix != ".md" or anchor in anchors(path)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """To a file or folder, and to a heading where they have an anchor."""
    assert [link for link in links(page) if not leads(page, link)] == []


def test_links_that_lead_nowhere_are_noticed() -> None:
    """A file that is not there, one outside, a heading of another page, a heading that is not there."""
    assert leads("docs/tour.md", "how-to.md#choose-columns") and leads("README.md", "docs/pictures")
    for link in ("no.md", "../../tour.md", "#choose-columns", "how-to.md#choose", "how-to.md#Choose-columns"):
        assert not leads("docs/tour.md", link)


def test_anchors_are_made_from_headings() -> None:
    """Code and links count by their words, and a heading that comes again gets a number."""
    headings = ["Quick: `--fast`", "[What](how-to.md) it is, and why", "snake_case", "Changed", "Changed"]
    assert numbered(headings) == ["quick---fast", "what-it-is-and-why", "snake_case", "changed", "changed-1"]
