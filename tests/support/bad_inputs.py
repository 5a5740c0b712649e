"""Hundreds of malformed files, drawn with a seed."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.forging import forged_bytes

LINE = 4096
"""Bytes of a line at most, under the limits of the tests."""
LIMITS = {
    "MAX_LINE_BYTES": LINE,
    "MAX_FIELD_BYTES": LINE,
    "MAX_COLUMNS": 40,
    "MAX_VALUES": 500,
    "MAX_BATCH_BYTES": 4 * LINE,
    "MAX_UNPACKED_BYTES": 16 * LINE,
    "MAX_GROWTH": 20,
    "MAX_QUOTED_LINES": 20,
}
"""Those of naturalness/data/limits.py, so small that small files are over them."""
TEXTS = ["Old boats float.", "Nobody came.", "We saw the the door.", "", "Café au lait is fine."]
ENCODINGS = ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp500", "utf-8-sig"]
ODD = [
    *(mark.encode() for mark in ("\0", "\x07", "\x1b[31m", "\x85", "\u2028", "\u202e", "\ufeff", "\x7f", "\x0c")),
    *(b"\r", b'"', b"\\", b",", b"\t", b"{", b"\n\n"),
    *(b"\xed\xa0\x80", b"\xed\xb2\xa9", b"\xff", b"\xc3", b"\xf4\x90\x80\x80"),
]
"""Control characters, quotes, marks and line ends; halves of characters, and bytes that belong to no character."""
EMPTY = [b"", b"\n", b"\r\n\r\n", b"   \n", b"\xef\xbb\xbf", b"\0" * 50, b'"', b'""', b"text", b"text\n"]


def table(suffix: str, rows: list[dict[str, object]]) -> bytes:
    """Return a well-formed table."""
    if suffix == "txt":
        return "".join(f"{row['text']}\n" for row in rows).encode()
    if suffix == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    between = "," if suffix == "csv" else "\t"
    lines = [between.join(rows[0]), *(between.join(map(str, row.values())) for row in rows)]
    return "".join(f"{line}\n" for line in lines).encode()


def parquet(**columns: object) -> bytes:
    """Return the bytes of a Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def rows_of(chance: random.Random) -> list[dict[str, object]]:
    """Return rows with a text and two other columns."""
    return [
        {"id": i, "text": chance.choice(TEXTS), "rating": chance.randint(1, 5)} for i in range(chance.randint(1, 4))
    ]


def peppered(data: bytes, chance: random.Random) -> bytes:
    """Insert `ODD` bytes at random places."""
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.choice(ODD) + data[at:]
    return data


def encoded(data: bytes, chance: random.Random) -> bytes:
    """Encode the text in an encoding other than UTF-8."""
    return data.decode().encode(chance.choice(ENCODINGS), "replace")


def ended(data: bytes, chance: random.Random) -> bytes:
    """End lines in various ways."""
    ends = [b"\r", b"\r\n", b"\n\r", b"\n", b"\n\n", b""]
    return b"".join(line + chance.choice(ends) for line in data.split(b"\n"))


