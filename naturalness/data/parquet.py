"""Parquet out: the input's own Arrow columns where it has them, else types taken from the rows.

A column of rows without types is boolean, integer, float or text where its first values agree;
mixed and nested values are written as JSON text. A later value that does not fit is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import IO, Any

from naturalness.data.reading import Batch, repeated
from naturalness.data.writing import Held, as_json, check_columns, check_names, columns_of, is_head
from naturalness.errors import TableError, excerpt

SURROGATE = re.compile("[\ud800-\udfff]")


class ParquetWriter:
    """Gathers batches into row groups of a useful size."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.writer: Any = None
        self.names: list[str] = []
        self.held: list[tuple[Batch, Mapping[str, Sequence[Any]]]] = []

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        check_names(batch, added)
        self.held.append((batch, added))
        if is_head(self.held):
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self.held:
            return
        held, self.held = self.held, []
        if self.writer is None:
            self.names = _names(held)
            self.writer = pq.ParquetWriter(self.stream, _schema(held, self.names))
        for batch, added in held:
            columns = _columns(batch, added, self.names, self.writer.schema)
            self.writer.write_table(pa.Table.from_arrays(columns, schema=self.writer.schema))

    def close(self) -> None:
        """Write what is held back, and the footer."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            self._flush()
        finally:
            if self.writer is None:
                self.writer = pq.ParquetWriter(self.stream, pa.schema([]))
            self.writer.close()


def _names(held: Held) -> list[str]:
    """The input's columns, as they are called there."""
    first, _ = held[0]
    if first.arrow is not None:
        return list(first.arrow.schema.names)
    return columns_of(held)


def _schema(held: Held, names: Sequence[str]) -> Any:
    """Types of all columns, from the rows held."""
    import pyarrow as pa

    first, added = held[0]
    if first.arrow is not None:
        old = list(first.arrow.schema)
    else:
        old = [
            pa.field(_utf8(name), _type([row.get(name) for batch, _ in held for row in batch.rows])) for name in names
        ]
    new = [pa.field(_utf8(n), _type([v for _, a in held for v in a[n]])) for n in added]
    schema = pa.schema([*old, *new])
    if twice := repeated(schema.names):
        raise TableError(
            f"Parquet names columns in UTF-8, in which several would be called "
            f"{excerpt(twice[0])}; rename one, or write csv or jsonl"
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
        check_columns(row, known)
    if batch.arrow is not None:
        columns = list(batch.arrow.columns)
    else:
        columns = [
            _array([row.get(name) for row in batch.rows], schema.field(place), batch)
            for place, name in enumerate(names)
        ]
    new = [schema.field(place) for place in range(len(names), len(schema.names))]
    columns += [_array(values, field, batch) for values, field in zip(added.values(), new, strict=True)]
    # pyarrow drops the chunks of an empty batch; a table keeps them.
    return [pa.chunked_array([column], type=column.type) for column in columns]


def _array(values: Sequence[Any], field: Any, batch: Batch) -> Any:
    """Values of one type; those of a text column that are no text as JSON."""
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


def _fits(value: Any, wanted: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_boolean(wanted):
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if isinstance(value, float):
        return bool(pa.types.is_floating(wanted))
    return abs(value) < 1 << 53


def _text(value: Any) -> str | None:
    """Text for a string column."""
    if value is None:
        return None
    return _utf8(value if isinstance(value, str) else as_json(value))


def _utf8(text: str) -> str:
    """Text as Parquet has it: bytes that are not UTF-8 cannot be kept and become U+FFFD."""
    return SURROGATE.sub("\ufffd", text)
