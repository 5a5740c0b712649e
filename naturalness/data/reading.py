"""Read tables in batches of rows; an unreadable row keeps its position, and the batch says what is wrong with it.

CSV and TSV cells are read as text; JSON and Parquet values keep their types. Bytes that are not valid UTF-8 are kept,
so that they can be written unchanged.
"""

from __future__ import annotations

import contextlib
import csv
import json
import re
import warnings
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from naturalness.data import limits
from naturalness.data.batch import TEXT_COLUMN, Batch, check_text_column, make_batch, missing_column
from naturalness.data.cells import name
from naturalness.data.formats import Location, open_bytes
from naturalness.errors import NaturalnessWarning, TableError

Row = tuple[dict[str, Any], str, int]
"""The values of a row, its problem (empty if it has none), and its approximate size in bytes."""
FIRST_ROWS = 100
"""The number of rows of JSON lines from which columns are known; at least one must have the text column."""
VALUE_BYTES = 64
"""The minimum size in bytes that a JSON value takes in memory."""
BYTE_ESCAPE = re.compile(r"(\\u[dD][89abAB]..\\u[dD][c-fC-F]|\\[^u])|\\u[dD][cC][89a-fA-F].")
"""A pattern for JSON escapes of lone surrogates that would look like invalid bytes; escapes that only contain such
characters (of surrogate pairs and backslashes) are matched by its group."""


Source = tuple[list[str], Iterator[Row]]
"""The columns that are known before the first row is read, and an iterator of the rows."""
DELIMITERS = ",\t;|"
SAMPLE_BYTES = 16 << 20
"""The number of bytes from which the number of rows in a table is estimated."""


def read_batches(where: Location, *, text_column: str | None = None, batch_size: int = 256) -> Iterator[Batch]:
    """Yield the batches of a table in order; a table that has no rows gives one empty batch with its columns.

    The default text column is ``text``.
    """
    column = text_column or TEXT_COLUMN
    with open_bytes(where) as stream:
        if where.format == "parquet":
            from naturalness.data.parquet import parquet_batches

            yield from parquet_batches(where, stream, column, batch_size)
            return
        known, source = _open(where, stream, column)
        if where.format == "jsonl":
            source = _with_column(where, source, column)
        else:
            check_text_column(where.path, known, column)
        first = 0
        for rows in _chunks(source, batch_size):
            values, problems, sizes = (list(part) for part in zip(*rows, strict=True))
            columns = known or list(dict.fromkeys(k for row in values for k in row))
            batch = make_batch(values, problems, columns, column, first)
            batch.fixed = where.format != "jsonl"
            batch.size = sum(sizes)
            yield batch
            first += len(rows)
        if not first:
            yield Batch(known, [], [], [])


def first_columns(where: Location) -> list[str]:
    """Return the columns of a file; for JSON lines, return those of the first `FIRST_ROWS` rows."""
    with open_bytes(where) as stream:
        if where.format == "parquet":
            from naturalness.data.parquet import parquet_columns

            return parquet_columns(where, stream)
        columns, rows = _open(where, stream, TEXT_COLUMN)
        return columns or list(dict.fromkeys(name for row, _, _ in islice(rows, FIRST_ROWS) for name in row))


def estimate_rows(where: Location) -> int | None:
    """Estimate the number of rows in a table, for progress bars; return None if that would take long."""
    path = Path(where.path)
    if where.compression or not path.is_file():
        return None
    if where.format == "parquet":
        from naturalness.data.parquet import parquet_rows

        return parquet_rows(path)
    with path.open("rb") as file:
        sample = file.read(SAMPLE_BYTES)
    lines = sample.count(b"\n")
    if len(sample) == SAMPLE_BYTES:
        lines = lines * path.stat().st_size // SAMPLE_BYTES
    return max(0, lines - 1) if where.format in {"csv", "tsv"} else lines


