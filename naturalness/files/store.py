"""Store measured rows in a folder, so that no text has to be measured twice.

Each table, such as a feature group measured under certain conditions, has a subfolder of segments: files that never
change, named after a checksum of their bytes and their number of rows. Two processes can therefore write at the same
time without a lock, a reader sees a complete file or none, and a damaged file is recognised because its name no longer
matches. A segment is an array file that cannot execute code when loaded. Texts themselves are not stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError, NaturalnessError, damage_as
from naturalness.files.archive import TYPES, pack, unpack

LIMIT_BYTES = 1 << 30
SEGMENT_BYTES = 16 << 20
"""The maximum size in bytes of an unpacked segment, which bounds the memory that joining segments takes."""
ROW_BYTES = 64
"""The approximate size in bytes of a row, not counting its numbers."""
MOST_SMALL = 16
"""The maximum number of segments per table that are less than half full; if there are more, they are joined."""
STALE_SECONDS = 3600
"""The age in seconds at which an unfinished file is removed, because its writer has probably been killed."""
TABLE = re.compile(r"[0-9A-Za-z_]+-[0-9a-f]{32}")
SEGMENT = re.compile(r"([0-9a-f]{32})-([0-9]{1,12})\.npz")
UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.part")
KEY_BYTES = 16
BYTES = "|u1"
Note = tuple[str, str]


@dataclass(frozen=True, slots=True)
class StoreKey:
    """The key of a table: what it contains, and all conditions that its values depend on."""

    name: str
    """The name of the subfolder: a name for readability, and a checksum of all conditions."""
    digest: bytes
    width: int
    """The number of columns."""


def text_key(text: str) -> bytes:
    """Return a 128-bit hash of the exact text, from which the text cannot be recovered."""
    if not isinstance(text, str):
        raise TypeError(f"a text must be a string, not {type(text).__name__}: {text!r:.60}")
    # Lone surrogates are encoded too, because two texts must never share a key.
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Rows of one table, one per text; all attributes have the same order, and ``keys`` identifies the texts."""

    keys: list[bytes]
    table: FloatArray
    """The measured values, including values of texts that cannot be judged."""
    notes: list[Note]
    """Why each text cannot be judged, and why it has no values; empty strings if it can and has."""

    def __len__(self) -> int:
        return len(self.keys)

    def part(self, indices: Sequence[int]) -> StoredRows:
        """Return the rows at these indices."""
        return StoredRows([self.keys[i] for i in indices], self.table[list(indices)], [self.notes[i] for i in indices])


def joined_rows(parts: Sequence[StoredRows], width: int) -> StoredRows:
    """Join rows, without duplicate texts and sorted by key, so that the same rows always give the same file."""
    rows = StoredRows(
        [key for part in parts for key in part.keys],
        np.vstack([np.empty((0, width)), *(part.table for part in parts)]),
        [note for part in parts for note in part.notes],
    )
    first: dict[bytes, int] = {}
    for i, key in enumerate(rows.keys):
        first.setdefault(key, i)
    return rows.part([first[key] for key in sorted(first)])


def pack_rows(rows: StoredRows, table: StoreKey) -> bytes:
    """Return the bytes of a segment."""
    # Distinct notes are stored as a JSON list, with one index per row. An array of fixed-width strings would need the
    # width of the longest string in every row, and would lose a final NUL.
    distinct = {note: i for i, note in enumerate(dict.fromkeys(rows.notes))}
    arrays: dict[str, NDArray[Any]] = {
        "table.key": np.frombuffer(table.digest, dtype=np.uint8),
        "texts.keys": np.frombuffer(b"".join(rows.keys), dtype=np.uint8).reshape(-1, KEY_BYTES),
        "values.table": np.ascontiguousarray(rows.table, dtype=np.float64),
        "notes.words": np.frombuffer(json.dumps(list(distinct)).encode(), dtype=np.uint8),
        "notes.places": np.array([distinct[note] for note in rows.notes], dtype=np.int32),
    }
    return pack(arrays, (*TYPES, BYTES))


def unpack_rows(data: bytes, table: StoreKey) -> StoredRows:
    """Return the rows of a segment; raise `ModelError` if it is damaged or belongs to another table."""
    arrays = unpack(data, (*TYPES, BYTES))
    with damage_as(ModelError, "a stored segment", "it is measured again"):
        digest, raw, values, words, note_of = (
            _of_type(arrays[name], kind)
            for name, kind in (
                ("table.key", BYTES),
                ("texts.keys", BYTES),
                ("values.table", "<f8"),
                ("notes.words", BYTES),
                ("notes.places", "<i4"),
            )
        )
        if digest.tobytes() != table.digest:
            raise ModelError("a segment of another table")
        n = len(note_of)
        if values.shape != (n, table.width) or raw.shape != (n, KEY_BYTES) or note_of.shape != (n,):
            raise ModelError(f"a table of shape {values.shape} for {n} texts")
        notes = [(str(reason), str(gap)) for reason, gap in json.loads(words.tobytes())]
        if n and int(note_of.min()) < 0:
            raise ModelError("an index below 0")
        return StoredRows([row.tobytes() for row in raw], values, [notes[i] for i in note_of.tolist()])


def _of_type(array: NDArray[Any], kind: str) -> NDArray[Any]:
    if array.dtype.str != kind:
        raise ModelError(f"an array of type {array.dtype}, expected {kind}")
    return array


