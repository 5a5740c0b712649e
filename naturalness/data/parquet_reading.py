"""Parquet in: batches of rows; a row group that cannot be read costs only its own rows."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from naturalness.data import limits
from naturalness.data.formats import Location
from naturalness.data.reading import Batch, check_column, make_batch
from naturalness.errors import TableError, printable

LARGE_DICTIONARY = 1 << 20
"""Bytes from which on the values of a dictionary are long enough to look at."""


def parquet_batches(where: Location, stream: IO[bytes], column: str, batch_size: int) -> Iterator[Batch]:
    """Batches of a table, in order; all but the last, and those of large rows, have as many rows as
    asked for.
    """
    import pyarrow as pa

    with _seekable(where, stream) as source:
        table = _opened(where, source)
        columns = list(table.schema_arrow.names)
        _check_size(where, table)
        check_column(where, columns, column)
        # Rows of a group that cannot be read are empty, so any column may be.
        schema = pa.schema([field.with_nullable(True) for field in table.schema_arrow])
        first = 0
        for arrow, problems in _even(_pieces(table, schema, batch_size), batch_size):
            values = [_plain_column(arrow.column(i)) for i in range(len(columns))]
            rows = [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
            batch = make_batch(rows, problems, columns, column, first)
            batch.arrow, batch.size = arrow, _size(arrow)
            yield batch
            first += len(rows)
        if not first:
            empty = pa.RecordBatch.from_pylist([], schema=table.schema_arrow)
            yield Batch(columns, [], [], [], arrow=empty)


@contextmanager
def _seekable(where: Location, stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """A table that can be read from its end; what comes as a stream is put into a file first."""
    if not where.is_stream:
        yield stream
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(stream, file, 1 << 20)
        file.seek(0)
        yield file


def _told(error: Exception) -> str:
    """What pyarrow says, on one line."""
    return printable(" ".join(str(error).split()))[:120]


def _check_size(where: Location, table: Any) -> None:
    """Refuse more columns, or values deeper in each other, than any table has."""
    names = table.schema_arrow.names
    if len(names) > limits.MAX_COLUMNS:
        raise TableError(f"{where.path!r} has {len(names):,} columns; at most {limits.MAX_COLUMNS:,} are read")
    level = [field.type for field in table.schema_arrow]
    for _ in range(limits.MAX_DEPTH):
        level = [kind.field(i).type for kind in level for i in range(kind.num_fields)]
    if level:
        raise TableError(f"{where.path!r} has lists or structs nested deeper than {limits.MAX_DEPTH} levels")


def parquet_columns(where: Location, stream: IO[bytes]) -> list[str]:
    """The columns of a table."""
    with _seekable(where, stream) as source:
        return list(_opened(where, source).schema_arrow.names)


def _opened(where: Location, source: IO[bytes]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(source)
        list(table.schema_arrow.names)
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: a name of no UTF-8
        raise TableError(f"{where.path!r} is not a Parquet file ({_told(error)})") from error
    return table


def _pieces(table: Any, schema: Any, batch_size: int) -> Iterator[tuple[Any, str]]:
    """Stretches of rows, and what is wrong with all rows of each."""
    import pyarrow as pa

    for group in range(table.num_row_groups):
        about = table.metadata.row_group(group)
        size = about.num_rows
        packed = sum(about.column(i).total_compressed_size for i in range(about.num_columns))
        done = unpacked = 0
        try:
            rows = _rows_together(about, batch_size)
            for arrow in table.iter_batches(batch_size=rows, row_groups=[group]):
                unpacked += _size(arrow)
                if limits.outgrown(packed, unpacked):
                    raise TableError(f"it unpacks to more than {limits.MAX_GROWTH} times its size")
                yield from _split(arrow.cast(schema))
                done += arrow.num_rows
        except (pa.ArrowException, OSError, TableError) as error:
            problem = f"row group {group} of the file cannot be read ({_told(error)})"
            if size - done > limits.MAX_LOST_ROWS:  # a number that nobody counted
                raise TableError(f"{problem}; it is said to have {size:,} rows") from error
            while done < size:
                rows = min(batch_size, size - done)
                nothing = [pa.nulls(rows, field.type) for field in schema]
                yield pa.RecordBatch.from_arrays(nothing, schema=schema), problem
                done += rows


def _split(arrow: Any) -> Iterator[tuple[Any, str]]:
    """Rows in stretches that are not too large; a row that is, is empty."""
    import pyarrow as pa

    size, n_rows = _size(arrow), arrow.num_rows
    if size <= limits.MAX_LINE_BYTES:
        yield arrow, ""
    elif n_rows > 1:
        yield from _split(arrow.slice(0, n_rows // 2))
        yield from _split(arrow.slice(n_rows // 2))
    else:
        nothing = [pa.nulls(1, field.type) for field in arrow.schema]
        problem = f"a row of {size:,} bytes; at most {limits.MAX_LINE_BYTES:,} are read"
        yield pa.RecordBatch.from_arrays(nothing, schema=arrow.schema), problem


def _size(arrow: Any) -> int:
    """Bytes of rows; a large dictionary counts with each value that is taken from it."""
    import pyarrow as pa

    size = 0
    for column in arrow.columns:
        if isinstance(column, pa.DictionaryArray):
            large = column.dictionary.nbytes > LARGE_DICTIONARY
            column = column.dictionary_decode() if large else column.indices
        size += column.nbytes
    return size


def _rows_together(group: Any, most: int) -> int:
    """How many rows of a group to unpack at once, so that they fit into memory."""
    size, repeated = group.total_byte_size, 1
    for number in range(group.num_columns):
        chunk = group.column(number)
        packed, unpacked = chunk.total_compressed_size, chunk.total_uncompressed_size
        if limits.outgrown(packed, unpacked):
            raise TableError(
                f"column {number} unpacks to {unpacked:,} bytes from {packed:,}, more than "
                f"{limits.MAX_GROWTH} times its size"
            )
        if chunk.has_dictionary_page:  # in which each of many rows may be the longest value
            repeated += unpacked
    room: int = min(limits.MAX_BATCH_BYTES * group.num_rows // max(1, size), limits.MAX_UNPACKED_BYTES // repeated)
    return max(1, min(most, room))


def _even(pieces: Iterator[tuple[Any, str]], size: int) -> Iterator[tuple[Any, list[str]]]:
    """The same rows in batches of one size, or smaller ones of large rows, with what is wrong with
    each row.
    """
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
        if sum(_size(arrow) for arrow, _ in held) >= limits.MAX_BATCH_BYTES:
            yield joined(held)
            held = []
    if sum(arrow.num_rows for arrow, _ in held):
        yield joined(held)


def _plain_column(array: Any) -> list[Any]:
    """Python values; each that Python cannot hold (nanoseconds, dates beyond year 9999, a zone that
    nobody knows) as text.
    """
    try:
        values: list[Any] = array.to_pylist()
    except _unreadable():
        values = [_plain_value(scalar) for scalar in array]
    return values


def _unreadable() -> tuple[type[Exception], ...]:
    """What pyarrow raises for a value that Python cannot hold."""
    import pyarrow as pa

    return ValueError, OverflowError, TypeError, LookupError, ImportError, pa.ArrowException


def _plain_value(scalar: Any) -> Any:
    """One value, its parts on their own where the whole cannot be had."""
    import pyarrow as pa

    try:
        return scalar.as_py()
    except _unreadable():
        if isinstance(scalar, pa.ExtensionScalar):
            return _plain_value(scalar.value)
        if isinstance(scalar, pa.StructScalar):
            return {name: _plain_value(part) for name, part in scalar.items()}
        if isinstance(scalar, pa.ListScalar):
            return [_plain_value(part) for part in scalar.values]
        return _leaf(scalar)


def _leaf(scalar: Any) -> Any:
    """A value without parts as text: as Arrow writes it, else its number of units."""
    import pyarrow as pa

    if pa.types.is_string(scalar.type) or pa.types.is_large_string(scalar.type):
        return scalar.as_buffer().to_pybytes().decode("utf-8", "surrogateescape")
    try:
        return scalar.cast(pa.string()).as_py()
    except _unreadable():
        return str(getattr(scalar, "value", ""))
