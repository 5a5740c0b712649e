"""CSV and TSV, row by row; one bad row costs no other row its place."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import IO, Any

from naturalness.data import limits
from naturalness.data.formats import Location
from naturalness.errors import TableError

Line = tuple[str, str]
"""A line, and what is wrong with it."""


class _Lines:
    """Lines for the csv reader; those of the record being read can be put back."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.lines = limits.read_lines(stream)
        self.waiting: deque[Line] = deque()
        self.record: list[Line] = []
        self.size = 0
        """Letters of the record."""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if len(self.record) >= limits.MAX_QUOTED_LINES or self.size > limits.MAX_LINE_BYTES:
            raise csv.Error("a quotation mark is not closed")
        if self.waiting:
            line, problem = self.waiting.popleft()
        else:
            raw, problem = next(self.lines)
            line = raw.decode("utf-8", "surrogateescape")
        self.record.append((line, problem))
        self.size += len(line)
        if problem:
            raise csv.Error(problem if len(self.record) == 1 else "a quotation mark is not closed")
        return line

    def begin(self) -> None:
        """Begin the next record."""
        self.record, self.size = [], 0

    def put_back(self) -> None:
        """Give up the record's first line and read its other lines again."""
        self.waiting.extendleft(reversed(self.record[1:]))
        self.begin()


Record = tuple[list[str], str, int]
"""The cells of a row, what is wrong with it, and its letters."""


def read_delimited(
    where: Location, stream: IO[bytes], delimiter: str
) -> tuple[list[str], Iterator[tuple[dict[str, Any], str, int]]]:
    """The header, and the rows with what is wrong with each and how many letters it has."""
    records = _records(_Lines(stream), delimiter)
    header, problem, _ = next(records, ([], "", 0))
    if problem or not header:
        found = f"a header that is a {problem}" if problem else "an empty file"
        raise TableError(f"{where.path!r}: expected a header with column names, found {found}")
    if len(header) > limits.MAX_COLUMNS:
        raise TableError(
            f"{where.path!r} has {len(header):,} columns; at most {limits.MAX_COLUMNS:,} are read. "
            "Is it really a table with a header?"
        )
    return header, _rows(records, header)


def _records(lines: _Lines, delimiter: str) -> Iterator[Record]:
    """Cells of each record that is not blank, with what is wrong with it."""
    csv.field_size_limit(limits.MAX_FIELD_BYTES)

    def open_reader() -> Any:
        if delimiter == "\t":  # a quote is a character like any other, as rated sets have it
            return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        return csv.reader(lines, delimiter=delimiter, strict=True)

    reader = open_reader()
    while True:
        lines.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = str(error).replace("unexpected end of data", "a quotation mark is not closed")
            lines.put_back()
            reader = open_reader()
            yield [], f"malformed row: {message}", 0
            continue
        if cells:
            yield cells, "", lines.size


def _rows(records: Iterator[Record], header: list[str]) -> Iterator[tuple[dict[str, Any], str, int]]:
    for cells, problem, size in records:
        padded = [*cells, *[""] * (len(header) - len(cells))]
        if not problem and len(cells) != len(header):
            problem = f"malformed row: {len(cells):,} cells, expected {len(header):,}"
        yield dict(zip(header, padded, strict=False)), problem, size
