"""Parquet in: batches of rows; a row group that cannot be read costs only its own rows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, Any

from naturalness.data.formats import Location
from naturalness.data.reading import Batch, check_column, make_batch
from naturalness.errors import TableError


def parquet_batches(
    where: Location, stream: IO[bytes], column: str, batch_size: int
) -> Iterator[Batch]:
    """Batches of a table, in order; all but the last have as many rows as asked for."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source: Any = io.BytesIO(stream.read()) if where.is_standard else stream
        table = pq.ParquetFile(source)
    except (pa.ArrowInvalid, OSError) as error:
        raise TableError(f"{where.path!r} is not a Parquet file ({error})") from error
    columns = list(table.schema_arrow.names)
    check_column(where, columns, column)
    # Rows of a group that cannot be read are empty, so any column may be.
    schema = pa.schema([field.with_nullable(True) for field in table.schema_arrow])
    first = 0
    for arrow, problems in _even(_pieces(table, schema, batch_size), batch_size):
        values = [_plain_column(arrow.column(i)) for i in range(len(columns))]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
        batch = make_batch(rows, problems, columns, column, first)
        batch.arrow = arrow
        yield batch
        first += len(rows)
    if not first:
        empty = pa.RecordBatch.from_pylist([], schema=table.schema_arrow)
        yield Batch(columns, [], [], [], arrow=empty)


def _pieces(table: Any, schema: Any, batch_size: int) -> Iterator[tuple[Any, str]]:
    """Stretches of rows, and what is wrong with all rows of each."""
    import pyarrow as pa

    for group in range(table.num_row_groups):
        size = table.metadata.row_group(group).num_rows
        done = 0
        try:
            for arrow in table.iter_batches(batch_size=batch_size, row_groups=[group]):
                yield arrow.cast(schema), ""
                done += arrow.num_rows
        except (pa.ArrowException, OSError) as error:
            told = " ".join(str(error).split())[:120]
            problem = f"row group {group} of the file cannot be read ({told})"
            while done < size:
                rows = min(batch_size, size - done)
                nothing = [pa.nulls(rows, field.type) for field in schema]
                yield pa.RecordBatch.from_arrays(nothing, schema=schema), problem
                done += rows


def _even(pieces: Iterator[tuple[Any, str]], size: int) -> Iterator[tuple[Any, list[str]]]:
    """The same rows in batches of one size, with what is wrong with each row."""
    import pyarrow as pa

    held: list[tuple[Any, str]] = []

    def joined(parts: list[tuple[Any, str]]) -> tuple[Any, list[str]]:
        table = pa.Table.from_batches([arrow for arrow, _ in parts]).combine_chunks()
        problems = [problem for arrow, problem in parts for _ in range(arrow.num_rows)]
        return table.to_batches()[0], problems

    for piece in pieces:
        held.append(piece)
        while (rows := sum(arrow.num_rows for arrow, _ in held)) >= size:
            arrow, problem = held[-1]
            over = rows - size
            kept = arrow.num_rows - over
            yield joined([*held[:-1], (arrow.slice(0, kept), problem)])
            held = [(arrow.slice(kept), problem)] if over else []
    if sum(arrow.num_rows for arrow, _ in held):
        yield joined(held)


def _plain_column(array: Any) -> list[Any]:
    """Python values; as text where Python has none (nanoseconds, dates beyond year 9999)."""
    import pyarrow as pa

    try:
        values: list[Any] = array.to_pylist()
    except (ValueError, OverflowError):
        values = array.cast(pa.string()).to_pylist()
    return values
