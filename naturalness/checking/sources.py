"""Files that are checked: their text, and how their markup is read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from naturalness.checking import inline, markdown, plain, restructured
from naturalness.checking.places import Lines
from naturalness.errors import TableError
from naturalness.text.mapped import MappedText

STANDARD = "-"


@dataclass(frozen=True, slots=True)
class Markup:
    """How a format is read."""

    passages: Callable[[str], Iterator[list[MappedText]]]
    """The lines of each paragraph."""
    shown: Callable[[MappedText], MappedText]
    """A paragraph without the markup inside it."""


PLAIN = Markup(plain.passages, plain.as_written)
MARKDOWN = Markup(markdown.passages, inline.without_markup)
RESTRUCTURED = Markup(restructured.passages, restructured.without_markup)
SUFFIXES: Mapping[str, Markup] = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".mkd": MARKDOWN,
    ".mdx": MARKDOWN,
    ".qmd": MARKDOWN,
    ".rmd": MARKDOWN,
    ".rst": RESTRUCTURED,
    ".rest": RESTRUCTURED,
}
"""By the end of a file's name; any other is plain text."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read."""

    name: str
    """Its path as it was given, or what standard input is called."""
    text: str
    markup: Markup
    lines: Lines


def read_source(path: str, *, standard_name: str = "<stdin>") -> Source:
    """Read a file of UTF-8, or standard input (``-``)."""
    if path == STANDARD:
        return make_source(standard_name, _decoded(sys.stdin.buffer.read(), "standard input"))
    place = Path(path)
    if place.is_dir():
        raise TableError(f"{path!r} is a folder; name files, such as {path.rstrip('/')}/*.md")
    if not place.is_file():
        raise TableError(f"no file {path!r}; check the path")
    return make_source(path, _decoded(place.read_bytes(), repr(path)))


def make_source(name: str, text: str) -> Source:
    """A source of a text; the end of its name tells the markup."""
    markup = SUFFIXES.get(PurePath(name).suffix.lower(), PLAIN)
    return Source(name, text, markup, Lines(text))


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{name} is not UTF-8 (line {line}); convert it first, such as with iconv -f LATIN1 -t UTF-8"
        ) from None
