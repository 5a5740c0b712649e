"""Where a model may be written: never over anything but a model."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

from naturalness.errors import ModelError

MANIFEST = "manifest.json"
OURS = {MANIFEST, "model.npz", "metrics.json", "card.md", "report.html", "reference.parquet"}
"""The files of a model's folder."""
ENTRIES = {"format_version", "columns_hash"}
"""Entries that its manifest has for certain."""


def check_folder(
    folder: Path,
    *,
    force: bool,
    ours: Collection[str] = OURS,
    entries: Collection[str] = ENTRIES,
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
    if not _is_model(folder, entries) or not names <= set(ours):
        strange = ", ".join(sorted(names - set(ours))[:3]) or MANIFEST
        raise ModelError(
            f"{str(folder)!r} holds something else than a model ({strange}); name another folder"
        )
    if not force:
        raise ModelError(f"{str(folder)!r} exists; choose another name or add --force")


def _is_model(folder: Path, entries: Collection[str]) -> bool:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and set(entries) <= set(manifest)


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
