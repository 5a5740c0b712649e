"""Parquet in and out.

A row group that cannot be read costs only its own rows. Written are the input's own Arrow columns
where it has them, else types taken from the rows: a column is boolean, integer, float or text where
its first values agree; mixed and nested values are written as JSON text. A later value that does
not fit is an error.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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
    repeated,
)
from naturalness.data.cells import as_json
from naturalness.data.formats import Location
from naturalness.errors import TableError, excerpt, printable

LARGE_DICTIONARY = 1 << 20
"""Bytes from which on the values of a dictionary are long enough to look at."""


def parquet_batches(where: Location, stream: IO[bytes], column: str, batch_size: int) -> Iterator[Batch]:
    """Yield the batches of a table, in order, of ``batch_size`` rows; the last and those of large rows have fewer."""
    import pyarrow as pa

    with _seekable(where, stream) as source:
        table = _opened(where, source)
        columns = list(table.schema_arrow.names)
        _check_size(where, table)
        check_text_column(where, columns, column)
        # Rows of a group that cannot be read are empty, so any column may be.
        schema = pa.schema([field.with_nullable(True) for field in table.schema_arrow])
        first = 0
        for arrow, problems in _even(_pieces(table, schema, batch_size), batch_size):
            values = [_plain_column(where, name, arrow.column(i)) for i, name in enumerate(columns)]
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
    """Open a table that can be read from its end; a stream is copied into a file first."""
    if not where.is_stream:
        yield stream
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(stream, file, 1 << 20)
        file.seek(0)
        yield file


def _reason(error: Exception) -> str:
    """Return the message of pyarrow on one line."""
    return printable(" ".join(str(error).split()))[:120]


def _check_size(where: Location, table: Any) -> None:
    """Refuse more columns, or deeper nesting, than any table has."""
    names = table.schema_arrow.names
    if len(names) > limits.MAX_COLUMNS:
        raise TableError(f"{where.path!r} has {len(names):,} columns; at most {limits.MAX_COLUMNS:,} are read")
    level = [field.type for field in table.schema_arrow]
    for _ in range(limits.MAX_DEPTH):
        level = [kind.field(i).type for kind in level for i in range(kind.num_fields)]
    if level:
        raise TableError(f"{where.path!r} has lists or structs nested deeper than {limits.MAX_DEPTH} levels")


def parquet_columns(where: Location, stream: IO[bytes]) -> list[str]:
    """Return the columns of a table."""
    with _seekable(where, stream) as source:
        return list(_opened(where, source).schema_arrow.names)


def _opened(where: Location, source: IO[bytes]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(source)
        list(table.schema_arrow.names)
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: a name of no UTF-8
        raise TableError(f"{where.path!r} is not a Parquet file ({_reason(error)})") from error
    return table


def _pieces(table: Any, schema: Any, batch_size: int) -> Iterator[tuple[Any, str]]:
    """Yield stretches of rows, and what is wrong with all rows of each."""
    import pyarrow as pa

    for group in range(table.num_row_groups):
        metadata = table.metadata.row_group(group)
        size = metadata.num_rows
        packed = sum(metadata.column(i).total_compressed_size for i in range(metadata.num_columns))
        done = unpacked = 0
        try:
            rows = _rows_at_once(metadata, batch_size)
            for arrow in table.iter_batches(batch_size=rows, row_groups=[group]):
                unpacked += _size(arrow)
                if limits.outgrown(packed, unpacked):
                    raise TableError(f"it unpacks to more than {limits.MAX_GROWTH} times its size")
                yield from _split(arrow.cast(schema))
                done += arrow.num_rows
        except (pa.ArrowException, OSError, TableError) as error:
            problem = f"row group {group} of the file cannot be read ({_reason(error)})"
            if size - done > limits.MAX_LOST_ROWS:  # a number that nobody counted
                raise TableError(f"{problem}; its header says {size:,} rows") from error
            while done < size:
                rows = min(batch_size, size - done)
                nothing = [pa.nulls(rows, field.type) for field in schema]
                yield pa.RecordBatch.from_arrays(nothing, schema=schema), problem
                done += rows


def _split(arrow: Any) -> Iterator[tuple[Any, str]]:
    """Yield rows in stretches that are not too large; a row that is too large becomes empty."""
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
    """Return the bytes of rows; a large dictionary counts with each value that is taken from it."""
    import pyarrow as pa

    size = 0
    for column in arrow.columns:
        if isinstance(column, pa.DictionaryArray):
            large = column.dictionary.nbytes > LARGE_DICTIONARY
            column = column.dictionary_decode() if large else column.indices
        size += column.nbytes
    return size


def _rows_at_once(group: Any, max_rows: int) -> int:
    """Return how many rows of a group to unpack at once, so that they fit into memory."""
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
    fitting: int = min(limits.MAX_BATCH_BYTES * group.num_rows // max(1, size), limits.MAX_UNPACKED_BYTES // repeated)
    return max(1, min(max_rows, fitting))


def _even(pieces: Iterator[tuple[Any, str]], size: int) -> Iterator[tuple[Any, list[str]]]:
    """Yield the same rows in batches of one size, smaller for large rows, with what is wrong with each row."""
    import pyarrow as pa

    waiting: list[tuple[Any, str]] = []

    def joined(parts: list[tuple[Any, str]]) -> tuple[Any, list[str]]:
        table = pa.Table.from_batches([arrow for arrow, _ in parts]).combine_chunks()
        problems = [problem for arrow, problem in parts for _ in range(arrow.num_rows)]
        return table.to_batches()[0], problems

    for piece in pieces:
        waiting.append(piece)
        while (rows := sum(arrow.num_rows for arrow, _ in waiting)) >= size:
            arrow, problem = waiting[-1]
            over = rows - size
            cut = arrow.num_rows - over
            yield joined([*waiting[:-1], (arrow.slice(0, cut), problem)])
            waiting = [(arrow.slice(cut), problem)] if over else []
        if sum(_size(arrow) for arrow, _ in waiting) >= limits.MAX_BATCH_BYTES:
            yield joined(waiting)
            waiting = []
    if sum(arrow.num_rows for arrow, _ in waiting):
        yield joined(waiting)


def _plain_column(where: Location, name: str, array: Any) -> list[Any]:
    """Return Python values; as text if Python cannot hold them, such as nanoseconds or bytes that are not UTF-8."""
    import pyarrow as pa

    try:
        values: list[Any] = array.to_pylist()
    except (ValueError, OverflowError, TypeError, LookupError, ImportError, pa.ArrowException):
        try:
            raw = array.cast(pa.string()).cast(pa.binary()).to_pylist()
        except pa.ArrowException as error:
            raise TableError(
                f"column {excerpt(name)} of {where.path!r} has values that cannot be read ({_reason(error)}); "
                "leave it out, or convert it to text"
            ) from error
        values = [value if value is None else value.decode("utf-8", "surrogateescape") for value in raw]
    return values


# Writing.

SURROGATE = re.compile("[\ud800-\udfff]")


class ParquetWriter:
    """A writer that gathers batches into row groups of a useful size."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.writer: Any = None
        self.names: list[str] = []
        self.waiting: list[tuple[Batch, Mapping[str, Sequence[Any]]]] = []

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        check_new_columns(batch, added)
        self.waiting.append((batch, added))
        if is_head(self.waiting):
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self.waiting:
            return
        waiting, self.waiting = self.waiting, []
        if self.writer is None:
            self.names = _names(waiting)
            self.writer = pq.ParquetWriter(self.stream, _schema(waiting, self.names))
        for batch, added in waiting:
            columns = _columns(batch, added, self.names, self.writer.schema)
            self.writer.write_table(pa.Table.from_arrays(columns, schema=self.writer.schema))

    def close(self) -> None:
        """Write the waiting batches, and the footer."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            self._flush()
        finally:
            if self.writer is None:
                self.writer = pq.ParquetWriter(self.stream, pa.schema([]))
            self.writer.close()


def _names(waiting: Waiting) -> list[str]:
    """Return the input's columns, as they are called there."""
    first, _ = waiting[0]
    if first.arrow is not None:
        return list(first.arrow.schema.names)
    return columns_of(waiting)


