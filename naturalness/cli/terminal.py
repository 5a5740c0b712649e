"""Output for people: colour, marked texts, wrapped lines and tables."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from naturalness.errors import printable
from naturalness.pages.formats import beginning

WIDTH, MAX_WIDTH, MIN_WIDTH = 80, 100, 40
"""Width in columns if there is no terminal, and the upper and lower limit of a terminal's width."""
STYLES = {"bold": "1", "soft": "2", "good": "32", "bad": "31", "warning": "33", "sure": "4;31", "doubtful": "4;33"}
"""ISO 6429 style codes, keyed by what each style expresses."""


MAX_CHARACTERS = 200
"""Maximum number of characters of a text printed beside its numbers; tables and JSON have the whole text."""


UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""A pattern for characters that are not shown: control characters, bidirectional overrides, and characters that XML
forbids.
"""
COMMAND = re.compile(r"^([^\S\n]*):(?=:)|(?<=#)#(?=\w*\[)", re.MULTILINE)
"""What a CI system would run if a log held it: ``::stop-commands::`` in a line of its own, ``##[group]`` anywhere."""
CONTROL = re.compile(rf"{UNSHOWN.pattern}|\r")
UNSTYLED = re.compile(rf"(?!\x1b\[[0-7;]*m)(?:{CONTROL.pattern})")
"""A control character, other than that of a style."""


def visible(text: str) -> str:
    """Replace each character in `UNSHOWN` by U+FFFD."""
    return UNSHOWN.sub("\ufffd", text)


def escaped(text: str, control: re.Pattern[str] = CONTROL) -> str:
    """Return a text in which control characters and commands to CI systems are ``\\u`` escapes, as valid in JSON."""

    def escape(match: re.Match[str]) -> str:
        return f"{match[0][:-1]}\\u{ord(match[0][-1]):04x}"

    return COMMAND.sub(escape, control.sub(escape, text))


class Guarded:
    """A stream to which any text may be written: a file's name or content cannot command a terminal or a CI system."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream
        self.control = UNSTYLED if stream.isatty() or paint_for(stream).on else CONTROL
        self.ahead = ""
        """What stands for the current line so far: nothing if that is white space, otherwise a full stop."""

    def write(self, text: str) -> int:
        """Write a text, escaped."""
        lines = self.ahead + text
        shown = escaped(lines, self.control)[len(self.ahead) :]
        self.ahead = "." if lines.rpartition("\n")[2].strip() else ""
        return self.stream.write(shown)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines, escaped."""
        self.write("".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def line_of(text: str) -> str:
    """Return the beginning of a text as a single output line, with control characters escaped."""
    return printable(beginning(text, MAX_CHARACTERS))


@dataclass(frozen=True, slots=True)
class Paint:
    """A function that applies a style to text; if colour is off, it returns the text unchanged."""

    on: bool

    def __call__(self, text: str, style: str = "") -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.on and style and text else text


def paint_for(stream: IO[str]) -> Paint:
    """Return styles for a stream: in colour if it is a terminal.

    NO_COLOR (no-color.org) turns colour off; otherwise FORCE_COLOR (force-color.org) turns it on for all streams.
    Python checks them in the same order.
    """
    if os.environ.get("NO_COLOR"):
        return Paint(False)
    if os.environ.get("FORCE_COLOR"):
        return Paint(True)
    return Paint(os.environ.get("TERM") != "dumb" and stream.isatty())


CARET = "‸"
"""Character that marks, in coloured output, a place where something is missing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked span of a text; an empty span marks a place where something is missing."""

    start: int
    end: int
    style: str


@dataclass(slots=True)
class _Cell:
    """A character on the screen."""

    text: str
    width: int
    style: str = ""
    missing: str = ""
    """Style of a mark for something missing before the character; empty if there is none."""


def marked_lines(text: str, marks: Sequence[Mark], width: int, paint: Paint) -> list[str]:
    """Wrap a text and its marks to lines of ``width``; of overlapping marks, the first is shown.

    Without colour, marks are drawn below each line. A double-width character may exceed the width by one cell.
    """
    lines: list[str] = []
    for row in _rows(_cells(text, marks), width):
        lines.append(_painted(row, paint))
        if not paint.on and any(cell.style or cell.missing for cell in row):
            lines.append(_underline(row))
    return lines


def _cells(text: str, marks: Sequence[Mark]) -> list[_Cell]:
    from rich.cells import cell_len

    cells = []
    for character in text:
        shown = " " if character.isspace() else visible(character)
        cells.append(_Cell(shown, cell_len(shown)))
    cells.append(_Cell("", 0))  # something may be missing at the end of the text
    for mark in reversed(marks):
        if mark.start == mark.end:
            cells[min(mark.start, len(text))].missing = mark.style
        for cell in cells[mark.start : mark.end]:
            cell.style = mark.style
    return cells


def _rows(cells: Sequence[_Cell], width: int) -> Iterator[list[_Cell]]:
    """Yield lines broken at spaces, or inside a word that is longer than a line."""
    row: list[_Cell] = []
    used = 0
    for cell in cells:
        broken = False
        while row and used + cell.width > width:
            at = next((i for i in range(len(row), 0, -1) if row[i - 1].text == " "), 0)
            at = len(row) if cell.text == " " or not at else at
            yield row[:at]
            row, broken = row[at:], True
            used = sum(rest.width for rest in row)
        if broken and not row and cell.text == " " and not cell.missing:
            continue  # the space at which a line was broken
        row.append(cell)
        used += cell.width
    if any(cell.text or cell.missing for cell in row):
        yield row


def _painted(row: Sequence[_Cell], paint: Paint) -> str:
    parts: list[str] = []
    run, style = "", ""
    for cell in row:
        if cell.style != style or (cell.missing and paint.on):
            parts.append(paint(run, style))
            run, style = "", cell.style
        if cell.missing and paint.on:
            parts.append(paint(CARET, cell.missing))
        run += cell.text
    return "".join([*parts, paint(run, style)]).rstrip()


def _underline(row: Sequence[_Cell]) -> str:
    drawn = ""
    for cell in row:
        if cell.style:
            drawn += "^" * cell.width
        elif cell.missing:
            drawn += "^" + " " * (cell.width - 1)
        else:
            drawn += " " * cell.width
    return drawn.rstrip()


def print_table(header: tuple[str, ...], sections: list[list[list[str]]]) -> None:
    """Print a table, dropping the last columns that do not fit."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 200)
    rows = [list(header), *(row for section in sections for row in section)]
    # Spaces that rich puts between columns and before the first.
    widths = [max(len(row[i]) for row in rows) + 3 for i in range(len(header))]
    shown = len(header)
    while shown > 2 and sum(widths[:shown]) > console.width:
        shown -= 1
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(header[:shown]):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    for section in sections:
        table.add_section()
        for row in section:
            table.add_row(*map(printable, row[:shown]))
    console.begin_capture()
    console.print(table)
    sys.stdout.write(console.end_capture())


def page_width() -> int:
    """Return the terminal's width, at least `MIN_WIDTH` and at most `MAX_WIDTH`; `WIDTH` if there is no terminal."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(MIN_WIDTH, min(shutil.get_terminal_size().columns, MAX_WIDTH))


def wrapped(text: str, width: int, paint: Paint, style: str = "", *, start: str = "", then: str = "") -> list[str]:
    """Wrap words to lines of at most ``width``, in one style."""
    lines = textwrap.wrap(visible(text), width, initial_indent=start, subsequent_indent=then, break_on_hyphens=False)
    return [paint(line, style) for line in lines]
