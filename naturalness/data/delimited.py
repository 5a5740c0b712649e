"""CSV and TSV, row by row; one bad row costs no other row its place."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import IO, Any

from naturalness.data.formats import Location
from naturalness.errors import TableError

MAX_LINES = 5_000
"""Lines that one quoted cell may span; more mean a quotation mark that is never closed."""


def without_mark(start: bytes) -> bytes:
    """The first line without the mark of UTF-8; that of UTF-16 or UTF-32 is refused."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise TableError(
            "the table is in UTF-16 or UTF-32; expected UTF-8. Convert it first: "
            "iconv -f UTF-16 -t UTF-8 IN > OUT"
        )
    return start.removeprefix(b"\xef\xbb\xbf")


class _Lines:
    """Lines for the csv reader; those of the record being read can be put back."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.waiting: deque[str] = deque()
        self.record: list[str] = []
        self.first = True

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if len(self.record) >= MAX_LINES:
            raise csv.Error("a quotation mark is not closed")
        if self.waiting:
            line = self.waiting.popleft()
        else:
            raw = self.stream.readline()
            if not raw:
                raise StopIteration
            if self.first:
                raw = without_mark(raw)
            self.first = False
            line = raw.decode("utf-8", "surrogateescape")
        self.record.append(line)
        return line

    def put_back(self) -> None:
        """Give up the record's first line and read its other lines again."""
        self.waiting.extendleft(reversed(self.record[1:]))
        self.record = []


def read_delimited(
    where: Location, stream: IO[bytes], delimiter: str
) -> tuple[list[str], Iterator[tuple[dict[str, Any], str]]]:
    """The header, and the rows with what is wrong with each."""
    records = _records(_Lines(stream), delimiter)
    header, problem = next(records, ([], ""))
    if problem or not header:
        found = f"a header that is a {problem}" if problem else "an empty file"
        raise TableError(f"{where.path!r}: expected a header with column names, found {found}")
    return header, _rows(records, header)


def _records(lines: _Lines, delimiter: str) -> Iterator[tuple[list[str], str]]:
    """Cells of each record that is not blank, with what is wrong with it."""
    csv.field_size_limit(1 << 30)

    def open_reader() -> Any:
        if delimiter == "\t":  # a quote is a character like any other, as rated sets have it
            return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        return csv.reader(lines, delimiter=delimiter, strict=True)

    reader = open_reader()
    while True:
        lines.record = []
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            message = str(error).replace("unexpected end of data", "a quotation mark is not closed")
            lines.put_back()
            reader = open_reader()
            yield [], f"malformed row: {message}"
            continue
        if cells:
            yield cells, ""


def _rows(
    records: Iterator[tuple[list[str], str]], header: list[str]
) -> Iterator[tuple[dict[str, Any], str]]:
    for cells, problem in records:
        padded = [*cells, *[""] * (len(header) - len(cells))]
        if not problem and len(cells) != len(header):
            problem = f"malformed row: {len(cells)} cells, expected {len(header)}"
        yield dict(zip(header, padded, strict=False)), problem
