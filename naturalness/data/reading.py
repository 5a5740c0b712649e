"""Read tables in batches of rows; a row that cannot be read keeps its place and says why.

All columns of CSV and TSV are text and stay as they were typed; JSON and Parquet values keep their
types. Bytes that are not UTF-8 are kept and written back as they were.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from naturalness.data.formats import Location, open_bytes
from naturalness.errors import TableError

TEXT_COLUMN = "text"


@dataclass(slots=True)
class Batch:
    """Some consecutive rows: their texts, what is wrong with each, and all columns as read."""

    columns: list[str]
    rows: list[dict[str, Any]]
    texts: list[str]
    problems: list[str]
    """Why a row cannot be used; empty where it can."""
    schema: Any = None
    """The Arrow schema of a Parquet table."""
    first_row: int = 0
    """Number of the first row, from 0."""


@dataclass(slots=True)
class _Row:
    values: dict[str, Any]
    problem: str = ""


@dataclass(slots=True)
class _Source:
    """Rows to come, with what is known about the table before the first one."""

    rows: Iterator[_Row]
    columns: list[str] = field(default_factory=list)
    schema: Any = None


def read_batches(
    where: Location, *, text_column: str | None = None, batch_size: int = 256
) -> Iterator[Batch]:
    """Batches of a table, in order. The column of texts is ``text`` unless named."""
    column = text_column or TEXT_COLUMN
    with open_bytes(where) as stream:
        source = _open(where, stream, column)
        # A line-based JSON table shows its columns row by row: each row is checked on its own.
        if where.format != "jsonl" and column not in source.columns:
            found = ", ".join(source.columns) or "none"
            raise TableError(
                f"{where.path!r} has no column {column!r}; it has: {found}. "
                "Name the column of texts with --text-column"
            )
        first = 0
        for rows in _chunks(source.rows, batch_size):
            yield _batch(rows, source, column, first)
            first += len(rows)


def _open(where: Location, stream: IO[bytes], column: str) -> _Source:
    match where.format:
        case "parquet":
            return _parquet(where, stream)
        case "csv":
            return _delimited(where, stream, ",")
        case "tsv":
            return _delimited(where, stream, "\t")
        case "jsonl":
            return _Source(_json_rows(stream))
        case "txt":
            return _Source(_text_rows(stream, column), [column])


def _chunks(rows: Iterator[_Row], size: int) -> Iterator[list[_Row]]:
    chunk: list[_Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _batch(rows: list[_Row], source: _Source, column: str, first: int) -> Batch:
    texts, problems = [], []
    for row in rows:
        text = row.values.get(column)
        problem = row.problem
        if not problem and column not in row.values:
            problem = f"no column {column!r}"
        elif not problem and text is None:
            problem = "empty text"
        elif not problem and not isinstance(text, str):
            problem = f"column {column!r} holds {type(text).__name__}, not text"
        usable = text if isinstance(text, str) and not problem else ""
        clean = usable.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        if clean != usable and not problem:
            problem = "not valid UTF-8"
        texts.append("" if problem else clean)
        problems.append(problem)
    columns = source.columns or list(dict.fromkeys(k for row in rows for k in row.values))
    values = [row.values for row in rows]
    return Batch(columns, values, texts, problems, source.schema, first)


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Lines without their ends; a byte order mark at the start is dropped."""
    for number, raw in enumerate(stream):
        line = raw[3:] if number == 0 and raw.startswith(b"\xef\xbb\xbf") else raw
        yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")


def _text_rows(stream: IO[bytes], column: str) -> Iterator[_Row]:
    for line in _lines(stream):
        yield _Row({column: line})


def _json_rows(stream: IO[bytes]) -> Iterator[_Row]:
    for line in _lines(stream):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield _Row({}, f"not JSON: {error}".splitlines()[0][:120])
            continue
        if isinstance(value, dict):
            yield _Row(value)
        else:
            yield _Row({}, f"expected a JSON object, found {type(value).__name__}")


def _delimited(where: Location, stream: IO[bytes], delimiter: str) -> _Source:
    csv.field_size_limit(1 << 30)
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
    if delimiter == "\t":  # a quote is a character like any other, as rated sets are published
        reader = csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(text, delimiter=delimiter)
    header = next(reader, None)
    if header is None:
        raise TableError(f"{where.path!r} is empty; expected a header line with column names")
    if len(set(header)) < len(header):
        twice = sorted({name for name in header if header.count(name) > 1})
        raise TableError(f"{where.path!r} names a column twice: {', '.join(twice)}; rename one")
    return _Source(_delimited_rows(reader, header), header)


def _delimited_rows(reader: Iterable[list[str]], header: list[str]) -> Iterator[_Row]:
    rows = iter(reader)
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield _Row(dict.fromkeys(header, ""), f"malformed row: {error}")
            continue
        if not cells:
            continue
        padded = dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=False))
        wrong = len(cells) != len(header)
        problem = f"malformed row: {len(cells)} cells, expected {len(header)}" if wrong else ""
        yield _Row(padded, problem)


def _parquet(where: Location, stream: IO[bytes]) -> _Source:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source: Any = io.BytesIO(stream.read()) if where.is_standard else where.path
        table = pq.ParquetFile(source)
    except (pa.ArrowInvalid, OSError) as error:
        raise TableError(f"{where.path!r} is not a Parquet file ({error})") from error

    def rows() -> Iterator[_Row]:
        for batch in table.iter_batches(batch_size=1024):
            for values in batch.to_pylist():
                yield _Row(values)

    return _Source(rows(), list(table.schema_arrow.names), table.schema_arrow)
