"""Read and write Parquet.

Columns of a Parquet input are written unchanged. Any other column gets the type boolean, integer, float or text if its
first values all have this type; mixed or nested values are written as JSON text. A later value of another type raises
an error. A new column that is an `array` holds floats, even if it is empty.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from naturalness.data import limits
from naturalness.data.batch import (
    Batch,
    Waiting,
    check_new_columns,
    check_row,
    check_text_column,
    columns_of,
    is_head,
    make_batch,
)
from naturalness.data.cells import as_json
from naturalness.data.formats import Location
from naturalness.errors import TableError, UnequalRows, excerpt, printable
from naturalness.files.resources import importing
from naturalness.text.normalisation import SURROGATE

with importing("pyarrow", user="a Parquet table", extra="parquet"):
    import pyarrow as pa
    import pyarrow.parquet as pq


def parquet_batches(where: Location, stream: IO[bytes], column: str, batch_size: int) -> Iterator[Batch]:
    """Yield the batches of a table in order, with at most ``batch_size`` rows each."""
    table = _opened(where, stream)
    columns = list(table.schema_arrow.names)
    _check_size(where, table)
    check_text_column(where.path, columns, column)
    first = 0
    for arrow in _arrow_batches(where, table, batch_size):
        values = [plain_column(arrow.column(i), name) for i, name in enumerate(columns)]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
        batch = make_batch(rows, [""] * len(rows), columns, column, first)
        batch.arrow, batch.size = arrow, arrow.nbytes
        yield batch
        first += len(rows)
    if not first:
        yield Batch(columns, [], [], [], arrow=pa.RecordBatch.from_pylist([], schema=table.schema_arrow))


def _arrow_batches(where: Location, table: Any, batch_size: int) -> Iterator[Any]:
    """Yield record batches that fit into memory.

    Raise `TableError` if the file is damaged or too large when unpacked.
    """
    groups = [table.metadata.row_group(number) for number in range(table.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
    packed = sum(chunk.total_compressed_size for chunk in chunks)
    growing = f"{where.path!r} unpacks to more than {limits.MAX_GROWTH} times its size"
    if any(limits.outgrown(chunk.total_compressed_size, chunk.total_uncompressed_size) for chunk in chunks):
        raise TableError(growing)
    n_bytes = max(1, sum(group.total_byte_size for group in groups))
    fitting = limits.MAX_BATCH_BYTES * table.metadata.num_rows // n_bytes
    unpacked = 0
    try:
        for arrow in table.iter_batches(batch_size=max(1, min(batch_size, fitting))):
            unpacked += arrow.nbytes
            if limits.outgrown(packed, unpacked):
                raise TableError(growing)
            if arrow.num_rows:
                yield arrow
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{where.path!r} cannot be read to its end ({_reason(error)}); is it whole?") from error


def _reason(error: Exception) -> str:
    """Return the message of an error, reduced to one line."""
    return printable(" ".join(str(error).split()))[:120]


def _check_size(where: Location, table: Any) -> None:
    """Raise an error if a table has too many columns or if its values are nested too deeply."""
    names = table.schema_arrow.names
    if len(names) > limits.MAX_COLUMNS:
        raise TableError(f"{where.path!r} has {len(names):,} columns; at most {limits.MAX_COLUMNS:,} are read")
    level = [field.type for field in table.schema_arrow]
    for _ in range(limits.MAX_DEPTH):
        level = [kind.field(i).type for kind in level for i in range(kind.num_fields)]
    if level:
        raise TableError(f"{where.path!r} has lists or structs nested deeper than {limits.MAX_DEPTH} levels")


def parquet_columns(where: Location, stream: IO[bytes]) -> list[str]:
    """Return the column names of a table."""
    return list(_opened(where, stream).schema_arrow.names)


def parquet_rows(path: Path) -> int | None:
    """Return the number of rows of a table, or None if the file is damaged."""
    try:
        rows: int = pq.read_metadata(path).num_rows
    except (pa.ArrowException, OSError, ValueError):
        return None
    return rows


def _opened(where: Location, stream: IO[bytes]) -> Any:
    if where.is_stream:
        raise TableError("Parquet cannot be read from a stream; name a file")
    try:
        table = pq.ParquetFile(stream)
        list(table.schema_arrow.names)
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: a name is not UTF-8
        raise TableError(f"{where.path!r} is not a Parquet file ({_reason(error)})") from error
    return table


def plain_column(array: Any, name: str) -> list[Any]:
    """Return a column as Python values, or as text if Python cannot represent them (nanoseconds, the year 10000)."""
    unreadable = (ValueError, OverflowError, TypeError, LookupError, ImportError, pa.ArrowException)
    with contextlib.suppress(*unreadable):
        return list(array.to_pylist())
    try:
        if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):  # not UTF-8
            values = array.cast(pa.large_binary()).to_pylist()
            return [None if value is None else value.decode("utf-8", "surrogateescape") for value in values]
        return list(array.cast(pa.string()).to_pylist())
    except unreadable as error:
        raise TableError(
            f"column {excerpt(name)} holds values of type {array.type} that cannot be read ({_reason(error)}); "
            "write them as text, or leave the column out"
        ) from error


# Write Parquet.


class ParquetWriter:
    """A Parquet writer that collects batches into row groups of `HEAD` rows or `HEAD_BYTES` bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.writer: Any = None
        self.names: list[str] = []
        self.waiting: list[tuple[Batch, Mapping[str, Sequence[Any]]]] = []

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append the rows of a batch, with their new columns."""
        check_new_columns(batch, added)
        self.waiting.append((batch, added))
        if is_head(self.waiting):
            self._flush()

    def _flush(self) -> None:
        if not self.waiting:
            return
        waiting, self.waiting = self.waiting, []
        if self.writer is None:
            first = waiting[0][0].arrow
            self.names = columns_of(waiting) if first is None else list(first.schema.names)
            self.writer = pq.ParquetWriter(self.stream, _schema(waiting, self.names))
        schema = self.writer.schema
        parts = [_columns(batch, added, self.names, schema) for batch, added in waiting]
        self.writer.write_table(pa.concat_tables(pa.Table.from_arrays(columns, schema=schema) for columns in parts))

    def close(self) -> None:
        """Write the waiting batches and the footer."""
        try:
            self._flush()
        finally:
            if self.writer is None:
                self.writer = pq.ParquetWriter(self.stream, pa.schema([]))
            self.writer.close()


def _schema(waiting: Waiting, names: Sequence[str]) -> Any:
    """Return the schema of all columns, derived from the waiting rows."""
    first, added = waiting[0]
    if first.arrow is not None:
        old = list(first.arrow.schema)
    else:
        old = [
            pa.field(_utf8(name), _type([row.get(name) for batch, _ in waiting for row in batch.rows]))
            for name in names
        ]
    new = [
        pa.field(
            _utf8(name), pa.float64() if isinstance(cells, array) else _type([v for _, a in waiting for v in a[name]])
        )
        for name, cells in added.items()
    ]
    metadata = (first.arrow.schema.metadata or {}) if first.arrow is not None else {}
    # The metadata of pandas describe the columns, of which there are more now.
    return pa.schema([*old, *new], metadata={key: value for key, value in metadata.items() if key != b"pandas"} or None)


def _type(values: Sequence[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pa.bool_()
    small = all(abs(v) < 1 << 53 for v in values if isinstance(v, int))
    if kinds == {int} and small:
        return pa.int64()
    if kinds and kinds <= {int, float} and small:
        return pa.float64()
    return pa.string()


def _columns(batch: Batch, added: Mapping[str, Sequence[Any]], names: Sequence[str], schema: Any) -> list[Any]:
    known = frozenset(names)
    for row in batch.rows:
        check_row(row, known)
    if batch.arrow is not None:
        columns = list(batch.arrow.columns)
    else:
        columns = [
            _array([row.get(name) for row in batch.rows], schema.field(i), batch) for i, name in enumerate(names)
        ]
    new = [schema.field(i) for i in range(len(names), len(schema.names))]
    columns += [_array(values, field, batch) for values, field in zip(added.values(), new, strict=True)]
    # Chunked arrays keep the type of an empty batch.
    return [pa.chunked_array([column], type=column.type) for column in columns]


def _array(values: Sequence[Any], field: Any, batch: Batch) -> Any:
    """Return values as an Arrow array of the type of ``field``; in a text column, other values become JSON text."""
    if pa.types.is_string(field.type):
        plain: list[Any] = [_text(value) for value in values]
    else:
        plain = [None if value != value else value for value in values]
        for number, value in enumerate(plain, start=batch.first_row):
            if value is not None and not _fits(value, field.type):
                raise UnequalRows(
                    f"row {number} has {excerpt(value)} in column {excerpt(field.name)}, whose "
                    f"first rows are {field.type}; write jsonl, where rows may differ"
                )
    return pa.array(plain, type=field.type)


def _fits(value: Any, kind: Any) -> bool:
    if pa.types.is_boolean(kind):
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if isinstance(value, float):
        return bool(pa.types.is_floating(kind))
    return abs(value) < 1 << 53


def _text(value: Any) -> str | None:
    """Return a value as text for a string column."""
    if value is None:
        return None
    return _utf8(value if isinstance(value, str) else as_json(value))


def _utf8(text: str) -> str:
    """Return text that UTF-8 can encode: lone surrogates become U+FFFD."""
    return SURROGATE.sub("\ufffd", text)
