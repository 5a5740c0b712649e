"""The folder of an unfinished job: its plan and the finished shards.

``plan.json`` describes the job and its input; a different plan is refused. ``shards/000012-HASH.parquet`` contains the
columns of a shard and the checksum of its texts. Each file name contains the checksum of the file's bytes and appears
only once all bytes are on disk. The folder listing therefore serves as the journal, even after a power failure: a shard
whose file has the right checksum is finished, and all other shards are computed again.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness.errors import TableError, damage_as, excerpt, listing
from naturalness.files.archive import small_table
from naturalness.files.storage import Folder
from naturalness.labelling.job import Columns, empty_row

SHARD_ROWS = 256
"""The number of rows in a shard, which is the most that each worker can lose in a power failure."""
PLAN = "plan.json"
SHARD_NAME = re.compile(r"shards/(\d+)-([0-9a-f]{16})\.parquet")
LOCK = "lock"
CHECKSUM = b"texts"
DETAILS = 3
"""The largest number of differences between two plans that a message lists."""
Plan = Mapping[str, Any]


class Parts:
    """The finished shards of a job. Several processes can write at once, since each file is written atomically."""

    def __init__(self, location: str, columns: Sequence[str] = ()) -> None:
        """``columns`` are the columns that a shard must have; if empty, shards may have any columns."""
        self.location = location
        self.columns = columns
        self.folder = Folder(Path(location))
        self._done: dict[int, str] = {}
        self.reread()

    def reread(self) -> None:
        """Update the list of finished shards from the folder."""
        names = self.folder.names()
        self.planned = PLAN in names
        self.strange = [n for n in names if not (n in (PLAN, LOCK) or SHARD_NAME.fullmatch(n))]
        matches = [match for name in names if (match := SHARD_NAME.fullmatch(name))]
        self._done = {int(match[1]): match[0] for match in matches}

    def __len__(self) -> int:
        """Return the number of finished shards."""
        return len(self._done)

    def __contains__(self, number: object) -> bool:
        return number in self._done

    def begin(self, plan: Plan) -> None:
        """Write the plan to a new folder."""
        self.folder.write(PLAN, (json.dumps(plan, indent=1, sort_keys=True) + "\n").encode())
        self.planned = True

    def differences(self, plan: Plan) -> list[str]:
        """Describe the first differences between a plan and the stored one; differences in the job come first."""
        try:
            with damage_as(TableError, PLAN, "start over with `force`"):
                before = dict(json.loads(self.folder.read(PLAN)))
        except TableError:
            return [f"{PLAN} is damaged"]
        changed = _differences(before, json.loads(json.dumps(plan)), "")
        changed = sorted(changed, key=lambda change: not change[0].startswith("job."))[:DETAILS]
        return [f"{listing([name])} was {excerpt(was)}, is {excerpt(now)}" for name, was, now in changed]

    def read(self, number: int, texts: Sequence[str]) -> Columns | None:
        """Return the columns of a shard, or None if it is missing or damaged.

        Raise `TableError` if it was made from other texts.
        """
        import pyarrow as pa

        name = self._done.get(number)
        if name is None:
            return None
        try:
            with damage_as(TableError, name, "it is made again"):
                data = self.folder.read(name)
                if _digest(data) != name[-len(".parquet") - 16 : -len(".parquet")]:
                    raise ValueError("another checksum than its name says")
                table = small_table(data, max(SHARD_ROWS, len(texts)))
                of_texts = table.schema.metadata[CHECKSUM]
                if table.num_rows != len(texts) or any(column.null_count for column in table.columns):
                    raise ValueError("other rows than the job's")
                if self.columns and not table.schema.equals(pa.schema(list(_types(self.columns).items()))):
                    raise ValueError("other columns than the job's")
        except TableError:
            self.folder.remove(name)
            del self._done[number]
            return None
        if of_texts != texts_checksum(texts):
            raise TableError(
                f"the rows of shard {number} are not those of before; the input has changed: start over with `force`"
            )
        return {name: table.column(name).to_pylist() for name in table.column_names}

    def write(self, number: int, texts: Sequence[str], columns: Columns) -> None:
        """Store the columns of a shard."""
        import pyarrow as pa

        types = _types(list(columns))
        arrays = [pa.array(values, types[name]) for name, values in columns.items()]
        table = pa.Table.from_arrays(arrays, names=list(columns))
        data = _bytes(table.replace_schema_metadata({CHECKSUM: texts_checksum(texts)}))
        name = f"shards/{number:06d}-{_digest(data)}.parquet"
        self.folder.write(name, data)
        self._done[number] = name

    def clear(self) -> None:
        """Remove the folder; raise if it contains files that do not belong to a job."""
        self.reread()
        if self.strange:
            raise TableError(
                f"{self.location!r} holds what is not ours ({listing(self.strange[:1])}); move it "
                "away, or name another folder with `parts`"
            )
        self.folder.clear(but=[LOCK])
        self._done, self.planned = {}, False


def texts_checksum(texts: Sequence[str]) -> bytes:
    """Return a checksum of texts in order."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest().encode()


def _types(columns: Sequence[str]) -> dict[str, Any]:
    """Return the Arrow type of each column."""
    import pyarrow as pa

    return {
        name: pa.string() if isinstance(value, str) else pa.float64()
        for name, value in zip(columns, empty_row(columns, ""), strict=True)
    }


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _bytes(table: Any) -> bytes:
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def _differences(before: Any, now: Any, name: str) -> list[tuple[str, Any, Any]]:
    """Return the key path, the old value and the new value of each entry that differs between two plans."""
    if isinstance(before, dict) and isinstance(now, dict):
        keys = sorted({*before, *now})
        return [d for key in keys for d in _differences(before.get(key), now.get(key), f"{name}.{key}".lstrip("."))]
    return [] if before == now else [(name, before, now)]
