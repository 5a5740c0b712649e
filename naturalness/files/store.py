"""Store measured rows in an SQLite file, so that no text has to be measured twice.

Each row has a checksum, so a damaged row counts as missing, and a damaged file is replaced. Any number of processes may
read and write at the same time. Texts themselves are not stored.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import NaturalnessError

LIMIT_BYTES = 1 << 30
FILE = "measurements.sqlite"
SCHEMA = "CREATE TABLE measured (conditions BLOB, text BLOB, row BLOB, PRIMARY KEY (conditions, text))"
USED_BYTES = """
SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"""
OLDER_HALF = "DELETE FROM measured WHERE rowid <= (SELECT (min(rowid) + max(rowid)) / 2 FROM measured)"
WAIT_SECONDS = 60
"""The time to wait for another process that is writing."""
KEY_BYTES = 16
CHECKSUM_BYTES = 8
ERRORS = (sqlite3.Error, OSError, UnicodeDecodeError)
"""Exceptions raised for an unusable file; `UnicodeDecodeError` if SQLite's message quotes damaged bytes."""
Note = tuple[str, str]


@dataclass(frozen=True, slots=True)
class StoreKey:
    """The key of a table: what it contains, and all conditions that its values depend on."""

    digest: bytes
    """A checksum of the content and the conditions."""
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


def _pack(table: StoreKey, key: bytes, values: FloatArray, note: Note) -> bytes:
    """Return the bytes of a row, which begin with a checksum."""
    content = np.ascontiguousarray(values, dtype="<f8").tobytes() + json.dumps(note).encode()
    return _checksum(table, key, content) + content


def _unpack(table: StoreKey, key: bytes, row: bytes) -> tuple[FloatArray, Note] | None:
    """Return the values and the note of a row; None if it is damaged."""
    content = row[CHECKSUM_BYTES:]
    if row[:CHECKSUM_BYTES] != _checksum(table, key, content):
        return None
    reason, gap = json.loads(content[8 * table.width :])
    return np.frombuffer(content, "<f8", table.width), (reason, gap)


def _checksum(table: StoreKey, key: bytes, content: bytes) -> bytes:
    return hashlib.blake2b(table.digest + key + content, digest_size=CHECKSUM_BYTES).digest()


class MeasurementStore:
    """A store of measured rows by table and text; any number of processes may read and write at the same time.

    If the rows take more than ``limit_bytes``, the oldest half of them is removed.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.trouble = ""
        """Why no more rows can be stored; empty as long as storing works."""

    def check(self) -> MeasurementStore:
        """Create the folder and return the store; raise `NaturalnessError` if the folder cannot be written to."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=self.folder):
                return self
        except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
            raise NaturalnessError(
                f"folder {str(self.folder)!r} cannot store measurements "
                f"({getattr(error, 'strerror', None) or error}); name one that can be written to, "
                "or store nothing (`store=none`)"
            ) from error

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """Yield the database in a transaction; a file that is damaged, or has other tables, is removed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / FILE
        try:
            with closing(sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)) as db:
                db.text_factory = bytes
                db.execute("PRAGMA trusted_schema = OFF")
                db.execute("BEGIN IMMEDIATE")
                statements = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
                if not statements:
                    db.execute(SCHEMA)
                elif statements != [(SCHEMA.encode(),)]:
                    raise sqlite3.DatabaseError("its tables are not those of a store")
                yield db
                db.execute("COMMIT")
        except sqlite3.OperationalError:  # a full disk or a busy file; SQLite raises DatabaseError for damage
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            path.unlink(missing_ok=True)
            raise

    def read(self, table: StoreKey, keys: Iterable[bytes] | None = None) -> StoredRows:
        """Return the stored rows of texts with these keys, in any order; None means all rows of the table."""
        known: dict[bytes, tuple[FloatArray, Note]] = {}
        try:
            with self._database() as db:
                for key, row in _stored(db, table, keys):
                    if entry := _unpack(table, key, row):
                        known[key] = entry
        except ERRORS:
            known = {}
        values = [values for values, _ in known.values()]
        return StoredRows([*known], np.array(values).reshape(-1, table.width), [note for _, note in known.values()])

    def write(self, table: StoreKey, rows: StoredRows) -> None:
        """Store rows; if that fails, set ``trouble`` to the reason and store nothing more."""
        if self.trouble or not rows:
            return
        entries = [
            (table.digest, key, _pack(table, key, values, note))
            for key, values, note in zip(rows.keys, rows.table, rows.notes, strict=True)
        ]
        try:
            with self._database() as db:
                db.executemany("INSERT OR REPLACE INTO measured VALUES (?, ?, ?)", entries)
                (used,) = db.execute(USED_BYTES).fetchone()
                if used > self.limit_bytes:
                    db.execute(OLDER_HALF)
        except ERRORS as error:
            reason = getattr(error, "strerror", None) or error
            self.trouble = f"folder {str(self.folder)!r} stores no more measurements ({reason})"


def _stored(db: sqlite3.Connection, table: StoreKey, keys: Iterable[bytes] | None) -> Iterator[tuple[bytes, bytes]]:
    """Yield the key and the bytes of each stored row of a table."""
    rows = "SELECT CAST(text AS BLOB), CAST(row AS BLOB) FROM measured WHERE conditions = ?"
    if keys is None:
        yield from db.execute(rows, [table.digest])
    else:
        for key in keys:
            yield from db.execute(f"{rows} AND text = ?", [table.digest, key])


def as_store(store: MeasurementStore | str | Path | None) -> MeasurementStore | None:
    """Return a store, given it or its folder; None stays None. Raise `NaturalnessError` if a folder cannot be used."""
    return MeasurementStore(store).check() if isinstance(store, str | Path) else store


@contextmanager
def store_in(folder: str | Path | None) -> Iterator[MeasurementStore | None]:
    """Yield a store in this folder, or None if ``folder`` is None; warn at the end if rows could not be stored."""
    store = as_store(folder)
    yield store
    if store is not None and store.trouble:
        warnings.warn(
            f"{store.trouble}; all values are right, but will be measured again", RuntimeWarning, stacklevel=2
        )
