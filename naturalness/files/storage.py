"""Files and folders on this machine or in an object store (``s3://``, ``gs://``, ``hdfs://``, ``file://``).

A file appears under its name only when it is complete, and survives a power failure. Addresses with ``://`` are opened
by pyarrow's file systems.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import IO, Any, Protocol

from naturalness.errors import TableError, first_line
from naturalness.files.unfinished import unfinished_file

REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_remote(location: str) -> bool:
    """Return whether a name is an address in an object store rather than a path."""
    return bool(REMOTE.match(location))


def anywhere(path: str) -> str:
    """Return a path in a form that does not depend on the working directory."""
    return path if is_remote(path) else str(Path(path).resolve())


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


def without_query(location: str) -> str:
    """Return an address without its settings (``?region=...``); return a path unchanged."""
    return location.partition("?")[0] if is_remote(location) else location


def beside(location: str, suffix: str) -> str:
    """Return an address or path with a suffix added to its name."""
    name = without_query(location)
    return name.rstrip("/") + suffix + location[len(name) :]


def file_system(address: str) -> tuple[Any, str]:
    """Return the pyarrow file system of an address, and the path in it."""
    import pyarrow as pa
    from pyarrow import fs

    try:
        system, path = fs.FileSystem.from_uri(address)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise TableError(
            f"{address!r} cannot be opened ({first_line(error)}); expected an address that pyarrow "
            "knows, such as s3://bucket/name, gs://bucket/name or hdfs://host/name"
        ) from None
    return system, path


@contextmanager
def open_remote(address: str) -> Iterator[Any]:
    """Open an object for reading, with random access."""
    system, path = file_system(address)
    try:
        stream = system.open_input_file(path)
    except FileNotFoundError:
        raise TableError(f"no file {address!r}; check the address") from None
    except OSError as error:
        raise TableError(
            f"{address!r} cannot be read ({first_line(error)}); check the address and your permissions"
        ) from None
    with stream:
        yield stream


def remote_facts(address: str) -> dict[str, Any]:
    """Return the size and modification time of an object, which reveal changes; empty if there is no object."""
    from pyarrow import fs

    system, path = file_system(address)
    info = system.get_file_info(path)
    if info.type != fs.FileType.File:
        return {}
    return {"bytes": info.size, "modified": info.mtime_ns}


def upload(source: Path, address: str) -> None:
    """Copy a file to an object; if copying fails, no object that looks complete is left."""
    system, path = file_system(address)
    with source.open("rb") as file:
        try:
            with system.open_output_stream(path, compression=None) as stream:
                shutil.copyfileobj(file, stream, 1 << 20)
        except OSError as error:
            with suppress(OSError):
                system.delete_file(path)
            raise TableError(
                f"{address!r} cannot be written ({first_line(error)}); check the address and your permissions"
            ) from None


def sync_file(file: IO[bytes]) -> None:
    """Flush a file to disk."""
    file.flush()
    os.fsync(file.fileno())


def write_whole(path: Path, data: bytes, *, mode: int = 0o600, clean: bool = True) -> None:
    """Write a file atomically: if writing fails, the old file is kept.

    A replaced file keeps its permissions and, if the system allows it, its owner; a new one gets ``mode``. ``clean`` is
    that of `unfinished_file`.
    """
    with unfinished_file(path, clean=clean) as part:
        with part.open("wb") as file:
            file.write(data)
            sync_file(file)
        if path.exists():
            with suppress(OSError, AttributeError):  # AttributeError: on Windows
                os.chown(part, path.stat().st_uid, path.stat().st_gid)
            shutil.copymode(path, part)
        else:
            part.chmod(mode)
        part.replace(path)
    sync_folder(path.parent)


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


class Folder(Protocol):
    """A folder of small files, whose names may contain one ``/``."""

    def names(self) -> list[str]:
        """Return the sorted names of all complete files."""

    def read(self, name: str) -> bytes: ...
    def write(self, name: str, data: bytes) -> None: ...
    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def clear(self, but: Collection[str] = ()) -> None:
        """Delete all files, finished or not, and the folder if nothing is left; ``but`` names files to keep."""


class LocalFolder:
    """A folder on this machine, created when something is written."""

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


class RemoteFolder:
    """A folder in an object store, in which a file appears when its stream is closed."""

    def __init__(self, address: str) -> None:
        self.system, self.path = file_system(address)

    def names(self) -> list[str]:
        """Return the sorted names of all files."""
        from pyarrow import fs

        entries = self.system.get_file_info(fs.FileSelector(self.path, recursive=True, allow_not_found=True))
        return sorted(
            info.path.removeprefix(self.path).lstrip("/") for info in entries if info.type == fs.FileType.File
        )

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        with self.system.open_input_stream(f"{self.path}/{name}", compression=None) as stream:
            data: bytes = stream.read()
        return data

    def write(self, name: str, data: bytes) -> None:
        """Write a file."""
        path = f"{self.path}/{name}"
        self.system.create_dir(path.rpartition("/")[0], recursive=True)
        with self.system.open_output_stream(path, compression=None) as stream:
            stream.write(data)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError):
            self.system.delete_file(f"{self.path}/{name}")

    def clear(self, but: Collection[str] = ()) -> None:
        """Remove the folder with all files, including those in ``but``: files in an object store are never locked."""
        with suppress(FileNotFoundError):
            self.system.delete_dir(self.path)


def open_folder(location: str) -> Folder:
    """Return the folder at a path or an address."""
    return RemoteFolder(location) if is_remote(location) else LocalFolder(Path(location))
