"""The connection to a project's file: one, behind a lock, for all threads of a process."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from naturalness.annotate.project.checking import check_contents, check_header
from naturalness.errors import ProjectError

WAIT = 10.0
"""Seconds to wait for another process that writes."""
BROKEN = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises where a file fails; the latter where its message quotes damaged bytes."""
Clock = Callable[[], datetime]


class ProjectUnavailable(ProjectError):
    """The file cannot be read or written at the moment; the same call may succeed later."""


# Reading a file by other means than SQLite and closing it drops the locks that SQLite holds in
# this process (https://sqlite.org/howtocorrupt.html, 2.2), so a file that is open is not checked.
_open: Counter[tuple[int, int]] = Counter()
_opening = threading.Lock()


def now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


class Store:
    """A file that is open; transactions are one at a time."""

    def __init__(self, path: Path, clock: Clock = now) -> None:
        self.path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        # SQLite names the log after the file itself, not after a link to it.
        file = path.resolve()
        with _opening:
            if not _open[_identity(file)]:
                check_header(file)
                check_contents(file)
            self._db = _connect(file)
            self._identity = _identity(file)
            _open[self._identity] += 1

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the file."""
        with self._transaction("BEGIN") as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on the disk once the block is left, or not at all."""
        with self._transaction("BEGIN IMMEDIATE") as db:
            yield db

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._db is None:
                raise ProjectUnavailable(f"the project {str(self.path)!r} is closed; open it again")
            try:
                self._db.execute(begin)
                try:
                    yield self._db
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            except BROKEN as error:
                raise ProjectUnavailable(self._trouble(error)) from error

    def _trouble(self, error: Exception) -> str:
        """What keeps the file from being used, and what to do."""
        name = f"the project {str(self.path)!r}"
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return f"there is no room on the disk for {name}; make room there"
        return f"{name} cannot be used ({error}); is it whole, is there room on the disk, and may you write there?"

    def time(self, ago: float = 0.0) -> str:
        """The time so many seconds ago, in UTC; later times are greater as text, too."""
        at = datetime.fromtimestamp(self._clock().timestamp() - ago, UTC)
        return at.isoformat(timespec="milliseconds")

    def close(self) -> None:
        """Close the file; it is then one file again, without a log beside it."""
        with self._lock, _opening:
            if self._db is not None:
                self._db.close()
                self._db = None
                _open[self._identity] -= 1


def _connect(path: Path) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(
            f"{path.as_uri()}?mode=rw", uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False
        )
        try:
            # Every commit waits for the disk: what a rater was told is stored stays stored when
            # the power fails.
            for pragma in ("trusted_schema = OFF", "synchronous = FULL", "foreign_keys = ON"):
                db.execute(f"PRAGMA {pragma}")
            mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            if mode != "wal":
                raise sqlite3.OperationalError(f"its log cannot be used, found {mode!r}")
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
        except BaseException:
            db.close()
            raise
    except BROKEN as error:
        raise ProjectError(
            f"the project {str(path)!r} cannot be opened ({error}); may you write the file and "
            "its folder, and is it on a disk of this machine?"
        ) from None
    return db


def _identity(path: Path) -> tuple[int, int]:
    """Which file it is, by whatever name; of none an identity that no file has."""
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return found.st_dev, found.st_ino
