"""Write an asset's entry into the manifest of its folder, and its licence file."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness.files.resources import file_checksum
from training.licences import write_licences
from training.tables import read_table

ASSETS = Path(__file__).parents[1] / "naturalness" / "models" / "assets" / "en"
LARGE_ASSETS = Path(__file__).parents[1] / "large" / "naturalness_large" / "assets"
"""Of the large model's package."""
CORPORA: Sequence[Mapping[str, str]] = read_table(__file__, "sources.toml")["corpora"]


def record(
    name: str, figures: Mapping[str, Any], *, sources: Sequence[Mapping[str, str]] | None = None, folder: Path = ASSETS
) -> None:
    """Write figures, date and files of a rebuilt asset into its entry, and its ``sources`` if they may have changed.

    Everything else, from kind to command, is written in the manifest by hand.
    """
    manifest = folder / "manifest.json"
    data = json.loads(manifest.read_text(encoding="utf-8"))
    (entry,) = [entry for entry in data["assets"] if entry["name"] == name]
    root = folder / Path(entry["files"][0]["path"]).parts[0]
    files = sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]
    entry["date"] = datetime.date.today().isoformat()
    entry["figures"] = dict(figures)
    entry["sources"] = list(sources or entry["sources"])
    entry["files"] = [
        {"path": file.relative_to(folder).as_posix(), "bytes": file.stat().st_size, "sha256": file_checksum(file)}
        for file in files
    ]
    manifest.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_licences(folder)


def figures_of(name: str) -> Mapping[str, Any]:
    """Return the figures of an asset's entry."""
    data = json.loads((ASSETS / "manifest.json").read_text(encoding="utf-8"))
    return next(entry["figures"] for entry in data["assets"] if entry["name"] == name)
