"""Files and folders; a file appears under its name only when it is complete, and survives a power failure."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path, PurePath
from typing import IO

from naturalness.files.unfinished import unfinished_file

ACL = "system.posix_acl_access"
"""The extended attribute that holds a file's access control list."""


def exists(path: str | Path) -> bool:
    """Return whether a path exists on this machine; False for text that cannot be a path (too long, or with a NUL)."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def seen_from(folder: Path, path: str | Path) -> PurePath:
    """Return a path relative to a folder, or unchanged if it is on another drive."""
    try:
        return PurePath(os.path.relpath(path, folder))
    except ValueError:
        return PurePath(path)


def sync_file(file: IO[bytes]) -> None:
    """Flush a file to disk."""
    file.flush()
    os.fsync(file.fileno())


def write_whole(path: Path, data: bytes, *, mode: int = 0o600, clean: bool = True) -> None:
    """Write a file atomically: if writing fails, the old file is kept.

    A replaced file keeps its permissions, on Linux also its access control list and other extended attributes, and, if
    the system allows it, its owner; a new one gets ``mode``, less what the umask withholds. ``clean`` is that of
    `unfinished_file`.
    """
    with unfinished_file(path, clean=clean) as part:
        with part.open("wb") as file:
            file.write(data)
            sync_file(file)
        replace_file(part, path, mode=mode)


def replace_file(part: Path, path: Path, *, mode: int) -> None:
    """Give a finished file its name, and the owner and permissions of the file that it replaces.

    If it replaces none, it gets ``mode``, less what the umask withholds.
    """
    if path.exists():
        with suppress(OSError, AttributeError):  # AttributeError: on Windows
            os.chown(part, path.stat().st_uid, path.stat().st_gid)
        with suppress(OSError, AttributeError):  # a list that the new file has inherited from the folder
            os.removexattr(part, ACL)
        shutil.copystat(path, part)
        os.utime(part)
    else:
        part.chmod(mode & ~_umask())
    part.replace(path)
    sync_folder(path.parent)


def _umask() -> int:
    """Return the permissions that new files of this process do not get."""
    # It can only be read by being set; until it is set back, files of other threads are private.
    umask = os.umask(0o077)
    os.umask(umask)
    return umask


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, if the system allows that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


USER_FOLDERS = {"XDG_CACHE_HOME": ".cache", "XDG_STATE_HOME": ".local/state"}
"""Default folders of a user, keyed by the variable of the XDG specification that overrides each."""


def user_folder(variable: str) -> Path:
    """Return one of `USER_FOLDERS`; a variable with a relative path is ignored, as the specification demands."""
    chosen = Path(os.environ.get(variable, ""))
    return chosen if chosen.is_absolute() else Path.home() / USER_FOLDERS[variable]
