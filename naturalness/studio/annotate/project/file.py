"""The SQLite file of a project: tables, checks, creation and transactions. Apart from settings, rows
are added, but never changed or removed.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from naturalness.data.formats import Location
from naturalness.data.reading import read_batches
from naturalness.errors import ProjectError
from naturalness.files.storage import sync_file, sync_folder
from naturalness.files.unfinished import restore, unfinished_folder
from naturalness.studio.annotate.project import settings

APPLICATION_ID = 0x4E41_5455
"""The SQLite application ID of project files: the letters NATU."""
VERSION = 1
"""Version of the tables; a file with a higher version was made by a newer package."""

_TABLES = (
    "CREATE TABLE settings (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT NOT NULL, cells TEXT NOT NULL)",
    """CREATE TABLE questions (
        number INTEGER PRIMARY KEY, rater TEXT NOT NULL,
        first INTEGER NOT NULL REFERENCES texts, second INTEGER REFERENCES texts,
        reason TEXT NOT NULL, told TEXT NOT NULL, test INTEGER NOT NULL, again INTEGER NOT NULL,
        at TEXT NOT NULL)""",
    # Times at which a question was shown to its rater again, after a restart or an undo.
    """CREATE TABLE shown (
        number INTEGER PRIMARY KEY, question INTEGER NOT NULL REFERENCES questions,
        at TEXT NOT NULL)""",
    """CREATE TABLE answers (
        number INTEGER PRIMARY KEY, question INTEGER NOT NULL REFERENCES questions,
        value REAL, note TEXT NOT NULL, cause TEXT NOT NULL, marks TEXT NOT NULL,
        seconds REAL NOT NULL, at TEXT NOT NULL)""",
    "CREATE TABLE undone (answer INTEGER PRIMARY KEY REFERENCES answers, at TEXT NOT NULL)",
    # Decisions of release 0.2 about texts on which raters disagreed; kept, but not read.
    """CREATE TABLE settled (
        number INTEGER PRIMARY KEY, first INTEGER NOT NULL REFERENCES texts,
        second INTEGER REFERENCES texts, value REAL, by TEXT NOT NULL, note TEXT NOT NULL,
        at TEXT NOT NULL)""",
)
_INDEXES = (
    "CREATE INDEX questions_of_rater ON questions (rater)",
    "CREATE INDEX shown_of_question ON shown (question)",
    "CREATE INDEX answers_of_question ON answers (question)",
)
_VIEWS = (
    # The answer in force, or NULL if there is none; a skipped question has an answer without a value.
    """CREATE VIEW standing AS SELECT
        q.number, q.rater, q.first, q.second, q.reason, q.told, q.test, q.again,
        a.number AS answer, a.value, a.note, a.cause, a.marks, a.seconds, a.at,
        coalesce((SELECT max(s.at) FROM shown s WHERE s.question = q.number), q.at) AS seen
        FROM questions q LEFT JOIN answers a ON a.question = q.number
        AND NOT EXISTS (SELECT 1 FROM undone u WHERE u.answer = a.number)""",
)
_EVENTS = ("texts", "questions", "shown", "answers", "undone", "settled")
_TRIGGERS = (
    *(
        f"CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table} "
        f"BEGIN SELECT raise(ABORT, '{table} are only added'); END"
        for table in _EVENTS
        for event in ("update", "delete")
    ),
    """CREATE TRIGGER answers_one_in_force BEFORE INSERT ON answers
        WHEN EXISTS (SELECT 1 FROM answers a WHERE a.question = NEW.question
        AND NOT EXISTS (SELECT 1 FROM undone u WHERE u.answer = a.number))
        BEGIN SELECT raise(ABORT, 'the question is answered'); END""",
)
STATEMENTS = (*_TABLES, *_INDEXES, *_VIEWS, *_TRIGGERS)
"""All statements, in the order of execution."""


MAGIC = b"SQLite format 3\x00"
FILE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Exceptions raised for an unusable file; `UnicodeDecodeError` if SQLite's message quotes damaged bytes."""