class MeasurementStore:
    """A store of measured rows by table and text; any number of processes may read and write at the same time.

    ``limit_bytes`` bounds the total size of all segments; the least recently used segments are removed first.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.trouble = ""
        """Why no more rows can be stored; empty as long as storing works."""

    def check(self) -> MeasurementStore:
        """Create the folder and return the store; raise `NaturalnessError` if the folder cannot be written to."""
        try:
            self._unfinished(b"").unlink()
        except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
            raise NaturalnessError(
                f"folder {str(self.folder)!r} cannot store measurements "
                f"({getattr(error, 'strerror', None) or error}); name one that can be written to, "
                "or store nothing (`store=none`)"
            ) from error
        return self

    def read(self, table: StoreKey, keys: Iterable[bytes] | None = None) -> StoredRows:
        """Return the stored rows of texts with these keys, in any order; None means all rows of the table."""
        wanted, parts = None if keys is None else set(keys), []
        seen: set[Path] = set()
        # If a segment has disappeared, its rows are in a new, joined segment, so the folder is listed again.
        while wanted != set() and (new := [path for path in self._segments(table) if path not in seen]):
            for path in new:
                seen.add(path)
                rows = self._open(path, table)
                if wanted is not None:
                    rows = rows.part([i for i, key in enumerate(rows.keys) if key in wanted])
                    wanted.difference_update(rows.keys)
                if rows:
                    parts.append(rows)
                    with suppress(OSError):
                        os.utime(path)
        return joined_rows(parts, table.width)

    def write(self, table: StoreKey, rows: StoredRows) -> None:
        """Store rows; if that fails, set ``trouble`` to the reason and store nothing more."""
        if self.trouble or not rows:
            return
        try:
            self._add(table, joined_rows([rows], table.width))
            self._join_small(table)
            self._trim()
        except OSError as error:
            self.trouble = f"folder {str(self.folder)!r} stores no more measurements ({error.strerror or error})"

    def _add(self, table: StoreKey, rows: StoredRows) -> set[Path]:
        """Write rows as segments and return their paths."""
        step, written = _most_rows(table), set()
        for start in range(0, len(rows), step):
            part = rows.part(range(start, min(start + step, len(rows))))
            data = pack_rows(part, table)
            path = self.folder / table.name / f"{_checksum(data)}-{len(part)}.npz"
            unfinished = self._unfinished(data)
            try:
                _move(unfinished, path)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
            written.add(path)
        return written

    def _unfinished(self, data: bytes) -> Path:
        """Write bytes to a file that is not yet a segment, and return its path."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f".{secrets.token_hex(8)}.part"
        try:
            path.write_bytes(data)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path

    def _segments(self, table: StoreKey) -> list[Path]:
        return _names(self.folder / table.name, SEGMENT)

    def _open(self, path: Path, table: StoreKey) -> StoredRows:
        """Return the rows of a segment; no rows if it has disappeared or is damaged. A damaged segment is removed."""
        with suppress(OSError):
            if stat.S_ISREG(path.lstat().st_mode):
                data = path.read_bytes()
                with suppress(ModelError):
                    if _checksum(data) == path.stem.partition("-")[0]:
                        return unpack_rows(data, table)
                path.unlink()
        return joined_rows([], table.width)

    def _join_small(self, table: StoreKey) -> None:
        """Join small segments if there are more than `MOST_SMALL`."""
        small = [x for x in self._segments(table) if int(x.stem.partition("-")[2]) < _most_rows(table) / 2]
        if len(small) <= MOST_SMALL:
            return
        written = self._add(table, joined_rows([self._open(x, table) for x in small], table.width))
        # Remove the old segments only after the new one is written, so that a reader always finds each row.
        for path in small:
            if path not in written:
                path.unlink(missing_ok=True)

    def _trim(self) -> None:
        """Remove the least recently used segments beyond the limit, and files that killed writers left behind."""
        for path in _names(self.folder, UNFINISHED):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > STALE_SECONDS:
                    path.unlink()
        states = sorted(self._states())
        total = sum(size for _, size, _ in states)
        for _, size, path in states:
            if total <= self.limit_bytes:
                break
            path.unlink(missing_ok=True)
            total -= size
            with suppress(OSError):
                path.parent.rmdir()  # only if it is empty

    def _states(self) -> Iterator[tuple[int, int, Path]]:
        """Yield the time of last use, size and path of each segment."""
        for folder in _names(self.folder, TABLE):
            for path in _names(folder, SEGMENT):
                with suppress(OSError):
                    state = path.stat()
                    yield state.st_mtime_ns, state.st_size, path


@contextmanager
def store_in(folder: str | Path | None) -> Iterator[MeasurementStore | None]:
    """Yield a store in this folder, or None if ``folder`` is None; warn at the end if rows could not be stored."""
    store = None if folder is None else MeasurementStore(folder).check()
    yield store
    if store is not None and store.trouble:
        warnings.warn(
            f"{store.trouble}; all values are right, but the next run measures again", RuntimeWarning, stacklevel=2
        )


def _checksum(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _most_rows(table: StoreKey) -> int:
    """Return the number of rows in a full segment."""
    return max(1, SEGMENT_BYTES // (8 * table.width + ROW_BYTES))


def _move(unfinished: Path, path: Path) -> None:
    """Rename a file to the name of a segment, atomically."""
    for attempt in (1, 2):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            unfinished.replace(path)
            return
        except FileNotFoundError:  # another process has just removed the empty folder
            if attempt == 2:
                raise


def _names(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Return the entries of a folder whose names match the pattern; other entries are never read or removed."""
    try:
        return sorted(path for path in folder.iterdir() if pattern.fullmatch(path.name))
    except OSError:
        return []
