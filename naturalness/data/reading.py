"""Read tables in batches of rows; a row that cannot be read keeps its place and says why.

All columns of CSV and TSV are text and stay as they were typed; JSON and Parquet values keep their
types. Bytes that are not UTF-8 are kept and written back as they were.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any

from naturalness.data import limits
from naturalness.data.delimited import read_delimited
from naturalness.data.formats import Location, open_bytes
from naturalness.errors import TableError, listing

TEXT_COLUMN = "text"
Row = tuple[dict[str, Any], str, int]
"""The values of a row, what is wrong with it (empty where nothing is), and about how many bytes it
takes."""
VALUE_BYTES = 64
"""What a list, an object or a value of JSON takes at least, however few letters it has."""


@dataclass(slots=True)
class Batch:
    """Some consecutive rows: their texts, what is wrong with each, and all columns as read."""

    columns: list[str]
    rows: list[dict[str, Any]]
    texts: list[str]
    problems: list[str]
    """Why a row cannot be used; empty where it can."""
    arrow: Any = None
    """The rows of a Parquet table as they came, to be written again without conversion."""
    first_row: int = 0
    """Number of the first row, from 0."""
    fixed: bool = True
    """Whether all rows of the table have these columns; those of JSON lines may differ."""
    size: int = 0
    """About how many bytes the rows take."""

    def keeping(self, places: Sequence[int]) -> Batch:
        """Some of its rows, by their places in it."""
        return replace(
            self,
            rows=[self.rows[i] for i in places],
            texts=[self.texts[i] for i in places],
            problems=[self.problems[i] for i in places],
            arrow=None if self.arrow is None else self.arrow.take(list(places)),
        )


@dataclass(slots=True)
class _Source:
    """Rows to come, with the columns that are known before the first one."""

    rows: Iterator[Row]
    columns: list[str] = field(default_factory=list)


def read_batches(where: Location, *, text_column: str | None = None, batch_size: int = 256) -> Iterator[Batch]:
    """Batches of a table, in order; a table without rows gives one empty batch with its columns.

    The column of texts is ``text`` unless named.
    """
    column = text_column or TEXT_COLUMN
    with open_bytes(where) as stream:
        if where.format == "parquet":
            from naturalness.data.parquet_reading import parquet_batches

            yield from parquet_batches(where, stream, column, batch_size)
            return
        source = _open(where, stream, column)
        # JSON lines show their columns row by row: each row is checked on its own.
        if where.format != "jsonl":
            check_column(where, source.columns, column)
        first = 0
        for rows in _chunks(source.rows, batch_size):
            values, problems, sizes = (list(part) for part in zip(*rows, strict=True))
            columns = source.columns or list(dict.fromkeys(k for row in values for k in row))
            batch = make_batch(values, problems, columns, column, first)
            batch.fixed = where.format != "jsonl"
            batch.size = sum(sizes)
            yield batch
            first += len(rows)
        if not first:
            yield Batch(source.columns, [], [], [])


def first_columns(where: Location) -> list[str]:
    """The columns of a file; of JSON lines, those of its first row."""
    with open_bytes(where) as stream:
        if where.format == "parquet":
            from naturalness.data.parquet_reading import parquet_columns

            return parquet_columns(where, stream)
        source = _open(where, stream, TEXT_COLUMN)
        return source.columns or list(next(source.rows, ({}, "", 0))[0])


def check_column(where: Location, columns: list[str], column: str) -> None:
    """Refuse a table without the column, or with a name twice."""
    if twice := repeated(columns):
        raise TableError(f"{where.path!r} names a column twice: {listing(twice)}; rename one")
    if column not in columns:
        raise TableError(
            f"{where.path!r} has no column {column!r}; it has: {listing(columns)}. "
            "Name the column of texts with --text-column"
        )


def repeated(columns: Sequence[str]) -> list[str]:
    """The names that stand there more than once."""
    return sorted(name for name, count in Counter(columns).items() if count > 1)


def _open(where: Location, stream: IO[bytes], column: str) -> _Source:
    match where.format:
        case "csv":
            columns, rows = read_delimited(where, stream, ",")
            return _Source(rows, columns)
        case "tsv":
            columns, rows = read_delimited(where, stream, "\t")
            return _Source(rows, columns)
        case "jsonl":
            return _Source(_json_rows(stream))
        case _:
            rows = (({column: line}, problem, size) for line, problem, size in _lines(stream))
            return _Source(rows, [column])


def _chunks(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    """Rows together: as many as asked for, or fewer of long ones."""
    chunk: list[Row] = []
    held = 0
    for row in rows:
        chunk.append(row)
        held += row[2]
        if len(chunk) == size or held >= limits.MAX_BATCH_BYTES:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk


def make_batch(rows: list[dict[str, Any]], problems: list[str], columns: list[str], column: str, first: int) -> Batch:
    """A batch of rows with what is wrong with each as read."""
    checked = [
        usable_text(row.get(column), column, present=column in row, problem=problem)
        for row, problem in zip(rows, problems, strict=True)
    ]
    texts, found = [text for text, _ in checked], [problem for _, problem in checked]
    return Batch(columns, rows, texts, found, first_row=first)


def usable_text(value: Any, column: str = TEXT_COLUMN, *, present: bool = True, problem: str = "") -> tuple[str, str]:
    """A cell as a text and what is wrong with it; the text is empty where something is."""
    if problem:
        return "", problem
    if not present:
        return "", f"no column {column!r}"
    if value is None:
        return "", "empty text"
    if not isinstance(value, str):
        return "", f"column {column!r} holds {type(value).__name__}, not text"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "", "not valid UTF-8"
    return value, ""


def _lines(stream: IO[bytes]) -> Iterator[tuple[str, str, int]]:
    """Lines without their ends, what is wrong with each, and its bytes."""
    for raw, problem in limits.read_lines(stream):
        yield raw.rstrip(b"\r\n").decode("utf-8", "surrogateescape"), problem, len(raw)


def _json_rows(stream: IO[bytes]) -> Iterator[Row]:
    for line, problem, size in _lines(stream):
        if problem:
            yield {}, problem, 0
            continue
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield {}, f"not JSON: {error}".splitlines()[0][:120], 0
            continue
        if not isinstance(value, dict):
            yield {}, f"expected a JSON object, found {type(value).__name__}", 0
            continue
        problem, n_values = _size_of(value)
        yield ({} if problem else value), problem, size + VALUE_BYTES * n_values


def _size_of(row: dict[str, Any]) -> tuple[str, int]:
    """What is too large in an object of JSON, and how many values it holds at all depths."""
    if len(row) > limits.MAX_COLUMNS:
        return f"an object of {len(row):,} names; at most {limits.MAX_COLUMNS:,} are read", 0
    level: list[Any] = [row]
    n_values = 0
    for _ in range(limits.MAX_DEPTH):
        inner = [part for whole in level for part in _parts(whole)]
        n_values += len(inner)
        level = [part for part in inner if isinstance(part, dict | list)]
        if n_values > limits.MAX_VALUES:
            return f"an object of more than {limits.MAX_VALUES:,} values", 0
        if not level:
            return "", n_values
    return f"lists or objects nested deeper than {limits.MAX_DEPTH} levels", 0


def _parts(whole: Any) -> Collection[Any]:
    return whole.values() if isinstance(whole, dict) else whole
