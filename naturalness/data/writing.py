"""Write tables batch by batch: first the unchanged columns of the input, then new columns.

A file gets its final name only when it is complete.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from naturalness.data.batch import Batch, check_new_columns, check_row, columns_of, is_head
from naturalness.data.cells import as_json, finite
from naturalness.data.formats import ZSTD, Location, arrow, is_pipe
from naturalness.errors import TableError
from naturalness.files.storage import replace_file, sync_file
from naturalness.files.unfinished import unfinished_file

GZIP_LEVEL = 6
BROKEN = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""A pattern for lone surrogates other than those by which Python represents invalid bytes of the input."""


class Writer(Protocol):
    """A writer that takes batches of rows together with new columns for them."""

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None: ...
    def close(self) -> None: ...


@contextmanager
def open_writer(where: Location, *, force: bool = False) -> Iterator[Writer]:
    """Yield a writer for a table; raise an error if the file exists and ``force`` is False."""
    if where.is_standard:
        if where.format == "parquet":
            raise TableError("Parquet cannot be written to standard output; name a file with -o")
        with _finished(_writer(where, sys.stdout.buffer)) as writer:
            yield writer
        sys.stdout.buffer.flush()
        return
    path = Path(where.path)
    check_writable(path, force=force)
    with unfinished_file(path) as part:
        with _open_compressed(part, where.compression) as stream, _finished(_writer(where, stream)) as writer:
            yield writer
        with part.open("rb") as file:
            sync_file(file)
        replace_file(part, path, mode=0o644)


@contextmanager
def _finished(writer: Writer) -> Iterator[Writer]:
    """Yield a writer, and close it before its stream is closed; after an error, errors from closing are suppressed."""
    try:
        yield writer
    except BaseException:
        with contextlib.suppress(Exception):
            writer.close()
        raise
    writer.close()


def check_writable(path: Path, *, force: bool) -> None:
    """Raise an error if a file exists and ``force`` is False, or if its folder is missing or read-only."""
    if path.is_dir():
        raise TableError(f"{str(path)!r} is a folder; name a file")
    if is_pipe(str(path)):
        raise TableError(f"{str(path)!r} is a pipe or a device; name a file, or - for standard output")
    if path.is_symlink():
        raise TableError(f"{str(path)!r} is a link; name the file that it leads to")
    if path.exists() and not force:
        raise TableError(f"{str(path)!r} exists; choose another name or add `force`")
    if not path.parent.is_dir():
        raise TableError(f"no folder {str(path.parent)!r}; create it first")
    if not os.access(path.parent, os.W_OK):
        raise TableError(f"folder {str(path.parent)!r} cannot be written to; name another place")


@contextmanager
def _open_compressed(path: Path, compression: str | None) -> Iterator[Any]:
    if compression == "zstd":
        with arrow(ZSTD).output_stream(str(path), compression=compression) as stream:
            yield stream
        return
    with path.open("wb") as file:
        if compression is None:
            yield file
        else:  # the same rows give the same bytes, without the file's name and time
            with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed:
                yield packed


def _writer(where: Location, stream: IO[bytes]) -> Writer:
    match where.format:
        case "csv":
            return _DelimitedWriter(stream)
        case "tsv":
            return _DelimitedWriter(stream, "\t")
        case "jsonl":
            return _JsonWriter(stream)
        case "parquet":
            from naturalness.data.parquet import ParquetWriter

            return ParquetWriter(stream)
        case "txt":
            raise TableError("a txt file holds only texts; write csv, tsv, jsonl or parquet")


def _encode(text: str) -> bytes:
    """Return text as UTF-8 bytes; invalid bytes of the input are restored, and other lone surrogates become U+FFFD."""
    return BROKEN.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def _cell(value: Any) -> str:
    """Return a value of the input as the text of a cell; numbers keep all their digits."""
    if value is None or value != value:
        return ""
    if isinstance(value, (dict, list, bool)):
        return as_json(value)
    return repr(value) if isinstance(value, float) else str(value)


def _number(value: Any) -> str:
    """Return a new value as the text of a cell; numbers are rounded to six significant digits."""
    return _cell(value) if not isinstance(value, float) or value != value else f"{value:.6g}"


class _DelimitedWriter:
    """A writer of CSV or TSV tables with a header; TSV has no quoting, so tabs and line ends in cells become spaces.

    The first rows are held back until there are enough to derive the header, so that the header does not depend on the
    batch size.
    """

    def __init__(self, stream: IO[bytes], delimiter: str = ",") -> None:
        self.stream = stream
        self.delimiter = delimiter
        self.names: list[str] | None = None
        self.waiting: list[tuple[Batch, Mapping[str, Sequence[Any]]]] = []

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        check_new_columns(batch, added)
        self.waiting.append((batch, added))
        if self.names or batch.fixed or is_head(self.waiting):
            self._flush()

    def _flush(self) -> None:
        if self.names is None and self.waiting:
            self.names = [*columns_of(self.waiting), *self.waiting[0][1]]
            self._write_cells([self.names])
        names = self.names or []
        for batch, added in self.waiting:
            columns = names[: len(names) - len(added)]
            known = frozenset(columns)
            for row in batch.rows:
                check_row(row, known)
            self._write_cells(
                [*(_cell(row.get(name)) for name in columns), *(_number(values[i]) for values in added.values())]
                for i, row in enumerate(batch.rows)
            )
        self.waiting = []

    def _write_cells(self, rows: Any) -> None:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator="\n")
        # Python before 3.13 leaves a lone carriage return unquoted, and readers then drop it.
        quoting = csv.writer(text, delimiter=self.delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        blanks = str.maketrans("\t\n\r", "   ")
        for cells in rows:
            if self.delimiter == "\t":
                text.write("\t".join(cell.translate(blanks) for cell in cells) + "\n")
            else:
                (quoting if any("\r" in cell for cell in cells) else writer).writerow(cells)
        self.stream.write(_encode(text.getvalue()))

    def close(self) -> None:
        """Write the rows that were held back; the stream is left open for the caller to close."""
        self._flush()


class _JsonWriter:
    """A writer of JSON lines, in which NaN is written as null."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def write(self, batch: Batch, added: Mapping[str, Sequence[Any]]) -> None:
        """Append rows."""
        check_new_columns(batch, added)
        for i, row in enumerate(batch.rows):
            cells = row | {name: values[i] for name, values in added.items()}
            try:
                line = as_json(cells).encode("utf-8", "surrogateescape")
            except UnicodeEncodeError:  # a lone surrogate is written as a \u escape
                line = json.dumps(finite(cells), default=str).encode()
            self.stream.write(line + b"\n")

    def close(self) -> None:
        """Do nothing, because rows are written immediately."""
