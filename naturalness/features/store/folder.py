"""Store measured features in a folder, so that no text has to be parsed and measured twice.

Each combination of a group and the conditions under which it was measured (`keys`) has a subfolder of segments: files
that never change, named after a checksum of their bytes and their number of rows. Two processes can therefore write at
the same time without a lock, a reader sees a complete file or none, and a damaged file is recognised because
its name no longer matches. Texts themselves are not stored.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from naturalness.errors import ModelError, NaturalnessError
from naturalness.features.store.keys import GroupKey
from naturalness.features.store.segments import Rows, joined, pack_rows, unpack_rows

LIMIT_BYTES = 1 << 30
SEGMENT_BYTES = 16 << 20
"""The maximum size in bytes of an unpacked segment, which bounds the memory that joining segments takes."""
ROW_BYTES = 64
"""The approximate size in bytes of a row, not counting its numbers."""
MOST_SMALL = 16
"""The maximum number of segments per group that are less than half full; if there are more, they are joined."""
STALE_SECONDS = 3600
"""The age in seconds at which an unfinished file is removed, because its writer has probably been killed."""
GROUP = re.compile(r"[0-9A-Za-z_]+-[0-9a-f]{32}")
SEGMENT = re.compile(r"([0-9a-f]{32})-([0-9]{1,12})\.npz")
UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.part")


class FeatureStore:
    """A store of feature rows, keyed by group and text; any number of processes may read and write at the same time.

    ``limit_bytes`` bounds the total size of all segments; the least recently used segments are removed first.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.trouble = ""
        """Why no more rows can be stored; empty as long as storing works."""

    def check(self) -> FeatureStore:
        """Create the folder and return the store; raise `NaturalnessError` if the folder cannot be written to."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._unfinished(b"").unlink()
        except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
            raise NaturalnessError(
                f"folder {str(self.folder)!r} cannot keep features "
                f"({getattr(error, 'strerror', None) or error}); name one that can be written to, "
                "or keep none (`store=none`)"
            ) from error
        return self

    def read(self, group: GroupKey, keys: Iterable[bytes]) -> Rows:
        """Return the stored rows of texts with these keys, in any order; texts that are not stored are missing."""
        wanted, parts = set(keys), []
        seen: set[Path] = set()
        # If a segment has disappeared, its rows are in a new, joined segment, so the folder is listed again.
        while wanted and (new := [path for path in self._segments(group) if path not in seen]):
            for path in new:
                seen.add(path)
                rows = self._open(path, group)
                rows_wanted = [i for i, key in enumerate(rows.keys) if key in wanted]
                if rows_wanted:
                    parts.append(rows.part(rows_wanted))
                    wanted.difference_update(parts[-1].keys)
                    with suppress(OSError):
                        os.utime(path)
        return joined(parts, group.width)

    def write(self, group: GroupKey, rows: Rows) -> None:
        """Store rows; if that fails, set ``trouble`` to the reason and store nothing more."""
        if self.trouble or not len(rows):
            return
        try:
            self._add(group, joined([rows], group.width))
            self._join_small(group)
            self._trim()
        except OSError as error:
            self.trouble = f"folder {str(self.folder)!r} keeps no more features ({error.strerror or error})"

    def _add(self, group: GroupKey, rows: Rows) -> set[Path]:
        """Write rows as segments and return their paths."""
        step, written = _most_rows(group), set()
        for start in range(0, len(rows), step):
            part = rows.part(range(start, min(start + step, len(rows))))
            data = pack_rows(part, group)
            path = self.folder / group.name / f"{_checksum(data)}-{len(part)}.npz"
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

    def _segments(self, group: GroupKey) -> list[Path]:
        return _names(self.folder / group.name, SEGMENT)

    def _open(self, path: Path, group: GroupKey) -> Rows:
        """Return the rows of a segment; no rows if it has disappeared or is damaged. A damaged segment is removed."""
        try:
            if not stat.S_ISREG(path.lstat().st_mode):
                return joined([], group.width)
            data = path.read_bytes()
        except OSError:
            return joined([], group.width)
        try:
            if _checksum(data) != path.stem.partition("-")[0]:
                raise ModelError("its bytes are not those that were written")
            return unpack_rows(data, group)
        except ModelError:
            with suppress(OSError):
                path.unlink()
            return joined([], group.width)

    def _join_small(self, group: GroupKey) -> None:
        """Join small segments if there are more than `MOST_SMALL`."""
        small = [x for x in self._segments(group) if _rows_of(x) < _most_rows(group) / 2]
        if len(small) <= MOST_SMALL:
            return
        written = self._add(group, joined([self._open(x, group) for x in small], group.width))
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
        for folder in _names(self.folder, GROUP):
            for path in _names(folder, SEGMENT):
                with suppress(OSError):
                    state = path.stat()
                    yield state.st_mtime_ns, state.st_size, path


@contextmanager
def opened_store(folder: str | Path | None) -> Iterator[FeatureStore | None]:
    """Yield a store in this folder, or None if ``folder`` is None; warn at the end if rows could not be stored."""
    store = None if folder is None else FeatureStore(folder).check()
    yield store
    if store is not None and store.trouble:
        warnings.warn(
            f"{store.trouble}; all values are right, but the next run measures again", RuntimeWarning, stacklevel=2
        )


def _checksum(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _rows_of(path: Path) -> int:
    """Return the number of rows in a segment, which is part of its name."""
    return int(path.stem.partition("-")[2])


def _most_rows(group: GroupKey) -> int:
    """Return the number of rows in a full segment."""
    return max(1, SEGMENT_BYTES // (8 * group.width + ROW_BYTES))


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
