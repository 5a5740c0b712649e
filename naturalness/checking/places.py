"""Lines and columns of places in a file."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a file; lines and columns count from 1, the last column is the first behind it."""

    start: int
    end: int
    """Characters of the file from its beginning; a byte order mark is none."""
    line: int
    column: int
    end_line: int
    end_column: int
    """In characters."""
    unit: int
    end_unit: int
    """The columns in UTF-16 code units."""


class Lines:
    """Where the lines of a text begin; they end with a line feed, whatever stands before that."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]

    def region(self, start: int, end: int) -> Region:
        """The place of ``text[start:end]``."""
        line, column, unit = self._place(start)
        end_line, end_column, end_unit = self._place(end)
        return Region(start, end, line, column, end_line, end_column, unit, end_unit)

    def _place(self, offset: int) -> tuple[int, int, int]:
        line = bisect_right(self.starts, offset)
        before = self.text[self.starts[line - 1] : offset]
        return line, len(before) + 1, len(before.encode("utf-16-le")) // 2 + 1
