"""Making the file of a project: there as a whole or not at all, and never in place of another."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from naturalness.annotate.project import settings
from naturalness.annotate.project.schema import APPLICATION_ID, STATEMENTS, VERSION
from naturalness.data.formats import Location
from naturalness.data.reading import read_batches
from naturalness.errors import ProjectError
from naturalness.files.storage import keep, keep_names

EMPTY, TWICE = "empty text", "same text as a row before"
"""Why a row is not asked about."""
Row = tuple[str, Mapping[str, Any]]
"""A text and all cells of its row, its own among them or not."""


def table_rows(where: Location, *, text_column: str | None = None) -> Iterator[Row]:
    """The rows of a table for `Project.create`; a text that cannot be used is empty."""
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        yield from zip(batch.texts, batch.rows, strict=True)


def create_file(path: Path, rows: Iterable[Row], text_column: str, given: Mapping[str, Any]) -> None:
    """Write a new project; an existing file is refused, and so is a table without a text."""
    _check_place(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("BEGIN")
            for statement in STATEMENTS:
                db.execute(statement)
            found = _add_texts(db, rows, text_column)
            for key, value in {**given, **found, "text_column": text_column}.items():
                settings.put(db, key, value)
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
        with part.open("rb") as file:
            keep(file)
        _name(part, path)
        keep_names(path.parent)
    except sqlite3.Error as error:
        raise ProjectError(
            f"the project {str(path)!r} cannot be written ({error}); is there room on the disk?"
        ) from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{part}{suffix}").unlink(missing_ok=True)


def _check_place(path: Path) -> None:
    if not path.parent.is_dir():
        raise ProjectError(f"no folder {str(path.parent)!r}; create it first")
    if path.exists() or path.is_symlink():
        raise _taken(path)
    for suffix in ("-wal", "-shm", "-journal"):
        # SQLite would take the log of a file that was removed for that of the new one.
        beside = Path(f"{path}{suffix}")
        if beside.exists():
            raise ProjectError(
                f"{str(beside)!r} belongs to a project that is gone; move it away, or choose another name"
            )


def _taken(path: Path) -> ProjectError:
    return ProjectError(f"{str(path)!r} exists; open it, or choose another name")


def _name(part: Path, path: Path) -> None:
    """Give the finished file its name, unless another has it by now."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a disk without hard links: the name is taken first, then filled
        try:
            path.open("xb").close()
        except FileExistsError:
            raise _taken(path) from None
        part.replace(path)


def _add_texts(db: sqlite3.Connection, rows: Iterable[Row], text_column: str) -> dict[str, Any]:
    """Store the texts to ask about; the columns, and how many rows are left out and why."""
    left_out: Counter[str] = Counter()
    columns: dict[str, None] = {}
    seen: set[str] = set()
    for text, cells in rows:
        columns |= dict.fromkeys(cells)
        # The same text, but for blanks around it, is one text to all that reads rated tables.
        key = text.strip()
        if not key or key in seen:
            left_out[TWICE if key else EMPTY] += 1
            continue
        kept = {name: value for name, value in cells.items() if name != text_column}
        # Half characters stay as they came: they are escaped here, and SQLite refuses them.
        stored = json.dumps(kept, default=str)
        db.execute("INSERT INTO texts VALUES (?, ?, ?)", (len(seen), text, stored))
        seen.add(key)
    if not seen:
        told = ", ".join(f"{reason} ({n})" for reason, n in left_out.items())
        raise ProjectError(f"there is no text to ask about: {told or 'the table has no rows'}")
    names = list(columns) if text_column in columns else [text_column, *columns]
    return {"columns": names, "left_out": dict(left_out)}
