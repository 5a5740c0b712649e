"""A text with some of its places marked, wrapped for a terminal.

Where there is no colour, the marks stand on a line of their own below each line, under the right
cells: wide letters take two, accents that combine none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from naturalness.cli.colour import Paint
from naturalness.pages.trees import visible

CARET = "‸"
"""Where something is missing, in colour."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of a text; an empty one is where something is missing."""

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
    """The style of a mark before it."""


def marked_lines(text: str, marks: Sequence[Mark], width: int, paint: Paint) -> list[str]:
    """The lines of a text that is at most ``width`` wide; of marks in one place the first counts.

    A wide letter may stick out by one.
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
    cells.append(_Cell("", 0))  # something may be missing at the end
    for mark in reversed(marks):
        if mark.start == mark.end:
            cells[min(mark.start, len(text))].missing = mark.style
        for cell in cells[mark.start : mark.end]:
            cell.style = mark.style
    return cells


def _rows(cells: Sequence[_Cell], width: int) -> Iterator[list[_Cell]]:
    """Broken at spaces, or inside a word that is longer than a line."""
    row: list[_Cell] = []
    used = 0
    for cell in cells:
        broken = False
        while row and used + cell.width > width:
            at = next((i for i in range(len(row), 0, -1) if row[i - 1].text == " "), 0)
            at = len(row) if cell.text == " " or not at else at
            yield row[:at]
            row, broken = row[at:], True
            used = sum(kept.width for kept in row)
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
