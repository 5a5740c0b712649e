"""A manifest of small assets, as training writes it."""

from __future__ import annotations

import json
from pathlib import Path

from naturalness.files.resources import MANIFEST_VERSION, file_checksum


def write_manifest(folder: Path, **files: str) -> None:
    """Write the manifest of assets, each of which is a file or a folder."""
    entries = []
    for name, file in files.items():
        path = folder / file
        paths = sorted(path.iterdir()) if path.is_dir() else [path]
        entries.append(
            {
                "name": name,
                "kind": "table",
                "description": "",
                "licence": "CC0",
                "sources": [],
                "command": "make",
                "date": "2026-01-01",
                "files": [
                    {
                        "path": path.relative_to(folder).as_posix(),
                        "bytes": path.stat().st_size,
                        "sha256": file_checksum(path),
                    }
                    for path in paths
                ],
            }
        )
    manifest = {"manifest_version": MANIFEST_VERSION, "assets": entries}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
