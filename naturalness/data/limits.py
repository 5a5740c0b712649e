"""Read lines of files within limits.

A line over the limit makes its row unusable. Reading ends with an error if a compressed file grows out of proportion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from naturalness.errors import TableError

MAX_LINE_BYTES = 8 << 20
"""The largest line of text or JSON, and the largest row of CSV or TSV over all its lines."""
MAX_FIELD_BYTES = 8 << 20
"""The largest cell of CSV or TSV."""
MAX_QUOTED_LINES = 5_000
"""The number of lines that a quoted cell may span; more indicate an unclosed quotation mark."""
MAX_COLUMNS = 10_000
"""The largest number of columns of a table, and of names in a JSON object."""
MAX_DEPTH = 100
"""The deepest nesting of lists and objects."""
MAX_VALUES = 1_000_000
"""The largest number of values in a JSON object, at all depths; each takes much more memory than its characters."""
MAX_BATCH_BYTES = 16 << 20
"""The size at which a batch of rows ends."""
MAX_UNPACKED_BYTES = 256 << 20
"""The size to which any compressed file may unpack."""
MAX_GROWTH = 100
"""The ratio of unpacked to packed size that is allowed beyond that."""


def read_lines(stream: IO[bytes], name: str) -> Iterator[tuple[bytes, str]]:
    """Yield each line with its line end, and its problem; a line over the limit is skipped.

    A UTF-8 byte order mark is left out; UTF-16 and UTF-32 are an error. ``name`` is the name of the stream in messages.
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
    """Skip the rest of a line, and return its size in bytes."""
    size = 0
    while piece := stream.readline(1 << 20):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return size


def outgrown(packed: int, unpacked: int) -> bool:
    """Return whether unpacked bytes are out of proportion to packed bytes."""
    return unpacked > MAX_UNPACKED_BYTES and unpacked > MAX_GROWTH * packed
