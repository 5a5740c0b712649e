"""Determine the format of a table from its file name, and open the table for reading bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from naturalness.errors import TableError, UnknownName, advice, excerpt, first_line, guess, printable
from naturalness.files.resources import importing

Format = Literal["txt", "csv", "tsv", "jsonl", "parquet"]
FORMATS: tuple[Format, ...] = ("txt", "csv", "tsv", "jsonl", "parquet")
SUFFIXES: dict[str, Format] = {
    ".txt": "txt",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
WRITTEN = {suffix: kind for suffix, kind in SUFFIXES.items() if kind != "txt"}
"""The formats that can be written, keyed by suffix; plain text is left out, because it has no columns."""
COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
STANDARD = "-"
ZSTD = "a .zst file"
"""How messages name a file in this compression."""


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a table (a path, or ``-`` for a standard stream), with its format and compression."""

    path: str
    format: Format
    compression: str | None
    assumed: bool = field(default=False, compare=False)
    """Whether plain text is only assumed as the format, because a stream has no file name."""

    @property
    def shown(self) -> str:
        """The name to show in messages."""
        return "standard input" if self.is_standard else repr(self.path)

    @property
    def is_standard(self) -> bool:
        """Whether the location is standard input or output."""
        return self.path == STANDARD

    @property
    def is_stream(self) -> bool:
        """Whether the table can be read only once, because it is standard input, a pipe or a shell's ``<(...)``."""
        return self.is_standard or is_pipe(self.path)


def is_pipe(path: str) -> bool:
    """Return whether a path leads to a pipe, a socket or a device."""
    mode = _mode(path)
    return bool(mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def is_folder(path: str) -> bool:
    """Return whether a path leads to a folder."""
    return stat.S_ISDIR(_mode(path))


def _mode(path: str) -> int:
    """Return the file mode bits of a path; 0 if it does not exist."""
    try:
        return Path(path).stat().st_mode if path else 0
    except (OSError, ValueError):
        return 0


def location(path: str, format_name: str | None = None, *, written: bool = False) -> Location:
    """Return the location of a table.

    The name of the table determines its compression and, if ``format_name`` is None, its format. Set ``written`` for
    output: errors then list only the formats that can be written.
    """
    if not path or "\0" in path:
        raise TableError(f"{excerpt(path)} is not a file name")
    if "://" in path:
        raise TableError(f"{excerpt(path)} is a URL; expected a file (for other sources, see naturalness.Scorer)")
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    kind = suffixes[-2:-1] if compression else suffixes[-1:]
    assumed = False
    if format_name is not None:
        if format_name not in FORMATS:
            raise UnknownName("table format", format_name, FORMATS)
        table_format: Format | None = next(f for f in FORMATS if f == format_name)
    else:
        table_format = SUFFIXES.get(kind[0]) if kind else None
        if table_format is None and (path == STANDARD or is_pipe(path)):
            table_format, assumed = "txt", True
    if table_format is None and is_folder(path):
        raise TableError(f"{path!r} is a folder; give a file")
    if table_format is None:
        if kind == [".json"] and not written:
            raise TableError(f"{path!r}: JSON arrays are not read; write one object per line (.jsonl)")
        known = WRITTEN if written else SUFFIXES
        expected = f"expected one of {', '.join(known)} (and .gz or .zst)"
        if not written:
            expected += "; the format of an input can be named with `input_format`"
        raise TableError(f"cannot tell the format of {path!r} from its name{advice(''.join(kind), known, expected)}")
    if table_format == "parquet" and compression:
        raise TableError(f"{path!r}: Parquet compresses itself; leave out .gz or .zst")
    return Location(path, table_format, compression, assumed)


def no_file(path: str) -> TableError:
    """Return the error for a missing file, with the suggestion of `near_file`."""
    return TableError(f"no file {path!r}{near_file(path) or '; check the path'}")


def near_file(path: str) -> str:
    """Return a suggestion of a file with a similar name in the same folder; an empty string if there is none."""
    folder = Path(path).parent
    try:
        names = [str(file) for file in folder.iterdir() if file.is_file()]
    except OSError:
        return ""
    return guess(str(Path(path)), names)


def facts(where: Location) -> dict[str, object]:
    """Return facts that change if a table changes: its size and checksum."""
    with _existing(where).open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": file.tell(), "sha256": checksum}


def _existing(where: Location) -> Path:
    """Return the path of a table; raise `TableError` if there is no such file or it is a folder."""
    path = Path(where.path)
    if not path.exists():
        raise no_file(where.path)
    if path.is_dir():
        raise TableError(f"{where.path!r} is a folder; give a file")
    return path


@contextmanager
def open_bytes(where: Location) -> Iterator[IO[bytes]]:
    """Yield a table as an open stream of decompressed bytes."""
    if where.is_standard:
        yield sys.stdin.buffer
        return
    path = _existing(where)
    with path.open("rb") as file, _unpacked(where, file) if where.compression else nullcontext(file) as stream:
        yield stream


def arrow(user: str) -> Any:
    """Import pyarrow; ``user`` names the kind of file in the message if it is missing."""
    with importing("pyarrow", user=user, extra="parquet"):
        import pyarrow
    return pyarrow


@contextmanager
def _unpacked(where: Location, source: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield a stream of decompressed bytes."""
    damaged: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
    if where.compression != "gzip":
        pa = arrow(ZSTD)
        damaged = (OSError, pa.ArrowException)
    try:
        opened: Any = (
            gzip.GzipFile(fileobj=source)
            if where.compression == "gzip"
            else pa.input_stream(source, compression=where.compression)
        )
        with opened as stream:
            yield io.BufferedReader(stream, 1 << 20)
    except damaged as error:
        raise TableError(
            f"{where.path!r} cannot be decompressed ({printable(first_line(error))}); is it whole, "
            f"and is it really {where.compression}?"
        ) from error