def check_file(path: Path) -> None:
    """Raise if a file is damaged, is not a project, or was made by a newer release; leave the file unchanged."""
    if not path.is_file():
        raise ProjectError(f"no project {str(path)!r}; check the path")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{_reading(path)}", uri=True)) as db:
            db.text_factory = lambda cell: cell.decode(errors="replace")
            db.execute("PRAGMA trusted_schema = OFF")
            (application,), (version,) = (
                db.execute(f"PRAGMA {number}").fetchone() for number in ("application_id", "user_version")
            )
            if application != APPLICATION_ID:
                raise ProjectError(f"{str(path)!r} is not an annotation project but another program's SQLite file")
            if version > VERSION:
                raise ProjectError(
                    f"{str(path)!r} was made by a newer version of naturalness (its format is version "
                    f"{version}, this one reads {VERSION}); upgrade naturalness to open it"
                )
            problems = [row[0] for row in db.execute("PRAGMA quick_check(3)")]
            tables = _tables(db)
    except sqlite3.OperationalError as error:  # SQLite raises DatabaseError for damage
        raise ProjectError(
            f"the project {str(path)!r} cannot be opened ({error}); do you have permission to read it, "
            "and to write in its folder?"
        ) from None
    except FILE_ERRORS as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            words = "is not an annotation project: it does not begin like an SQLite file"
            raise ProjectError(f"{str(path)!r} {words}") from None
        raise _damaged(path, str(error)) from None
    if problems != ["ok"]:
        raise _damaged(path, " ".join(str(problems[0]).split()))
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in STATEMENTS:
            db.execute(statement)
        if tables != _tables(db):
            raise _damaged(path, "its tables are not those of a project")


def _reading(path: Path) -> str:
    """Return the settings with which SQLite only reads a file.

    A log beside the file means that a server was killed or is running. The file is then valid only together with its
    log, which reading leaves unchanged. Without a log, no file may be created beside it, not even briefly, so SQLite is
    told that nobody else writes.
    """
    return "mode=ro" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"


def check_types(db: sqlite3.Connection) -> None:
    """Raise `ValueError` if a cell is not of its column's type, or refers to a missing row."""
    for table in ("settings", *_EVENTS):
        columns = db.execute(f"PRAGMA table_info({table})").fetchall()
        wrong = " OR ".join(f"typeof({name}) NOT IN ('{kind.lower()}', 'null')" for _, name, kind, *_ in columns)
        if db.execute(f"SELECT 1 FROM {table} WHERE {wrong}").fetchall():
            raise ValueError(f"a cell of the table {table} has the wrong type")
    if db.execute("PRAGMA foreign_key_check").fetchall():
        raise ValueError("a row refers to one that is missing")


