"""The lines of a file, and how much of a file is read: anything larger is refused, whatever it holds.

A line over the limit costs its own row. A file that grows out of proportion while it is unpacked
ends the reading, for nobody knows what else it would hold.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import IO, Any

from naturalness.errors import TableError

MAX_LINE_BYTES = 8 << 20
"""Of a line of text or JSON, and of a row of CSV or TSV, with all lines that it spans."""
MAX_FIELD_BYTES = 8 << 20
"""Of a cell of CSV or TSV."""
MAX_QUOTED_LINES = 5_000
"""Lines that one quoted cell may span; more mean a quotation mark that is never closed."""
MAX_COLUMNS = 10_000
"""Of a table, and names in a JSON object."""
MAX_DEPTH = 100
"""Levels of lists and objects in each other."""
MAX_VALUES = 1_000_000
"""Values in a JSON object, at all depths; each takes much more memory than its characters."""
MAX_BATCH_BYTES = 16 << 20
"""A batch of rows ends after so many bytes, if not before."""
MAX_LOST_ROWS = 10_000_000
"""Of a row group of Parquet that cannot be read: each becomes an empty row with a reason."""
MAX_UNPACKED_BYTES = 256 << 20
"""What a compressed file may unpack to, however small it is."""
MAX_GROWTH = 100
"""How many times as large as the file its unpacked bytes may be beyond that."""


def without_mark(start: bytes, name: str) -> bytes:
    """Return the first line without the byte order mark of UTF-8; refuse UTF-16 and UTF-32, with a mark or without."""
    half_empty = any(start[i:4:2] == b"\x00\x00" for i in (0, 1))
    if half_empty or start.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise TableError(
            f"{name} is in UTF-16 or UTF-32; expected UTF-8. Convert it first: iconv -f UTF-16 -t UTF-8 IN > OUT"
        )
    return start.removeprefix(b"\xef\xbb\xbf")


def read_lines(stream: IO[bytes], name: str) -> Iterator[tuple[bytes, str]]:
    """Yield each line with its end, and what is wrong with it; a line over the limit is skipped.

    ``name`` is what messages call the stream.
    """
    line = without_mark(stream.readline(MAX_LINE_BYTES + 1), name)
    while line:
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            yield line, ""
        else:
            size = len(line) + _skip_line(stream)
            yield b"", f"a line of {size:,} bytes; at most {MAX_LINE_BYTES:,} are read"
        line = stream.readline(MAX_LINE_BYTES + 1)


def _skip_line(stream: IO[bytes]) -> int:
    """Read to the end of a line and return its bytes."""
    size = 0
    while piece := stream.readline(1 << 20):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return size


class Unpacked(io.RawIOBase):
    """A stream of decompressed bytes; an error once they outgrow the packed bytes."""

    def __init__(self, stream: Any, packed: Callable[[], int], name: str) -> None:
        self.stream = stream
        self.packed = packed
        self.name = name
        self.size = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as there are bytes."""
        count: int = self.stream.readinto(buffer)
        self.size += count
        if outgrown(self.packed(), self.size):
            raise TableError(
                f"{self.name} unpacks to more than {MAX_GROWTH} times its size "
                f"({self.packed():,} bytes gave {self.size:,}); reading ends here: unpack it "
                "yourself if it is what it should be"
            )
        return count


def outgrown(packed: int, unpacked: int) -> bool:
    """Tell whether bytes grew out of proportion when they were unpacked."""
    return unpacked > MAX_UNPACKED_BYTES and unpacked > MAX_GROWTH * packed
