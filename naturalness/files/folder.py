"""Check and replace the folders that models are written to: nothing but a model is ever overwritten."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Collection
from pathlib import Path
from typing import Any

from naturalness.errors import ModelError
from naturalness.files.unfinished import OLD, restore

MANIFEST = "manifest.json"
MODELS = "models"
"""The folder within a model's folder that holds copies of other models."""
PAGES = {"metrics.json", "card.md", "report.html", "people.json", "kind.json"}
OURS = {MANIFEST, "model.npz", "reference.parquet", *PAGES, MODELS}
"""The files of a model's folder; models of releases before 0.4 have a ``reference.parquet``."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening a file to copy: do not follow a link, and do not wait for a pipe."""
ENTRIES = {"format_version", "columns_hash"}
"""Entries that the manifest of every model has."""


def check_folder(
    folder: Path, *, force: bool, ours: Collection[str] = OURS, entries: Collection[str] = ENTRIES
) -> None:
    """Raise `ModelError` if a model cannot or must not be written to a folder; call this before any other work.

    An existing folder is replaced only if it is a model: its manifest has ``entries``, and its files are all among
    ``ours`` or listed in the manifest.
    """
    if folder.is_symlink() or folder.resolve() == Path.cwd():
        raise ModelError(f"{str(folder)!r} is a link or the folder you are in; name a new folder")
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise ModelError(f"no folder {str(parent)!r}; create it first")
    if not os.access(parent, os.W_OK):
        raise ModelError(f"folder {str(parent)!r} cannot be written to; name another place")
    restore(folder)
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ModelError(f"{str(folder)!r} is a file; name a folder for the model")
    names = {path.name for path in folder.iterdir()}
    if not names:
        return
    manifest = _manifest(folder)
    files = manifest.get("files")
    known = {name for name in files if isinstance(name, str)} if isinstance(files, dict | list) else set()
    strangers = (names - set(ours)) | (copies_in(folder) - known)
    if not set(entries) <= set(manifest) or strangers:
        strange = ", ".join(sorted(strangers)[:3]) or MANIFEST
        raise ModelError(f"{str(folder)!r} holds files that are not a model's ({strange}); name another folder")
    if not force:
        raise ModelError(f"{str(folder)!r} exists; choose another name or add `force`")


def copies_in(folder: Path) -> set[str]:
    """Return the files of the copies of other models in a model's folder, as paths relative to it.

    Raise `ModelError` for a link, a pipe or a device: a link in someone else's folder could point to any of the user's
    files.
    """
    copies = folder / MODELS
    if copies.is_symlink():
        check_regular(copies)
    names = set()
    for path in copies.rglob("*"):
        if not stat.S_ISDIR(path.lstat().st_mode):
            check_regular(path)
            names.add(path.relative_to(folder).as_posix())
    return names


def check_regular(path: Path) -> None:
    """Raise `ModelError` if a path is a link, a pipe or a device rather than a regular file."""
    kind = path.lstat().st_mode
    if not stat.S_ISREG(kind):
        what = "a link" if stat.S_ISLNK(kind) else "not a regular file"
        raise ModelError(f"{str(path)!r} is {what}; put the file itself there")


def regular_bytes(path: Path, most: int) -> bytes:
    """Return the bytes of a file; raise `ModelError` for a link, and for more than ``most`` bytes."""
    check_regular(path)
    if path.stat().st_size > most:
        raise ModelError(f"{path} has more than {most:,} bytes; no such file of a model is so large")
    return path.read_bytes()


def copy_regular(source: Path, target: Path) -> None:
    """Copy the bytes of a file; refuse a link, even one that replaces the file after the check."""
    check_regular(source)
    with os.fdopen(os.open(source, os.O_RDONLY | NO_LINK), "rb") as read, target.open("xb") as written:
        if not stat.S_ISREG(os.fstat(read.fileno()).st_mode):
            raise ModelError(f"{str(source)!r} is not a regular file; put the file itself there")
        shutil.copyfileobj(read, written, 1 << 20)


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the entries of a folder's manifest; empty if there is no readable manifest."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def replace_folder(folder: Path, part: Path) -> None:
    """Give a finished folder its name; ``part`` lies in an `unfinished_folder`, which is removed with the old one."""
    if not folder.exists():
        part.rename(folder)
        return
    old = folder.rename(part.parent / OLD)
    try:
        part.rename(folder)
    except BaseException:
        old.rename(folder)
        raise
