"""Small tables, read and written at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from naturalness.data import open_writer, read_batches
from naturalness.data.batch import Batch
from naturalness.data.formats import location


def read(path: Path, **options: Any) -> list[Batch]:
    """Return all batches of a table."""
    return list(read_batches(location(str(path)), **options))


def write(path: Path, rows: list[dict[str, Any]], added: dict[str, list[Any]]) -> None:
    """Write one batch into a table."""
    with open_writer(location(str(path))) as writer:
        writer.write(Batch(list(rows[0]), rows, [""] * len(rows), []), added)
