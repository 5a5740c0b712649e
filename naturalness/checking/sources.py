"""Files to check: how their markup is read, their sentences, and where these stand."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from naturalness.checking import markdown, plain, restructured
from naturalness.data.formats import no_file
from naturalness.errors import TableError
from naturalness.text.mapped import MappedText, joined

STANDARD = "-"
By = Literal["sentence", "line"]
UNITS: tuple[By, ...] = ("sentence", "line")


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a file; lines and columns count from 1, and the last column is the first behind it."""

    start: int
    end: int
    """In characters from the beginning of the file, without a byte order mark."""
    line: int
    column: int
    end_line: int
    end_column: int
    """In characters."""
    unit: int
    end_unit: int
    """The columns in UTF-16 code units."""


class Lines:
    """The starts of the lines of a text; a line ends with a line feed, whatever stands before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]

    def region(self, start: int, end: int) -> Region:
        """Return the region of ``text[start:end]``."""
        line, column, unit = self._position(start)
        end_line, end_column, end_unit = self._position(end)
        return Region(start, end, line, column, end_line, end_column, unit, end_unit)

    def _position(self, offset: int) -> tuple[int, int, int]:
        line = bisect_right(self.starts, offset)
        before = self.text[self.starts[line - 1] : offset]
        return line, len(before) + 1, len(before.encode("utf-16-le")) // 2 + 1


@dataclass(frozen=True, slots=True)
class Markup:
    """How a format is read."""

    passages: Callable[[str], Iterator[list[MappedText]]]
    """The lines of each paragraph."""
    shown: Callable[[MappedText], MappedText]
    """A paragraph without the markup inside it."""


PLAIN = Markup(plain.passages, plain.as_written)
MARKDOWN = Markup(markdown.passages, markdown.without_markup)
RESTRUCTURED = Markup(restructured.passages, restructured.without_markup)
SUFFIXES: Mapping[str, Markup] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"), MARKDOWN),
    **dict.fromkeys((".rst", ".rest"), RESTRUCTURED),
}
"""Markup by the suffix of a file's name; any other file is plain text."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read."""

    name: str
    """Its path as the user wrote it, or the name of standard input."""
    text: str
    markup: Markup
    lines: Lines


def read_source(path: str, *, standard_name: str = "<stdin>") -> Source:
    """Read a UTF-8 file, or standard input (``-``)."""
    if path == STANDARD:
        return make_source(standard_name, _decoded(sys.stdin.buffer.read(), "standard input"))
    file = Path(path)
    if file.is_dir():
        raise TableError(f"{path!r} is a folder; name files, such as {path.rstrip('/')}/*.md")
    if not file.is_file():
        raise no_file(path)
    return make_source(path, _decoded(file.read_bytes(), repr(path)))


def make_source(name: str, text: str) -> Source:
    """Return a text as a source; the suffix of its name says which markup it has."""
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


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a file, without its markup."""

    source: Source
    prose: MappedText

    @property
    def text(self) -> str:
        """The text to score; a line end inside it is a space."""
        return self.prose.text

    def region(self, start: int = 0, end: int | None = None) -> Region:
        """Return where ``text[start:end]`` stands in the file."""
        stop = len(self.text) if end is None else end
        return self.source.lines.region(*self.prose.span(start, stop))


def sentences(source: Source, *, by: By = "sentence", nlp: str = "en", batch_size: int = 64) -> list[Sentence]:
    """Return the sentences that the parser finds in each paragraph of a file, or its lines."""
    shown = source.markup.shown
    if by == "line":
        lines = (shown(line.stripped()) for lines in source.markup.passages(source.text) for line in lines)
        return [Sentence(source, line) for line in lines if line.text]
    paragraphs = [shown(joined(lines)) for lines in source.markup.passages(source.text)]
    prose = split([paragraph for paragraph in paragraphs if paragraph.text], nlp=nlp, batch_size=batch_size)
    return [Sentence(source, sentence) for sentence in prose]


def split(paragraphs: Sequence[MappedText], *, nlp: str, batch_size: int) -> Iterator[MappedText]:
    """Yield the sentences of paragraphs; a paragraph that cannot be parsed stays whole."""
    from naturalness.text.parsing import original_span, parse, short_memory, unusable

    with short_memory(nlp=nlp):
        docs = parse([paragraph.text for paragraph in paragraphs], nlp=nlp, batch_size=batch_size)
        for paragraph, doc in zip(paragraphs, docs, strict=True):
            if unusable(doc):
                yield paragraph
                continue
            for sentence in doc.sents:
                part = paragraph.cut(*original_span(doc, sentence.start_char, sentence.end_char))
                if part.stripped().text:
                    yield part.stripped()