def _schema(waiting: Waiting, names: Sequence[str]) -> Any:
    """Return the types of all columns, from the waiting rows."""
    import pyarrow as pa

    first, added = waiting[0]
    if first.arrow is not None:
        old = list(first.arrow.schema)
    else:
        old = [
            pa.field(_utf8(name), _type([row.get(name) for batch, _ in waiting for row in batch.rows]))
            for name in names
        ]
    new = [pa.field(_utf8(n), _type([v for _, a in waiting for v in a[n]])) for n in added]
    schema = pa.schema([*old, *new])
    if duplicates := repeated(schema.names):
        raise TableError(
            f"Parquet names columns in UTF-8, in which several would be called "
            f"{excerpt(duplicates[0])}; rename one, or write csv or jsonl"
        )
    return schema


def _type(values: Sequence[Any]) -> Any:
    import pyarrow as pa

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
    import pyarrow as pa

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
    # pyarrow drops the chunks of an empty batch; a table keeps them.
    return [pa.chunked_array([column], type=column.type) for column in columns]


def _array(values: Sequence[Any], field: Any, batch: Batch) -> Any:
    """Return values as one type; in a text column, those that are no text as JSON."""
    import pyarrow as pa

    if pa.types.is_string(field.type):
        plain: list[Any] = [_text(value) for value in values]
    else:
        plain = [None if value != value else value for value in values]
        for number, value in enumerate(plain, start=batch.first_row):
            if value is not None and not _fits(value, field.type):
                raise TableError(
                    f"row {number} has {excerpt(value)} in column {excerpt(field.name)}, whose "
                    f"first rows are {field.type}; write jsonl, where rows may differ"
                )
    return pa.array(plain, type=field.type)


def _fits(value: Any, kind: Any) -> bool:
    import pyarrow as pa

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
    """Return text as Parquet can hold it: bytes that are not UTF-8 become U+FFFD."""
    return SURROGATE.sub("\ufffd", text)
