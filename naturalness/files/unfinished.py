"""Files and folders that are being written, under a name such as ``.scores.csv.a1b2c3d4.part``.

The process that writes one holds a lock on it, which the system releases even if the process is killed. A later command
that writes to the same path can therefore recognise what was left behind, and removes it.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from naturalness.errors import NaturalnessWarning

PART = ".part"
"""Suffix of what is still being written."""
OLD = "old"
"""Name, within an unfinished folder, of the folder that is being replaced."""


@contextmanager
def unfinished_file(path: Path, *, clean: bool = True) -> Iterator[Path]:
    """Yield a new empty file beside ``path``, which it will replace; it is removed unless it has been renamed.

    ``clean`` says whether to look for what killed processes have left behind, which takes long among many files.
    """
    if clean:
        restore(path)
    with _locked(path, file=True) as part:
        yield part


@contextmanager
def unfinished_folder(folder: Path) -> Iterator[Path]:
    """Yield a new empty folder beside ``folder``, to prepare its content in; it is removed in the end."""
    with _locked(folder, file=False) as part:
        yield part


@contextmanager
def _locked(path: Path, *, file: bool) -> Iterator[Path]:
    """Yield a new file or folder with a lock on it, and remove it in the end."""
    while True:
        if file:
            handle, name = tempfile.mkstemp(PART, f".{path.name}.", path.parent)
            os.close(handle)
        else:
            name = tempfile.mkdtemp(PART, f".{path.name}.", path.parent)
        part, lock = Path(name), lock_of(name, wait=True)
        if part.exists():
            break
        unlock(lock)  # another process removed it, as there was no lock on it yet
    try:
        yield part
    finally:
        _remove(part)
        unlock(lock)


def restore(path: Path) -> bool:
    """Remove what killed processes left unfinished beside ``path``; return whether one had moved ``path`` aside.

    In that case ``path`` is restored.
    """
    restored = False
    pattern = re.compile(rf"\.{re.escape(path.name)}\.\w{{8}}{re.escape(PART)}")
    try:
        leftovers = [left for left in path.parent.iterdir() if pattern.fullmatch(left.name)]
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return False
    for left in leftovers:
        lock = lock_of(left, wait=False)
        if lock is not None:
            with suppress(OSError):
                if (left / OLD).is_dir() and not path.exists():
                    restored = bool((left / OLD).rename(path))
                _remove(left)
            unlock(lock)
    if restored:
        words = f"{str(path)!r} was moved aside by a command that was killed before it finished; it is back as it was"
        warnings.warn(words, NaturalnessWarning, stacklevel=2)
    return restored


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink(missing_ok=True)


def lock_of(path: str | Path, *, wait: bool) -> int | None:
    """Return a handle that locks a file or folder; None if it is locked or cannot be locked."""
    try:
        import fcntl

        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except (ImportError, OSError):  # ImportError: on Windows
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(handle)
        return None
    return handle


def unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)