@dataclass(slots=True)
class NamedTexts:
    """Texts and columns of names, such as systems, inputs or keys; each list has one entry per row."""

    texts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why each row is unusable; an empty string if it is usable."""
    columns: dict[str, list[str]] = field(default_factory=dict)
    """The cells of each requested column that exists; an empty string if a row lacks the column."""


def read_named(
    where: Location, *, text_column: str | None, required: Sequence[str], optional: Sequence[str] = ()
) -> NamedTexts:
    """Read the texts of all rows, the ``required`` columns, and those ``optional`` columns that exist."""
    named = NamedTexts()
    seen: dict[str, None] = {}
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        seen |= dict.fromkeys(batch.columns)
        for column in dict.fromkeys((*required, *optional)):
            before = [""] * len(named.texts)
            cells = [name(row.get(column)) for row in batch.rows]
            named.columns.setdefault(column, before).extend(cells)
        named.texts += batch.texts
        named.problems += batch.problems
    for column in required:
        if column not in seen:
            raise missing_column(where.path, column, list(seen))
    named.columns = {column: cells for column, cells in named.columns.items() if column in seen}
    return named


def _open(where: Location, stream: IO[bytes], column: str) -> Source:
    match where.format:
        case "csv":
            lines = _Lines(stream, where.shown)
            return _delimited(where, lines, delimiter_of(lines.peek(), column))
        case "tsv":
            return _delimited(where, _Lines(stream, where.shown), "\t")
        case "jsonl":
            return [], _json_rows(where, stream)
        case _:
            return [column], _text_rows(where, stream, column)


def delimiter_of(header: str, column: str) -> str:
    """Return the delimiter of a CSV table, guessed from its header: the one that gives it a cell ``column`` or, if none
    or several do, the most frequent one; a comma if there is one cell."""
    return max(DELIMITERS, key=lambda mark: (column in _cells(header, mark), header.count(mark)))


def _cells(header: str, delimiter: str) -> list[str]:
    """Return the names in the first line of a table."""
    return [cell.strip().strip('"') for cell in header.split(delimiter)]


def _chunks(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    """Yield lists of ``size`` rows, or of fewer rows if they are long."""
    chunk: list[Row] = []
    n_bytes = 0
    for row in rows:
        chunk.append(row)
        n_bytes += row[2]
        if len(chunk) == size or n_bytes >= limits.MAX_BATCH_BYTES:
            yield chunk
            chunk, n_bytes = [], 0
    if chunk:
        yield chunk


# Read text and JSON lines.


def _lines(where: Location, stream: IO[bytes]) -> Iterator[tuple[str, str, int]]:
    """Yield each line (with its line end removed), its problem, and its size in bytes."""
    for raw, problem in limits.read_lines(stream, where.shown):
        yield raw.rstrip(b"\r\n").decode("utf-8", "surrogateescape"), problem, len(raw)


def _text_rows(where: Location, stream: IO[bytes], column: str) -> Iterator[Row]:
    first = where.assumed
    for line, problem, size in _lines(where, stream):
        if first and (likely := _format_of(line, column)):
            warnings.warn(
                f"{where.shown} is read as one text per line; its first line looks like "
                f"{'a row' if likely == 'jsonl' else 'the header'} of a table; use `input_format={likely}`",
                NaturalnessWarning,
                stacklevel=2,
            )
        first = False
        yield {column: line}, problem, size


def _format_of(line: str, column: str) -> str:
    """Return the table format that a first line suggests by naming the text column.

    Return an empty string if the line looks like a text.
    """
    if any(column in _cells(line, mark) for mark in DELIMITERS if mark in line):
        return "csv"
    try:
        row = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        return ""
    return "jsonl" if isinstance(row, dict) and column in row else ""


def parse_json(text: str) -> Any:
    """Return the value of a JSON text, with U+FFFD for escapes of lone surrogates that would look like bytes."""
    return json.loads(BYTE_ESCAPE.sub(lambda escape: escape[1] or "\\ufffd", text) if "\\u" in text else text)


def _json_rows(where: Location, stream: IO[bytes]) -> Iterator[Row]:
    for line, problem, size in _lines(where, stream):
        if problem:
            yield {}, problem, 0
            continue
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except RecursionError:
            yield {}, NESTED, 0
            continue
        except json.JSONDecodeError as error:
            yield {}, f"not JSON: {error}".splitlines()[0][:120], 0
            continue
        except ValueError:  # Python's limit on the length of integers
            yield {}, "a number with thousands of digits", 0
            continue
        if not isinstance(value, dict):
            remedy = "; write one object per line" if isinstance(value, list) else ""
            yield {}, f"expected a JSON object, found {type(value).__name__}{remedy}", 0
            continue
        problem, n_values = _size_of(value)
        yield ({} if problem else value), problem, size + VALUE_BYTES * n_values


def _with_column(where: Location, rows: Iterator[Row], column: str) -> Iterator[Row]:
    """Yield all rows; raise an error if none of the first `FIRST_ROWS` has a column.

    Rows of JSON lines may have different columns, so a later row that lacks it has a problem of its own.
    """
    head: list[Row] = []
    for row in islice(rows, FIRST_ROWS):
        head.append(row)
        if column in row[0]:  # so that a stream does not wait for further rows
            break
    if names := list(dict.fromkeys(name for values, _, _ in head for name in values)):
        check_text_column(where.path, names, column)
    yield from chain(head, rows)


NESTED = f"lists or objects nested deeper than {limits.MAX_DEPTH} levels"


def _size_of(row: dict[str, Any]) -> tuple[str, int]:
    """Return why a JSON object is too large (empty if it is not), and its number of values at all depths."""
    if len(row) > limits.MAX_COLUMNS:
        return f"an object of {len(row):,} names; at most {limits.MAX_COLUMNS:,} are read", 0
    level: list[Any] = [row]
    n_values = 0
    for _ in range(limits.MAX_DEPTH):
        inner = [part for container in level for part in _parts(container)]
        n_values += len(inner)
        level = [part for part in inner if isinstance(part, dict | list)]
        if n_values > limits.MAX_VALUES:
            return f"an object of more than {limits.MAX_VALUES:,} values", 0
        if not level:
            return "", n_values
    return NESTED, 0


def _parts(container: Any) -> Collection[Any]:
    return container.values() if isinstance(container, dict) else container


# Read CSV and TSV. A bad row must not change the positions of other rows.


class _Lines:
    """An iterator of lines for the csv reader; lines of the current record can be put back to be read again."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self.lines = limits.read_lines(stream, name)
        self.waiting: deque[tuple[str, str]] = deque()
        """Lines that were put back, with their problems."""
        self.record: list[tuple[str, str]] = []
        self.size = 0
        """The number of characters in the current record."""

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
        """Start the next record."""
        self.record, self.size = [], 0

    def peek(self) -> str:
        """Return the first line, which will be read again."""
        with contextlib.suppress(csv.Error, StopIteration):
            next(self)
        self.waiting.extend(self.record)
        self.begin()
        return self.waiting[0][0] if self.waiting else ""

    def put_back(self) -> None:
        """Discard the first line of the current record, and put back the other lines to be read again."""
        self.waiting.extendleft(reversed(self.record[1:]))
        self.begin()


