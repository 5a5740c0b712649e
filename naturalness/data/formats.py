"""Which format a table has, by its name, and how its bytes are opened."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from naturalness.errors import TableError, UnknownName
from naturalness.storage import is_remote, open_remote, remote_facts, without_query

Format = Literal["txt", "csv", "tsv", "jsonl", "parquet"]
FORMATS: tuple[Format, ...] = ("txt", "csv", "tsv", "jsonl", "parquet")
SUFFIXES: dict[str, Format] = {
    ".txt": "txt", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".parquet": "parquet", ".pq": "parquet",
}  # fmt: skip
COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
STANDARD = "-"


@dataclass(frozen=True, slots=True)
class Location:
    """A table to read or write: a path (``-``, an address), its format and its compression."""

    path: str
    format: Format
    compression: str | None

    @property
    def is_standard(self) -> bool:
        """Whether it is standard input or output."""
        return self.path == STANDARD

    @property
    def is_remote(self) -> bool:
        """Whether it lies in an object store."""
        return is_remote(self.path)


def location(path: str, format_name: str | None = None) -> Location:
    """Find format and compression from the name, unless the format is given."""
    if not path or "\0" in path:
        raise TableError(f"{path!r} is no file name")
    suffixes = [suffix.lower() for suffix in Path(without_query(path)).suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    kind = suffixes[-2:-1] if compression else suffixes[-1:]
    if format_name is not None:
        if format_name not in FORMATS:
            raise UnknownName("table format", format_name, FORMATS)
        found: Format | None = next(f for f in FORMATS if f == format_name)
    elif path == STANDARD:
        found = "txt"
    else:
        found = SUFFIXES.get(kind[0]) if kind else None
    if found is None:
        known = ", ".join(SUFFIXES)
        raise TableError(
            f"cannot tell the format of {path!r} by its name; expected one of {known} "
            "(and .gz or .zst); the format of an input can be named with --input-format"
        )
    if found == "parquet" and compression:
        raise TableError(f"{path!r}: Parquet compresses itself; leave out .gz or .zst")
    return Location(path, found, compression)


def estimate_rows(where: Location) -> int | None:
    """About how many rows a table has, for progress bars; None where that takes long to tell."""
    path = Path(where.path)
    if where.is_standard or where.is_remote or where.compression or not path.is_file():
        return None
    if where.format == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            rows: int = pq.read_metadata(path).num_rows
        except (pa.ArrowInvalid, OSError):
            return None
        return rows
    with path.open("rb") as file:
        lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    return max(0, lines - 1) if where.format in {"csv", "tsv"} else lines


def facts(where: Location) -> dict[str, object]:
    """By what a change of a table's bytes is noticed: size and checksum, or what its store says."""
    if where.is_remote:
        found: dict[str, object] = remote_facts(where.path)
        return found
    with _local(where).open("rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": file.tell(), "sha256": checksum}


def _local(where: Location) -> Path:
    """The path of a file that is there."""
    path = Path(where.path)
    if not path.exists():
        raise TableError(f"no file {where.path!r}; check the path")
    if path.is_dir():
        raise TableError(f"{where.path!r} is a folder; give a file")
    return path


@contextmanager
def open_bytes(where: Location) -> Iterator[IO[bytes]]:
    """Open a table's decompressed bytes for reading."""
    if where.is_standard:
        yield sys.stdin.buffer
        return
    if where.is_remote:
        with open_remote(where.path) as raw, _unpacked(where, raw) as stream:
            yield stream
        return
    path = _local(where)
    if where.compression is None:
        with path.open("rb") as file:
            yield file
        return
    with _unpacked(where, str(path)) as stream:
        yield stream


@contextmanager
def _unpacked(where: Location, source: Any) -> Iterator[IO[bytes]]:
    """Decompressed bytes of a path or stream; of Parquet the stream itself, which is sought in."""
    import pyarrow as pa

    if where.format == "parquet":
        yield source
        return
    try:
        with pa.input_stream(source, compression=where.compression) as stream:
            yield io.BufferedReader(stream, 1 << 20)
    except (OSError, pa.ArrowInvalid) as error:
        raise TableError(
            f"{where.path!r} cannot be decompressed ({error}); is it whole, and is it really "
            f"{where.compression}?"
        ) from error
