"""Output for people: colour, marked texts, wrapped lines and tables."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
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
"""A pattern for commands to CI systems: ``::stop-commands::`` on a line of its own, ``##[group]`` anywhere."""
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
        """A placeholder for the current line so far: empty if the line is blank, otherwise a full stop."""

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


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked span of a text; an empty span marks a place where something is missing."""

    start: int
    end: int
    style: str


def marked_lines(text: str, marks: Sequence[Mark], width: int, paint: Paint) -> list[str]:
    """Wrap a text and its marks to lines of ``width``; of overlapping marks, the first is shown.

    Without colour, marks are drawn below each line. The mark of an empty span is on the character that follows.
    """
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    shown = Text(re.sub(r"\s", " ", visible(text)) + " ")  # something may be missing at the end
    for mark in reversed(marks):
        shown.stylize(mark.style, mark.start, max(mark.end, mark.start + 1))
    lines: list[str] = []
    for line in shown.wrap(Console(), width):
        styles = [""] * len(line)
        for span in line.spans:
            styles[span.start : span.end] = [str(span.style)] * (span.end - span.start)
        runs = [
            ("".join(character for character, _ in run), style)
            for style, run in groupby(zip(line.plain, styles, strict=True), key=itemgetter(1))
        ]
        lines.append("".join(paint(run, style) for run, style in runs).rstrip())
        if not paint.on and any(styles):
            lines.append("".join(("^" if style else " ") * cell_len(run) for run, style in runs).rstrip())
    return lines


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
