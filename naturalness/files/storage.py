"""Files and folders; a file appears under its name only when it is complete, and survives a power failure."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path, PurePath
from typing import IO

from naturalness.errors import TableError
from naturalness.files.unfinished import unfinished_file

ACL = "system.posix_acl_access"
"""The extended attribute that holds a file's access control list."""
OF_CONTENT = {"security.capability", "security.evm", "security.ima"}
"""Extended attributes that the system removes or computes anew when the content changes."""


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
    the system allows it, its owner; a new one gets ``mode``. ``clean`` is that of `unfinished_file`.
    """
    with unfinished_file(path, clean=clean) as part:
        with part.open("wb") as file:
            file.write(data)
            sync_file(file)
        if path.exists():
            with suppress(OSError, AttributeError):  # AttributeError: on Windows
                os.chown(part, path.stat().st_uid, path.stat().st_gid)
            _copy_attributes(path, part)
            shutil.copymode(path, part)
        else:
            part.chmod(mode)
        part.replace(path)
    sync_folder(path.parent)


def _copy_attributes(path: Path, part: Path) -> None:
    """Give a file the extended attributes of the file that it will replace; raise if one of them cannot be set."""
    try:
        old, new = _attributes(path), _attributes(part)
        if ACL in new.keys() - old.keys():  # inherited from the folder
            os.removexattr(part, ACL)
        for name, value in old.items() - new.items():
            os.setxattr(part, name, value)
    except OSError as error:
        raise TableError(
            f"{path} has an access control list or other extended attributes, which cannot be kept ({error.strerror}); "
            "remove them (`getfattr -d -m - FILE` lists them), or name another file"
        ) from error


def _attributes(path: Path) -> dict[str, bytes]:
    """Return the extended attributes of a file; none if the system or the disk has none."""
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path) if name not in OF_CONTENT}
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return {}
        raise


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


class Folder:
    """A folder of small files, whose names may contain one ``/``; it is created when something is written."""

    def __init__(self, path: Path) -> None:
        if path.is_symlink():
            raise TableError(f"{str(path)!r} is a link; name the folder that it leads to, {str(path.resolve())!r}")
        self.path = path

    def names(self) -> list[str]:
        """Return the sorted names of all complete files."""
        return sorted(
            path.relative_to(self.path).as_posix()
            for path in self.path.rglob("*")
            if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
        )

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        return (self.path / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically."""
        path = self.path / name
        if path.is_dir() or path.parent.is_symlink():
            what = "a folder" if path.is_dir() else "in a folder that is a link"
            raise TableError(f"{str(path)!r} is {what}, where a file is written; move it away")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data, clean=False)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)

    def clear(self, but: Collection[str] = ()) -> None:
        """Delete the files that are not named in ``but``, and the folder if nothing is left."""
        for path in self.path.iterdir() if self.path.is_dir() else ():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name not in but:
                path.unlink(missing_ok=True)
        with suppress(OSError):
            self.path.rmdir()
