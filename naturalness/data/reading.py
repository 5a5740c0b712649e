"""Read tables in batches of rows; a row that cannot be read keeps its place and says why.

All columns of CSV and TSV are text and stay as they were typed; JSON and Parquet values keep their
types. Bytes that are not UTF-8 are kept and written back as they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any

from naturalness.data.delimited import read_delimited, without_mark
from naturalness.data.formats import Location, open_bytes
from naturalness.errors import TableError

TEXT_COLUMN = "text"
Row = tuple[dict[str, Any], str]
"""The values of a row, and what is wrong with it (empty where nothing is)."""


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


def read_batches(
    where: Location, *, text_column: str | None = None, batch_size: int = 256
) -> Iterator[Batch]:
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
            columns = source.columns or list(dict.fromkeys(k for row, _ in rows for k in row))
            batch = make_batch([v for v, _ in rows], [p for _, p in rows], columns, column, first)
            batch.fixed = where.format != "jsonl"
            yield batch
            first += len(rows)
        if not first:
            yield Batch(source.columns, [], [], [])


def check_column(where: Location, columns: list[str], column: str) -> None:
    """Refuse a table without the column, or with a name twice."""
    if len(set(columns)) < len(columns):
        twice = sorted({name for name in columns if columns.count(name) > 1})
        raise TableError(f"{where.path!r} names a column twice: {', '.join(twice)}; rename one")
    if column not in columns:
        raise TableError(
            f"{where.path!r} has no column {column!r}; it has: {', '.join(columns) or 'none'}. "
            "Name the column of texts with --text-column"
        )


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
            return _Source((({column: line}, "") for line in _lines(stream)), [column])


def _chunks(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def make_batch(
    rows: list[dict[str, Any]], problems: list[str], columns: list[str], column: str, first: int
) -> Batch:
    """A batch of rows with what is wrong with each as read."""
    checked = [
        usable_text(row.get(column), column, present=column in row, problem=problem)
        for row, problem in zip(rows, problems, strict=True)
    ]
    texts, found = [text for text, _ in checked], [problem for _, problem in checked]
    return Batch(columns, rows, texts, found, first_row=first)


def usable_text(
    value: Any, column: str = TEXT_COLUMN, *, present: bool = True, problem: str = ""
) -> tuple[str, str]:
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


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Lines without their ends; a byte order mark at the start is dropped."""
    for number, raw in enumerate(stream):
        line = without_mark(raw) if number == 0 else raw
        yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")


def _json_rows(stream: IO[bytes]) -> Iterator[Row]:
    for line in _lines(stream):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield {}, f"not JSON: {error}".splitlines()[0][:120]
            continue
        if isinstance(value, dict):
            yield value, ""
        else:
            yield {}, f"expected a JSON object, found {type(value).__name__}"
