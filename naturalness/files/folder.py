"""Where a model may be written: never over anything but a model."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

from naturalness.errors import ModelError

MANIFEST = "manifest.json"
MODELS = "models"
"""The folder of copies of other models, within that of a model."""
PAGES = {"metrics.json", "card.md", "report.html", "reference.parquet", "people.json", "kind.json"}
OURS = {MANIFEST, "model.npz", *PAGES, MODELS}
"""What a model's folder holds."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How a file is opened for copying: no link is followed, and no pipe waited for."""
ENTRIES = {"format_version", "columns_hash"}
"""Entries that its manifest has for certain."""


def check_folder(
    folder: Path, *, force: bool, ours: Collection[str] = OURS, entries: Collection[str] = ENTRIES
) -> None:
    """Refuse, before any work, a place where a model cannot or must not be written.

    Only a model is ever replaced: a folder with our manifest and nothing but our files. What
    these are is told by ``ours`` and, of the manifest, by its ``entries``.
    """
    if folder.is_symlink() or folder.resolve() == Path.cwd():
        raise ModelError(f"{str(folder)!r} is a link or the folder you are in; name a new folder")
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise ModelError(f"no folder {str(parent)!r}; create it first")
    if not os.access(parent, os.W_OK):
        raise ModelError(f"folder {str(parent)!r} cannot be written to; name another place")
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
        raise ModelError(f"{str(folder)!r} exists; choose another name or add --force")


def copies_in(folder: Path) -> set[str]:
    """Return the files among the copies of models in a folder, by their path within it."""
    if (folder / MODELS).is_symlink():
        check_regular(folder / MODELS)
    return {f"{MODELS}/{name}" for name in regular_files(folder / MODELS)}


def regular_files(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by their path within it; raise where one is a link, a pipe or a device.

    A link in a folder from a stranger leads to whatever file of the user's it names.
    """
    files = {}
    for path in sorted(folder.rglob("*")):
        if not stat.S_ISDIR(path.lstat().st_mode):
            check_regular(path)
            files[path.relative_to(folder).as_posix()] = path
    return files


def check_regular(path: Path) -> None:
    """Refuse a link, a pipe or a device where a model has a file."""
    kind = path.lstat().st_mode
    if not stat.S_ISREG(kind):
        what = "a link" if stat.S_ISLNK(kind) else "no regular file"
        raise ModelError(f"{str(path)!r} is {what}; put the file itself there")


def copy_regular(source: Path, target: Path) -> None:
    """Copy a file's bytes; a link is refused, also one that was put there a moment ago."""
    check_regular(source)
    with os.fdopen(os.open(source, os.O_RDONLY | NO_LINK), "rb") as read, target.open("xb") as written:
        if not stat.S_ISREG(os.fstat(read.fileno()).st_mode):
            raise ModelError(f"{str(source)!r} is no regular file; put the file itself there")
        shutil.copyfileobj(read, written, 1 << 20)


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the entries of a manifest; none where there is no manifest."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def replace_folder(folder: Path, part: Path) -> None:
    """Put the new folder where the old one is; the old one goes last."""
    if not folder.exists():
        part.rename(folder)
        return
    aside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.old."))
    old = folder.rename(aside / folder.name)
    try:
        part.rename(folder)
    except BaseException:
        old.rename(folder)
        aside.rmdir()
        raise
    shutil.rmtree(aside, ignore_errors=True)
