"""An HTML reader that fails on an unclosed element."""

from __future__ import annotations

import re
from html.parser import HTMLParser

EVIL = "<script>alert('\"&')</script>"
VOID = {"meta", "link", "br", "hr", "img", "input", "circle", "line", "rect", "polyline", "polygon", "path"}


class Page(HTMLParser):
    """The elements of a page with their attributes, its text, and the text of its cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.cells: set[str] = set()
        self.cell_start = 0
        self.feed(page.removeprefix("<!doctype html>"))
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element; no attribute may hold a script."""
        attributes = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") for name in attributes)
        self.tags.append(tag)
        self.elements.append((tag, attributes))
        if tag in ("td", "th"):
            self.cell_start = len(self.text)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a self-closing element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Record text."""
        self.text += data

    def handle_endtag(self, tag: str) -> None:
        """Close an element, which must be the one opened last."""
        if tag in ("td", "th"):
            self.cells.add(self.text[self.cell_start :].strip())
        if tag not in VOID:
            assert self.open.pop() == tag

    def attributes(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of all elements with a name."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self) -> list[str]:
        """Return the ids of the page, in order."""
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    @property
    def sections(self) -> list[str]:
        """Return the names of the sections, in order."""
        return [attributes["id"] for attributes in self.attributes("section") if "id" in attributes]

    @property
    def links(self) -> list[str]:
        """Return the links and loaded resources, in order."""
        return [
            value for _, attributes in self.elements for name, value in attributes.items() if name in ("href", "src")
        ]

    def assert_links_inside(self) -> None:
        """Require that every link leads to an id of the page, and that ids are unique."""
        assert all(link.startswith("#") for link in self.links), self.links
        assert {link[1:] for link in self.links} <= set(self.ids)
        assert len(set(self.ids)) == len(self.ids)


def words(page: str) -> str:
    """Return the text that a reader sees."""
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    return " ".join(text.split())
