"""Whether a file is a whole project of this version, told without changing a byte of it."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from naturalness.annotate.project import standing
from naturalness.annotate.project.records import Text
from naturalness.annotate.project.schema import APPLICATION_ID, STATEMENTS, VERSION
from naturalness.errors import ProjectError

MAGIC = b"SQLite format 3\x00"
HEADER = 100
"""Bytes of the header of an SQLite file."""


def check_header(path: Path) -> None:
    """Refuse what is no project by its first bytes, before SQLite sees the file."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
            size = file.seek(0, 2)
    except FileNotFoundError:
        raise ProjectError(f"no project {str(path)!r}; check the path") from None
    except IsADirectoryError:
        raise ProjectError(f"{str(path)!r} is a folder; a project is a file") from None
    except OSError as error:
        raise ProjectError(f"{str(path)!r} cannot be read ({error.strerror})") from None
    if not header.startswith(MAGIC):
        raise ProjectError(f"{str(path)!r} is no project of annotation: it does not begin as an SQLite file does")
    if len(header) < HEADER:
        raise _damaged(path, f"it ends after {size} bytes")
    # Offsets: https://sqlite.org/fileformat.html#the_database_header
    application, version = _number(header, 68), _number(header, 60)
    if application != APPLICATION_ID:
        raise ProjectError(f"{str(path)!r} is no project of annotation but another program's SQLite file")
    if version > VERSION or max(header[18], header[19]) > 2:
        raise ProjectError(
            f"{str(path)!r} was made by a newer version of naturalness (its tables are version "
            f"{version}, this one knows {VERSION}); upgrade naturalness to open it"
        )
    if version < 1:
        raise _damaged(path, f"its tables have the version {version}")


def check_contents(path: Path) -> None:
    """Refuse a file whose pages are damaged, or whose tables are not a project's."""
    # With a log beside it, a server was killed or is running: what the file says is only right
    # together with the log, which a reader leaves as it is. Without one nothing is to be made
    # beside the file, not even for a moment: SQLite is told that nobody else writes.
    mode = "mode=ro" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True)) as db:
            db.text_factory = lambda cell: cell.decode(errors="replace")
            db.execute("PRAGMA trusted_schema = OFF")
            found = [row[0] for row in db.execute("PRAGMA quick_check(3)")]
            tables = _tables(db)
    except sqlite3.OperationalError as error:  # of damage SQLite says DatabaseError
        raise ProjectError(
            f"the project {str(path)!r} cannot be opened ({error}); may you read the file, and write in its folder?"
        ) from None
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a message may quote damaged bytes
        raise _damaged(path, str(error)) from None
    if found != ["ok"]:
        raise _damaged(path, " ".join(str(found[0]).split()))
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in STATEMENTS:
            db.execute(statement)
        if tables != _tables(db):
            raise _damaged(path, "its tables are not those of a project")


def check_rows(db: sqlite3.Connection, texts: Sequence[Text]) -> None:
    """Raise `ValueError` where a row of what was asked and answered could not have been stored."""
    for place, text in enumerate(texts):
        if not (text.number == place and _is(str, text.text) and _is(dict, text.cells)):
            raise ValueError(f"the text {text.number!r:.40}")
    known = range(len(texts))
    for one in standing.read(db):
        asked = one.question
        words = (asked.rater, asked.reason, asked.told, one.seen)
        if not (all(text in known for text in asked.texts) and _is(str, *words)):
            raise ValueError(f"question {asked.number!r:.40} is about no text, or asked of nobody")
    cells = "question, value, note, cause, marks, seconds, at"
    for question, *row, at in db.execute(f"SELECT {cells} FROM answers").fetchall():
        given = standing.as_answer(*row)
        whole = (place for mark in given.marks for place in mark)
        if not (
            (given.value is None or _is(float, given.value))
            and _is(str, given.note, given.cause, at)
            and _is(int, *whole)
            and _is(float, given.seconds)
        ):
            raise ValueError(f"the answer to question {question!r:.40}")
    decisions = "SELECT first, second, value, by, note, at FROM settled"
    for first, second, value, *words in db.execute(decisions).fetchall():
        numbers = [first] if second is None else [first, second]
        sound = all(number in known for number in numbers) and _is(str, *words)
        if not sound or not (value is None or _is(float, value)):
            raise ValueError(f"the decision about text {first!r:.40}")


def _is(kind: type, *values: object) -> bool:
    """Whether all values are of a kind; floats are finite ones."""
    return all(type(value) is kind and (not isinstance(value, float) or math.isfinite(value)) for value in values)


def _tables(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Kind, name and statement of all that the file defines."""
    found = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(kind, name, sql) for kind, name, sql in found}


def _number(header: bytes, offset: int) -> int:
    return int.from_bytes(header[offset : offset + 4], "big")


def _damaged(path: Path, why: str) -> ProjectError:
    return ProjectError(
        f"the project {str(path)!r} is damaged ({why}); it was left as it is: open a backup, or "
        "rescue its rows into a new file with sqlite3's command .recover"
    )