Record = tuple[list[str], str, int]
"""The cells of a row, its problem, and its number of characters."""


def _delimited(where: Location, lines: _Lines, delimiter: str) -> tuple[list[str], Iterator[Row]]:
    """Return the columns and an iterator of the rows of a CSV or TSV table."""
    records = _records(lines, delimiter)
    header, problem, _ = next(records, ([], "", 0))
    if problem or not header:
        reason = f"a header that is a {problem}" if problem else "an empty file"
        raise TableError(f"{where.shown}: expected a header with column names, found {reason}")
    if len(header) > limits.MAX_COLUMNS:
        raise TableError(
            f"{where.shown} has {len(header):,} columns; at most {limits.MAX_COLUMNS:,} are read. "
            "Is it really a table with a header?"
        )
    return header, _named_cells(records, header)


def _records(lines: _Lines, delimiter: str) -> Iterator[Record]:
    """Yield all records that are not blank."""
    csv.field_size_limit(limits.MAX_FIELD_BYTES)

    def open_reader() -> Any:
        if delimiter == "\t":  # quotes have no meaning in TSV
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


def _named_cells(records: Iterator[Record], header: list[str]) -> Iterator[Row]:
    for cells, problem, size in records:
        padded = [*cells, *[""] * (len(header) - len(cells))]
        if not problem and len(cells) != len(header):
            problem = f"malformed row: {len(cells):,} cells, expected {len(header):,}"
        yield dict(zip(header, padded, strict=False)), problem, size