def _tables(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Return the kind, name and SQL statement of each table, index, view and trigger in the file."""
    statements = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(kind, name, sql) for kind, name, sql in statements}


def _damaged(path: Path, why: str) -> ProjectError:
    return ProjectError(
        f"the project {str(path)!r} is damaged ({why}); it was left as it is: open a backup, or "
        "rescue its rows into a new file with sqlite3's command .recover"
    )


EMPTY_TEXT, REPEATED_TEXT = "empty text", "same text as a row before"
"""Reasons why a row is not used."""
Row = tuple[str, Mapping[str, Any]]
"""A text and the cells of its row, which may include the text itself."""


def table_rows(where: Location, *, text_column: str | None) -> Iterator[Row]:
    """Yield the rows of a table for `Project.create`, with an empty text for each text that cannot be used."""
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        yield from zip(batch.texts, batch.rows, strict=True)


def create_file(path: Path, rows: Iterable[Row], text_column: str, fixed: Mapping[str, Any]) -> None:
    """Write a new project; raise if the file exists or if there are no texts."""
    _check_path(path)
    restore(path)
    with unfinished_folder(path) as scratch:
        part = scratch / "project"
        part.touch(mode=0o600)
        try:
            with closing(sqlite3.connect(part, isolation_level=None)) as db:
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {VERSION}")
                db.execute("BEGIN")
                for statement in STATEMENTS:
                    db.execute(statement)
                columns = _add_texts(db, rows, text_column)
                for key, value in {**fixed, **columns, "text_column": text_column}.items():
                    settings.put(db, key, value)
                db.execute("COMMIT")
                db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            raise ProjectError(
                f"the project {str(path)!r} cannot be written ({error}); is there room on the disk?"
            ) from error
        with part.open("rb") as file:
            sync_file(file)
        _name(part, path)
        sync_folder(path.parent)


def _check_path(path: Path) -> None:
    if not path.parent.is_dir():
        raise ProjectError(f"no folder {str(path.parent)!r}; create it first")
    if path.exists() or path.is_symlink():
        raise _taken(path)
    for suffix in ("-wal", "-shm", "-journal"):
        # SQLite would take the log of a removed file for the log of the new one.
        beside = Path(f"{path}{suffix}")
        if beside.exists():
            raise ProjectError(
                f"{str(beside)!r} belongs to a project that is gone; move it away, or choose another name"
            )


def _taken(path: Path) -> ProjectError:
    return ProjectError(f"{str(path)!r} exists; open it, or choose another name")


def _name(part: Path, path: Path) -> None:
    """Give the finished file its final name; raise if a file of that name exists by now."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # disks without hard links: create the file first, then fill it
        try:
            path.open("xb").close()
        except FileExistsError:
            raise _taken(path) from None
        part.replace(path)


def _add_texts(db: sqlite3.Connection, rows: Iterable[Row], text_column: str) -> dict[str, Any]:
    """Store the texts to rate; return the columns, and the number of omitted rows by reason."""
    left_out: Counter[str] = Counter()
    columns: dict[str, None] = {}
    seen: set[str] = set()
    for text, cells in rows:
        columns |= dict.fromkeys(cells)
        # Texts that differ only in surrounding white space count as one, as in all code that reads rated tables.
        key = text.strip()
        if not key or key in seen:
            left_out[REPEATED_TEXT if key else EMPTY_TEXT] += 1
            continue
        other_cells = {name: value for name, value in cells.items() if name != text_column}
        # Lone surrogates are kept: they are escaped here, since SQLite refuses them.
        stored = json.dumps(other_cells, default=str)
        db.execute("INSERT INTO texts VALUES (?, ?, ?)", (len(seen), text, stored))
        seen.add(key)
    if not seen:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in left_out.items())
        raise ProjectError(f"there is no text to ask about: {reasons or 'the table has no rows'}")
    names = list(columns) if text_column in columns else [text_column, *columns]
    return {"columns": names, "left_out": dict(left_out)}


LOCK_TIMEOUT = 30.0
"""Maximum number of seconds to wait while another process writes."""
Clock = Callable[[], datetime]


class ProjectUnavailable(ProjectError):
    """The file cannot be read or written at the moment; the same call may succeed later."""


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class Store:
    """An open file; its transactions run one at a time."""

    def __init__(self, path: Path, clock: Clock = now) -> None:
        self.path = path
        self._clock = clock
        self._lock = threading.RLock()
        # SQLite names the log after the file itself, not after a link to it.
        file = path.resolve()
        check_file(file)
        self._db: sqlite3.Connection | None = _connect(file)

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a transaction that sees a single, consistent state of the file."""
        return self._transaction("BEGIN")

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a transaction that, when the block ends, is either completely on disk or not stored at all."""
        return self._transaction("BEGIN IMMEDIATE")

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
            except FILE_ERRORS as error:
                raise ProjectUnavailable(self._trouble(error)) from error

    def _trouble(self, error: Exception) -> str:
        """Return a message that says why the file cannot be used and what to do."""
        name = f"the project {str(self.path)!r}"
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return f"there is no room on the disk for {name}; make room there"
        return (
            f"{name} cannot be used ({error}); is it intact, is there room on the disk, and do you have "
            "permission to write there?"
        )

    def time(self, ago: float = 0.0) -> str:
        """Return the time ``ago`` seconds ago, in UTC; times sort chronologically as text."""
        at = datetime.fromtimestamp(self._clock().timestamp() - ago, UTC)
        return at.isoformat(timespec="milliseconds")

    def close(self) -> None:
        """Close the file and merge its log into it."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file to read and write it."""
    try:
        db = sqlite3.connect(
            f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        try:
            # Each commit waits for the disk, so that a confirmed answer survives a
            # power failure.
            for pragma in ("trusted_schema = OFF", "synchronous = FULL", "foreign_keys = ON"):
                db.execute(f"PRAGMA {pragma}")
            journal = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            if journal != "wal":
                raise sqlite3.OperationalError(f"its log cannot be used, found {journal!r}")
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
        except BaseException:
            db.close()
            raise
    except FILE_ERRORS as error:
        raise ProjectError(
            f"the project {str(path)!r} cannot be opened ({error}); do you have permission to "
            "write it and its folder, and is it on a disk of this machine?"
        ) from None
    return db
