"""The folder of an unfinished job: its plan and the finished shards.

``plan.json`` describes the job and its input; a different plan is refused. ``shards/000012-HASH.json`` contains the
columns of a shard. Each file name contains the checksum of the file's bytes and appears only once all bytes are on
disk. The folder listing therefore serves as the journal, even after a power failure: a shard whose file has the right
checksum is finished, and all other shards are computed again.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness.errors import TableError
from naturalness.files.storage import write_whole
from naturalness.labelling.scorer import Columns, empty_row

SHARD_ROWS = 256
"""The number of rows in a shard, which is the most that each worker can lose in a power failure."""
PLAN = "plan.json"
SHARDS = "shards"
SHARD_NAME = re.compile(r"shards/(\d+)-([0-9a-f]{16})\.json")
FORMER_SHARD = re.compile(r"shards/\d+-[0-9a-f]{16}\.parquet")


class Parts:
    """The finished shards of a job. Several processes can write at once, since each file is written atomically."""

    def __init__(self, folder: Path, columns: Sequence[str]) -> None:
        """``columns`` are the columns that a shard must have. Raise `TableError` if the folder has foreign files."""
        self.folder = folder
        self.columns = columns
        paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("[!.]*")}
        names = [
            name for name, path in paths.items() if path.is_file() and (name == PLAN or SHARD_NAME.fullmatch(name))
        ]
        if any(FORMER_SHARD.fullmatch(name) for name in paths):
            raise TableError(f"{str(folder)!r} holds work of release 0.3, which cannot be resumed; delete the folder")
        if strange := sorted(paths.keys() - {*names, SHARDS}):
            raise TableError(
                f"{str(folder)!r} contains files that do not belong to an unfinished job ({strange[0]}); move it away"
            )
        self.planned = PLAN in names
        self._done = {int(match[1]): match[0] for name in names if (match := SHARD_NAME.fullmatch(name))}

    def __len__(self) -> int:
        """Return the number of finished shards."""
        return len(self._done)

    def __contains__(self, number: object) -> bool:
        return number in self._done

    def begin(self, plan: Mapping[str, Any]) -> None:
        """Write the plan to a new folder."""
        write_whole(self.folder / PLAN, _plan_bytes(plan), clean=False)
        self.planned = True

    def has_plan(self, plan: Mapping[str, Any]) -> bool:
        """Return whether the stored plan is this one."""
        return (self.folder / PLAN).read_bytes() == _plan_bytes(plan)

    def read(self, number: int, rows: int) -> Columns | None:
        """Return the columns of a shard with this number of rows, or None if it is missing or damaged."""
        name = self._done.get(number)
        if name is None:
            return None
        try:
            return self._read(name, rows)
        except (OSError, ValueError, RecursionError):
            (self.folder / name).unlink(missing_ok=True)
            del self._done[number]
            return None

    def _read(self, name: str, rows: int) -> Columns:
        """Return the columns in a file; raise if it is damaged."""
        data = (self.folder / name).read_bytes()
        if not name.endswith(f"-{_digest(data)}.json"):
            raise ValueError("its checksum differs from its name")
        columns: Columns = json.loads(data)
        kinds = {name: type(value) for name, value in zip(self.columns, empty_row(self.columns, ""), strict=True)}
        if not isinstance(columns, dict) or list(columns) != list(kinds):
            raise ValueError("its columns are not the job's")
        if any(not isinstance(v, list) or [*map(type, v)] != [kinds[k]] * rows for k, v in columns.items()):
            raise ValueError("its rows are not the job's")
        return columns

    def write(self, number: int, columns: Columns) -> None:
        """Store the columns of a shard."""
        plain = {k: [v if isinstance(v, str) else float(v) for v in columns[k]] for k in self.columns}
        data = json.dumps(plain).encode()
        name = f"shards/{number:06d}-{_digest(data)}.json"
        shards = self.folder / SHARDS
        if shards.is_symlink():
            raise TableError(f"{str(shards)!r} is a link; move it away")
        shards.mkdir(exist_ok=True)
        write_whole(self.folder / name, data, clean=False)
        self._done[number] = name

    def clear(self) -> None:
        """Remove all files."""
        shutil.rmtree(self.folder / SHARDS, ignore_errors=True)
        for path in self.folder.iterdir():
            path.unlink()
        self._done, self.planned = {}, False


def _plan_bytes(plan: Mapping[str, Any]) -> bytes:
    return (json.dumps(plan, indent=1, sort_keys=True) + "\n").encode()


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
