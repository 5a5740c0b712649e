"""Limits on the size of tables, and a line reader that observes them.

A line that exceeds its limit makes the row unusable. Reading stops with an error if a compressed file unpacks to an
excessive size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from naturalness.errors import TableError

MAX_LINE_BYTES = 8 << 20
"""The largest size in bytes of a line of text or JSON, or of a CSV or TSV row, which may span several lines."""
MAX_FIELD_BYTES = 8 << 20
"""The largest size in bytes of a CSV or TSV cell."""
MAX_QUOTED_LINES = 5_000
"""The largest number of lines in a quoted cell; more lines indicate an unclosed quotation mark."""
MAX_COLUMNS = 10_000
"""The largest number of columns in a table, or of names in a JSON object."""
MAX_DEPTH = 100
"""The deepest allowed nesting of lists and objects."""
MAX_VALUES = 1_000_000
"""The largest number of values in a JSON object, at all depths; a value takes far more memory than its characters."""
MAX_BATCH_BYTES = 16 << 20
"""The size in bytes at which a batch of rows is complete, even if it has few rows."""
MAX_UNPACKED_BYTES = 256 << 20
"""The size in bytes to which any compressed file may unpack, however small it is."""
MAX_GROWTH = 100
"""The largest ratio of unpacked to packed size for files that unpack to more than `MAX_UNPACKED_BYTES`."""


def read_lines(stream: IO[bytes], name: str) -> Iterator[tuple[bytes, str]]:
    """Yield each line, including its line end, and its problem, which is empty if there is none.

    A line over the limit is replaced by an empty line. A UTF-8 byte order mark is dropped; UTF-16 and UTF-32 raise an
    error. Messages call the stream ``name``.
    """
    line = stream.readline(MAX_LINE_BYTES + 1)
    if b"\0\0" in (line[:4:2], line[1:4:2]) or line.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        raise TableError(
            f"{name} is in UTF-16 or UTF-32; expected UTF-8. Convert it first: iconv -f UTF-16 -t UTF-8 IN > OUT"
        )
    line = line.removeprefix(b"\xef\xbb\xbf")
    while line:
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            yield line, ""
        else:
            size = len(line) + _skip_line(stream)
            yield b"", f"a line of {size:,} bytes; at most {MAX_LINE_BYTES:,} are read"
        line = stream.readline(MAX_LINE_BYTES + 1)


def _skip_line(stream: IO[bytes]) -> int:
    """Skip the rest of the current line, and return the size of the skipped part in bytes."""
    size = 0
    while piece := stream.readline(1 << 20):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return size


def outgrown(packed: int, unpacked: int) -> bool:
    """Return whether a file of ``packed`` bytes unpacks to more bytes than the limits allow."""
    return unpacked > MAX_UNPACKED_BYTES and unpacked > MAX_GROWTH * packed
