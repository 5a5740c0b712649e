"""Write tables batch by batch: the input's columns as they were, then new ones.

A file appears under its name only when it is complete; until then it is ``NAME.part``.
"""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, ClassVar, Protocol

from naturalness.data.formats import Location
from naturalness.data.reading import Batch
from naturalness.errors import TableError


class Writer(Protocol):
    """Takes batches with the new columns of their rows."""

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None: ...
    def close(self) -> None: ...


@contextmanager
def open_writer(where: Location, *, force: bool = False) -> Iterator[Writer]:
    """Open a table for writing; an existing file is refused without ``force``."""
    if where.is_standard:
        if where.format == "parquet":
            raise TableError("Parquet cannot be written to standard output; name a file with -o")
        writer = _writer(where, sys.stdout.buffer)
        yield writer
        writer.close()
        sys.stdout.buffer.flush()
        return
    path = Path(where.path)
    check_writable(path, force=force)
    part = path.with_name(path.name + ".part")
    try:
        with _open_compressed(part, where.compression) as stream:
            writer = _writer(where, stream)
            yield writer
            writer.close()
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def check_writable(path: Path, *, force: bool) -> None:
    """Refuse to overwrite a file, or to write into a folder that is not there."""
    if path.exists() and not force:
        raise TableError(f"{str(path)!r} exists; choose another name or add --force")
    if not path.parent.is_dir():
        raise TableError(f"no folder {str(path.parent)!r}; create it first")


@contextmanager
def _open_compressed(path: Path, compression: str | None) -> Iterator[IO[bytes]]:
    import pyarrow as pa

    if compression is None:
        with path.open("wb") as file:
            yield file
    else:
        with pa.output_stream(str(path), compression=compression) as stream:
            yield stream


def _writer(where: Location, stream: IO[bytes]) -> Writer:
    match where.format:
        case "csv":
            return _DelimitedWriter(stream, ",")
        case "tsv":
            return _DelimitedWriter(stream, "\t")
        case "jsonl":
            return _JsonWriter(stream)
        case "parquet":
            return _ParquetWriter(stream)
        case "txt":
            raise TableError("a txt file holds texts alone; write csv, tsv, jsonl or parquet")


def _merged(batch: Batch, added: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Rows with the new columns behind their own; a name that exists is refused by the writer."""
    for i, row in enumerate(batch.rows):
        yield row | {name: values[i] for name, values in added.items()}


def _check_names(batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
    clash = sorted(set(batch.columns) & set(added))
    if clash:
        raise TableError(
            f"the table has a column {clash[0]!r} already, which would be overwritten; rename it"
        )


def _check_columns(row: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a column that the header, made from the first rows, does not have."""
    for name in row:
        if name not in names:
            raise TableError(
                f"column {name!r} appears only in later rows and has no place in the header; "
                "write jsonl, where rows may differ"
            )


def _plain(value: Any) -> Any:
    """A value as a cell: NaN and None are empty, numbers at most six significant digits."""
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return value


class _DelimitedWriter:
    """CSV or TSV with a header; TSV without quoting, so tabs and line ends become spaces."""

    def __init__(self, stream: IO[bytes], delimiter: str) -> None:
        self.text = io.TextIOWrapper(
            stream, "utf-8", errors="surrogateescape", newline="", write_through=True
        )
        self.delimiter = delimiter
        self.names: list[str] | None = None
        self.writer = csv.writer(self.text, lineterminator="\n")
        # Python before 3.13 leaves a lone carriage return unquoted, and a reader then drops it.
        self.quoting_writer = csv.writer(self.text, lineterminator="\n", quoting=csv.QUOTE_ALL)

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        if self.names is None:
            _check_names(batch, added)
            self.names = [*batch.columns, *added]
            self._row(self.names)
        for row in _merged(batch, added):
            _check_columns(row, self.names)
            self._row([_plain(row.get(name)) for name in self.names])

    def _row(self, cells: Sequence[Any]) -> None:
        if self.delimiter == ",":
            returns = any(isinstance(cell, str) and "\r" in cell for cell in cells)
            (self.quoting_writer if returns else self.writer).writerow(cells)
        else:
            table = str.maketrans("\t\n\r", "   ")
            self.text.write("\t".join(str(cell).translate(table) for cell in cells) + "\n")

    def close(self) -> None:
        """Flush; the stream belongs to the caller."""
        self.text.flush()
        self.text.detach()


class _JsonWriter:
    """JSON lines; NaN is null."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        _check_names(batch, added)
        for row in _merged(batch, added):
            cells = {k: _jsonable(v) for k, v in row.items()}
            line = json.dumps(cells, ensure_ascii=False, default=str)
            try:
                encoded = line.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError:  # a lone surrogate that came as a \\u escape goes as one
                encoded = json.dumps(cells, default=str).encode()
            self.stream.write(encoded + b"\n")

    def close(self) -> None:
        """Nothing is held back."""


def _jsonable(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


class _ParquetWriter:
    """Parquet with the input's types, and floats or text for what is new.

    Batches are gathered into row groups of a useful size: small ones cost space and reading time.
    """

    ROW_GROUP: ClassVar = 8192

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.writer: Any = None
        self.schema: Any = None
        self.pending: list[Any] = []

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.writer is None:
            _check_names(batch, added)
            self.schema = self._schema(batch, added)
            self.writer = pq.ParquetWriter(self.stream, self.schema)
        rows = list(_merged(batch, added))
        for row in rows:
            _check_columns(row, self.schema.names)
        try:
            self.pending.append(pa.Table.from_pylist(_clean(rows), self.schema))
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
            raise TableError(
                f"a value of rows {batch.first_row}.. does not fit its Parquet column ({error}); "
                "write jsonl instead"
            ) from error
        if sum(len(table) for table in self.pending) >= self.ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self.pending:
            self.writer.write_table(pa.concat_tables(self.pending))
            self.pending.clear()

    def _schema(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> Any:
        import pyarrow as pa

        given = batch.schema
        if given is None:
            inferred = pa.Table.from_pylist(_clean(batch.rows)).schema if batch.rows else []
            found = {f.name: f for f in inferred}
            given = [
                found[n] if n in found and not pa.types.is_null(found[n].type)
                else pa.field(n, pa.string())
                for n in batch.columns
            ]  # fmt: skip
        fresh = [pa.field(name, _arrow_type(values)) for name, values in added.items()]
        return pa.schema([*given, *fresh])

    def close(self) -> None:
        """Write the footer; a table without rows has no columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.writer is None:
            self.writer = pq.ParquetWriter(self.stream, pa.schema([]))
        self._flush()
        self.writer.close()


def _arrow_type(values: Sequence[Any]) -> Any:
    import pyarrow as pa

    first = next((value for value in values if value is not None), "")
    if isinstance(first, bool):
        return pa.bool_()
    if isinstance(first, int):
        return pa.int64()
    return pa.float64() if isinstance(first, float) else pa.string()


def _clean(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows whose text can be stored as UTF-8; NaN becomes null."""
    return [
        {
            k: v.encode("utf-8", "replace").decode() if isinstance(v, str)
            else None if isinstance(v, float) and math.isnan(v) else v
            for k, v in row.items()
        }
        for row in rows
    ]  # fmt: skip
