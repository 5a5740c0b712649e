"""Write an asset's entry into the manifest of its folder, and its licence file."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness.files.resources import MANIFEST_VERSION, file_checksum
from training.licences import write_licences
from training.tables import read_table

ASSETS = Path(__file__).parents[1] / "naturalness" / "models" / "assets" / "en"
LARGE_ASSETS = Path(__file__).parents[1] / "large" / "naturalness_large" / "assets"
"""Of the large model's package."""
_SOURCES = read_table(__file__, "sources.toml")
CORPORA: Sequence[Mapping[str, str]] = _SOURCES["corpora"]
TREEBANKS: Sequence[Mapping[str, str]] = _SOURCES["treebanks"]
MPNET: Mapping[str, str] = _SOURCES["mpnet"]
MINILM: Mapping[str, str] = _SOURCES["minilm"]


def record(
    name: str,
    *,
    kind: str,
    description: str,
    licence: str = "CC BY-SA 4.0",
    sources: Sequence[Mapping[str, str]],
    command: str,
    path: str,
    figures: Mapping[str, Any],
    folder: Path = ASSETS,
) -> None:
    """Add or replace an entry; ``path`` is a file or a folder inside the folder of assets."""
    manifest = folder / "manifest.json"
    data = {"manifest_version": MANIFEST_VERSION, "assets": []}
    if manifest.exists():
        data = json.loads(manifest.read_text(encoding="utf-8"))
    root = folder / path
    files = sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]
    entry = {
        "name": name,
        "kind": kind,
        "description": description,
        "licence": licence,
        "sources": list(sources),
        "command": command,
        "date": datetime.date.today().isoformat(),
        "figures": dict(figures),
        "files": [
            {"path": file.relative_to(folder).as_posix(), "bytes": file.stat().st_size, "sha256": file_checksum(file)}
            for file in files
        ],
    }
    others = [e for e in data["assets"] if e["name"] != name]
    data["assets"] = sorted([*others, entry], key=lambda e: str(e["name"]))
    manifest.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_licences(folder)
