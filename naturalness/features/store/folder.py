"""Measured features kept in a folder, so that nothing is parsed and measured twice.

A folder for each group under one set of conditions (`feature_keys`), in it segments: files that are
never changed, named by a checksum of their bytes and the number of their rows. So two processes can
write at once without a lock, a reader sees a whole file or none, and a damaged one is told by its
name. No text is kept.
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
"""Of a segment unpacked; what bounds the memory that joining takes."""
ROW_BYTES = 64
"""Of a row besides its numbers."""
MOST_SMALL = 16
"""Segments of a group that are less than half full; with more of them they are joined."""
STALE_SECONDS = 3600
"""After which an unfinished file is one whose writer was killed."""
GROUP = re.compile(r"[0-9A-Za-z_]+-[0-9a-f]{32}")
SEGMENT = re.compile(r"([0-9a-f]{32})-([0-9]{1,12})\.npz")
UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.part")


class FeatureStore:
    """Rows of groups by text; any number of processes may read and write at once.

    ``limit_bytes`` is what all segments may take; those that were used longest ago go first.
    """

    def __init__(self, folder: str | Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = Path(folder)
        self.limit_bytes = limit_bytes
        self.trouble = ""
        """Why nothing more can be kept; empty while all is well."""

    def check(self) -> FeatureStore:
        """Make the folder; raise where nothing can be kept there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._unfinished(b"").unlink()
        except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
            raise NaturalnessError(
                f"folder {str(self.folder)!r} cannot keep features "
                f"({getattr(error, 'strerror', None) or error}); name one that can be written to, "
                "or keep none (--store none, store=None)"
            ) from error
        return self

    def read(self, group: GroupKey, keys: Iterable[bytes]) -> Rows:
        """The rows of those texts that are known, in no order."""
        wanted, parts = set(keys), []
        seen: set[Path] = set()
        # A segment that is gone was joined with others into one that is not yet seen.
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
        """Keep rows; where that fails ``trouble`` says why, and no more is tried."""
        if self.trouble or not len(rows):
            return
        try:
            self._add(group, joined([rows], group.width))
            self._join_small(group)
            self._trim()
        except OSError as error:
            self.trouble = f"folder {str(self.folder)!r} keeps no more features ({error.strerror or error})"

    def _add(self, group: GroupKey, rows: Rows) -> set[Path]:
        """Write segments; returns their paths."""
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
        """A file of these bytes that is no segment yet."""
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
        """The rows of a segment; none where it is gone or damaged, and a damaged one is removed."""
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
        """Make one of many small segments, in pieces of a bounded size."""
        small = [x for x in self._segments(group) if _rows_of(x) < _most_rows(group) / 2]
        if len(small) <= MOST_SMALL:
            return
        written = self._add(group, joined([self._open(x, group) for x in small], group.width))
        # Only now: whoever reads meanwhile finds each row in the old segment or in the new one.
        for path in small:
            if path not in written:
                path.unlink(missing_ok=True)

    def _trim(self) -> None:
        """Remove what was used longest ago, down to the limit, and what killed writers left."""
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
        """Time of last use, size and path of all segments."""
        for folder in _names(self.folder, GROUP):
            for path in _names(folder, SEGMENT):
                with suppress(OSError):
                    state = path.stat()
                    yield state.st_mtime_ns, state.st_size, path


@contextmanager
def opened_store(folder: str | Path | None) -> Iterator[FeatureStore | None]:
    """The store of an estimator, or None; warns at the end where not all could be kept."""
    store = None if folder is None else FeatureStore(folder).check()
    yield store
    if store is not None and store.trouble:
        warnings.warn(
            f"{store.trouble}; all values are right, but the next run measures again", RuntimeWarning, stacklevel=2
        )


def _checksum(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _rows_of(path: Path) -> int:
    """What the name of a segment says of its rows."""
    return int(path.stem.partition("-")[2])


def _most_rows(group: GroupKey) -> int:
    """Rows of a full segment."""
    return max(1, SEGMENT_BYTES // (8 * group.width + ROW_BYTES))


def _move(unfinished: Path, path: Path) -> None:
    """Give a file the name of a segment, in one step."""
    for attempt in (1, 2):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            unfinished.replace(path)
            return
        except FileNotFoundError:  # another process has just cleared the empty folder away
            if attempt == 2:
                raise


def _names(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Entries of a folder that are named as ours are; nothing else is ever read or removed."""
    try:
        return sorted(path for path in folder.iterdir() if pattern.fullmatch(path.name))
    except OSError:
        return []
