"""Plain text: positions in a file, paragraphs, and comments that switch checking on and off or ignore codes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from naturalness.explaining.codes import EVERYTHING
from naturalness.text.mapped import MappedText


@dataclass(frozen=True, slots=True)
class Region:
    """A span of a file. Lines and columns are counted from 1, and the end column is exclusive."""

    start: int
    end: int
    """End offset; ``start`` and ``end`` count characters from the beginning of the file, without a byte order mark."""
    line: int
    column: int
    end_line: int
    end_column: int
    """End column; ``column`` and ``end_column`` count characters."""
    unit: int
    end_unit: int
    """End column; ``unit`` and ``end_unit`` are the start and end columns, counted in UTF-16 code units."""


class Lines:
    """The start offsets of the lines of a text; only a line feed ends a line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._pairs = [match.start() for match in re.finditer("[\U00010000-\U0010ffff]", text)]
        """Offsets of the characters that UTF-16 encodes as two units."""

    def region(self, start: int, end: int) -> Region:
        """Return the region of ``text[start:end]``."""
        line, column, unit = self._position(start)
        end_line, end_column, end_unit = self._position(end)
        return Region(start, end, line, column, end_line, end_column, unit, end_unit)

    def _position(self, offset: int) -> tuple[int, int, int]:
        line = bisect_right(self.starts, offset)
        start = self.starts[line - 1]
        column = offset - start + 1
        return line, column, column + bisect_left(self._pairs, offset) - bisect_left(self._pairs, start)


def lines_of(text: str) -> Iterator[MappedText]:
    """Yield the lines of a text without their line ends."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        end = stop - 1 if text[start:stop].endswith("\r") else stop
        yield MappedText.of(text, start, end)
        start = stop + 1


@dataclass(frozen=True, slots=True)
class Passage:
    """The lines of a paragraph, heading, list item or definition, without its marker."""

    lines: list[MappedText]
    is_paragraph: bool = True
    """Whether it is a paragraph. Headings, list items and definitions are often not sentences."""


ITEM = re.compile(r"\s*(?:[-*+•]|(?:\d{1,3}|[a-z]|#)[.)]|\(\w{1,2}\)|\[\d{1,3}\])\s+")
"""The start of a list item."""


def passages(text: str, comments: Comments) -> Iterator[Passage]:
    """Yield paragraphs, list items and definitions, and record the comments addressed to the checker."""
    block: list[MappedText] = []
    for line in lines_of(text):
        shown = comments.shown(line)
        if shown.text.strip():
            block.append(shown)
        else:
            yield from _passages_in(block)
            block = []
    yield from _passages_in(block)


def _passages_in(block: list[MappedText]) -> Iterator[Passage]:
    """Yield the passages of lines without a blank line between them."""
    marks = {i: mark for i, line in enumerate(block) if (mark := ITEM.match(line.text))}
    first_mark = min(marks, default=0)
    if len(marks) == 1 and first_mark and not block[first_mark - 1].text.rstrip().endswith(":"):
        marks = {}  # a line that begins with a dash or a number by accident
    for start, end in pairwise(sorted({0, *marks, len(block)})):
        mark = marks.get(start)
        first = block[start].cut(mark.end(), len(block[start].text)) if mark else block[start]
        yield Passage([first, *block[start + 1 : end]], is_paragraph=not mark)


def as_written(passage: MappedText) -> MappedText:
    """Return a paragraph unchanged, since plain text has no inline markup."""
    return passage


TICKS = re.compile("`+")


def code_ends(text: str, start: int = 0, end: int | None = None) -> dict[int, int]:
    """Return the end of each code span, keyed by the start of its opening back-ticks, the last span first.

    Spans may overlap, since any run of back-ticks may turn out to open a span. A regular expression would search the
    rest of the text for the end of each span.
    """
    ends: dict[int, int] = {}
    following: dict[int, int] = {}
    for run in reversed([*TICKS.finditer(text, start, len(text) if end is None else end)]):
        size = len(run[0])
        if size in following:
            ends[run.start()] = following[size]
        following[size] = run.end()
    return ends


OPENING = re.compile("`+|<!--")
"""The start of a comment, or back-ticks, since a comment inside a code span does not count."""
REASON = re.compile(r"\([^)]*(\)?)")
COMMAND = re.compile(r"\s*naturalness:(.*)", re.IGNORECASE | re.DOTALL)
"""A comment addressed to the checker; the group is its command."""


class Ignored(NamedTuple):
    """A comment that ignores codes, such as ``naturalness: ignore he-go, small-i``."""

    start: int
    end: int
    """End of the comment; ``start`` and ``end`` are character offsets in the file."""
    codes: tuple[str, ...]
    """The ignored codes; `EVERYTHING` if the comment names none."""


class Comments:
    """The state of comments while a file is read line by line."""

    def __init__(self) -> None:
        self.off = False
        self.ignored: list[Ignored] = []
        self.unknown: list[tuple[int, str]] = []
        """Offsets and commands of comments that the checker does not understand."""
        self._start = 0
        """Offset of the last comment that was opened."""
        self._comment: list[str] | None = None
        """The parts of the text of the open comment so far; None outside a comment."""

    def shown(self, line: MappedText) -> MappedText:
        """Return the part of a line that is neither in a comment nor switched off."""
        hidden: list[tuple[int, int]] = []
        at, ends = 0, code_ends(line.text)
        while at < len(line.text):
            if self._comment is None:
                after = at
                while (opening := OPENING.search(line.text, after)) and opening[0] != "<!--":
                    after = ends.get(opening.start(), opening.end())
                stop = opening.start() if opening else len(line.text)
                if self.off:
                    hidden.append((at, stop))
                if not opening:
                    break
                at, self._comment, self._start = opening.end(), [], line.starts[stop]
                hidden.append((stop, at))
            closing = line.text.find("-->", at)
            stop = len(line.text) if closing < 0 else closing
            self._comment += line.text[at:stop], "\n" * (closing < 0)
            hidden.append((at, stop if closing < 0 else stop + 3))
            if closing < 0:
                break
            at = stop + 3
            command = COMMAND.match("".join(self._comment))
            if command:
                self.execute(command[1], self._start, line.ends[at - 1])
            self._comment = None
        return line.without(hidden) if hidden else line

    def execute(self, command: str, start: int, end: int) -> None:
        """Execute the command of a comment between two offsets, ignoring a reason in parentheses."""
        shown = REASON.sub(lambda reason: " " if reason[1] else reason[0], command)
        verb, *names = shown.replace(",", " ").split() or [""]
        if verb.lower() in ("on", "off") and not names:
            self.off = verb.lower() == "off"
        elif verb.lower() == "ignore":
            self.ignored.append(Ignored(start, end, tuple(names) or (EVERYTHING,)))
        else:
            self.unknown.append((start, command.strip()))