def unclosed(data: bytes, chance: random.Random) -> bytes:
    """Insert an opening quotation mark that is never closed, before many lines."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[:at], b'"' + lines[at], *lines[at:] * chance.randint(1, 30)])


def giant(data: bytes, chance: random.Random) -> bytes:
    """Insert a line over the limit."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    filling = chance.choice([b"a", b",", b"[", b'"', b"ab ", b"\t", b"\xff", b"{}"])
    return b"\n".join([*lines[:at], filling * (2 * LINE), *lines[at:]])


def renamed(data: bytes, chance: random.Random) -> bytes:
    """Rename a column so that it is missing or occurs twice."""
    old, new = chance.choice(
        [(b"text", b"words"), (b"id", b"text"), (b"rating", b"id"), (b"rating", b"naturalness"), (b"text", b"te\xe9xt")]
    )
    return data.replace(old, new)


def broad(data: bytes, chance: random.Random) -> bytes:
    """Insert a first line with many columns."""
    return chance.choice([b",", b"\t", b"a,b"]) * chance.randint(30, 90) + data


MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [
    forged_bytes,
    peppered,
    encoded,
    ended,
    unclosed,
    giant,
    renamed,
    broad,
]
JSON = [
    "[1]",
    "null",
    "{",
    '{"text": NaN}',
    '{"text": "Old.", "x": NaN, "y": [Infinity, -Infinity]}',
    '{"text": "Old.", "text": "New."}',
    '{"text": "Old.", "n": ' + "9" * 5000 + "}",
    '{"text": "Old.", "x": ' + "[" * 900 + "]" * 900 + "}",
    '{"text": ' + '{"a":' * 3000 + "1" + "}" * 3001,
    '{"text": "\\ud800"}',
    '{"text": "\\u0000\\u001b[2J"}',
    '{"text": "Old.", "x": [' + ",".join(["[]"] * 600) + "]}",
    "{" + ",".join(f'"k{i}": {i}' for i in range(60)) + "}",
    '{"text": ["Old."]}',
    '{"text": "Old."} {"text": "x"}',
]


MARS = pa.timestamp("us", "Mars/Base")
UNREADABLE = {
    "zones": pa.array([1, 2], MARS),
    "zones in lists": pa.array([[1], [2]], pa.list_(MARS)),
    "days in lists": pa.array([[2**30], []], pa.list_(pa.date32())),
}
"""Columns of Parquet whose values cannot be read."""
ODD_COLUMNS = {
    "integers": pa.array([1, 2]),
    "nulls": pa.nulls(2),
    "durations": pa.array([1, 2], pa.duration("ns")),
    "structs": pa.array([{"d": 1}] * 2, pa.struct([("d", pa.duration("ns"))])),
    "days": pa.array([2**30, 1], pa.date32()),
    "maps": pa.array([[("a", float("nan"))], []], pa.map_(pa.string(), pa.float64())),
    "identifiers": pa.array([bytes(16)] * 2, pa.uuid()),
    "bytes": pa.array([b"\xff", b""]),
    "no text": pa.array([b"caf\xe9", b"a"]).view(pa.string()),
    "dictionary": pa.array(TEXTS[:2]).dictionary_encode(),
    "lists": pa.array([["a"], None]),
    "large": pa.array(["a b " * LINE, "Old."]),
    "views": pa.array(TEXTS[:2], pa.string_view()),
}
"""Columns of Parquet of unusual types."""


def packed(suffix: str, data: bytes) -> bytes:
    """Compress data as the suffix says."""
    if suffix == "gz":
        return gzip.compress(data, mtime=0)
    return bytes(pa.compress(data, codec="zstd", asbytes=True)) if suffix == "zst" else data


def bad_files(seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield the names and bytes of files; each name is unique and starts with the kind of damage."""
    chance = random.Random(seed)
    for suffix in ("csv", "tsv", "jsonl", "txt"):
        for mutate in MUTATIONS:
            for number in range(9):
                data = mutate(table(suffix, rows_of(chance)), chance)
                yield f"{mutate.__name__}-{number}.{suffix}", data
        for number, content in enumerate(EMPTY):
            yield f"empty-{number}.{suffix}", content
        for number in range(6):
            yield f"noise-{number}.{suffix}", chance.randbytes(chance.randint(1, 3000))
        for compression in ("gz", "zst"):
            yield from _packed_files(suffix, compression, chance)
    for number, line in enumerate(JSON):
        yield f"json-{number}.jsonl", f'{line}\n{{"text": "Old boats float."}}\n'.encode()
    for name, column in (ODD_COLUMNS | UNREADABLE).items():
        kind = name.replace(" ", "-")
        yield f"type-{kind}.parquet", parquet(text=TEXTS[:2], odd=column)
        yield f"text-{kind}.parquet", parquet(text=column)
    whole = parquet(text=TEXTS * 20, n=list(range(100)))
    for number in range(30):
        yield f"forged-{number}.parquet", forged_bytes(whole, chance)
    yield "empty.parquet", parquet(text=pa.array([], pa.string()))
    yield "growing.parquet", parquet(text=["ab " * 300] * 500)


def _packed_files(suffix: str, compression: str, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Yield compressed tables that are cut, damaged, compressed twice or not at all, or that expand hugely."""
    good = table(suffix, rows_of(chance))
    end = f"{suffix}.{compression}"
    for number in range(3):
        yield f"forged-{number}.{end}", forged_bytes(packed(compression, good * 9), chance)
        inner = giant(good, chance) if number else peppered(good, chance)
        yield f"inside-{number}.{end}", packed(compression, inner)
    yield f"plain.{end}", good
    yield f"empty.{end}", b""
    yield f"nothing.{end}", packed(compression, b"")
    yield f"twice.{end}", packed(compression, packed(compression, good))
    yield f"other.{end}", packed("zst" if compression == "gz" else "gz", good)
    yield f"growing.{end}", packed(compression, good + b"a" * (200 * LINE))
