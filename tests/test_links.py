"""Links of the pages lead to files of the repository and to headings."""

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
    """Return a page without its code blocks."""
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def links(page: str) -> list[str]:
    """Return the relative links of a page, including pictures and its own headings."""
    return [link for link in LINK.findall(CODE.sub("", prose(ROOT / page))) if ":" not in link]


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    return set(numbered(HEADING.findall(prose(path))))


def numbered(headings: list[str]) -> list[str]:
    """Return the anchors of headings: lower case, hyphens for spaces, no other punctuation, repeats numbered."""
    counts: Counter[str] = Counter()
    names = []
    for heading in headings:
        shown = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        names.append(f"{name}-{counts[name]}" if counts[name] else name)
        counts[name] += 1
    return names


def leads(page: str, link: str) -> bool:
    """Return whether a link leads to a file or folder of the repository and, if it names one, a heading."""
    target, _, anchor = link.partition("#")
    path = ((ROOT / page).parent / target if target else ROOT / page).resolve()
    if not (path.exists() and path.is_relative_to(ROOT)):
        return False
    return not anchor or path.suffix != ".md" or anchor in anchors(path)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Each link leads to a file or folder, and its anchor to a heading."""
    assert [link for link in links(page) if not leads(page, link)] == []


def test_broken_links_are_reported() -> None:
    """Links to a missing file, a file outside the repository or a missing heading are reported."""
    assert leads("docs/tour.md", "how-to.md#choose-columns") and leads("README.md", "docs/pictures")
    for link in ("no.md", "../../tour.md", "#choose-columns", "how-to.md#choose", "how-to.md#Choose-columns"):
        assert not leads("docs/tour.md", link)
