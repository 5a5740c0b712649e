"""Write an asset's entry into the manifest of its folder, and its licence file."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness.files.resources import file_checksum, short_checksum
from training.arguments import INPUTS
from training.licences import write_licences
from training.tables import read_table

ASSETS = Path(__file__).parents[1] / "naturalness" / "models" / "assets" / "en"
PROCESSOR = Path("/proc/cpuinfo")
INSTRUCTIONS = ("avx2", "avx512f", "avx512_vnni", "amx_int8")
"""Instruction sets on which speeds and last digits depend: networks use some that spaCy does not."""
OUTPUTS = (":(top,exclude)*/assets/*", ":(top,exclude)training/reader/columns.npz")
"""What training writes, as pathspecs of git."""
CORPORA: Sequence[Mapping[str, str]] = read_table(__file__, "sources.toml")["corpora"]


def record(
    name: str, figures: Mapping[str, Any], *, sources: Sequence[Mapping[str, str]] | None = None, folder: Path = ASSETS
) -> None:
    """Write figures, date, files and origin of a rebuilt asset into its entry, and its ``sources`` if they may have
    changed.

    Everything else, from kind to command, is written in the manifest by hand. Every script's seed is 0 unless its
    command says otherwise.
    """
    entries = {
        "date": datetime.date.today().isoformat(),
        "built": {
            "seed": 0,
            "commit": commit(),
            "machine": f"{processor()}; {os.cpu_count()} cores",
            "inputs": {argument: contents_checksum(path) for argument, path in INPUTS.items()},
        },
        "figures": dict(figures),
    }
    update(name, folder, entries | ({"sources": list(sources)} if sources else {}))


def update(name: str, folder: Path, entries: Mapping[str, Any]) -> None:
    """Write entries of an asset, and the sizes and checksums of its files, into the manifest and the licence file."""
    manifest = folder / "manifest.json"
    data = json.loads(manifest.read_text(encoding="utf-8"))
    (entry,) = [entry for entry in data["assets"] if entry["name"] == name]
    root = folder / Path(entry["files"][0]["path"]).parts[0]
    files = sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]
    entry |= entries
    entry["files"] = [
        {"path": file.relative_to(folder).as_posix(), "bytes": file.stat().st_size, "sha256": file_checksum(file)}
        for file in files
    ]
    manifest.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_licences(folder)


def commit() -> str:
    """Return the commit of the code, marked if anything but `OUTPUTS` has changed, or "unknown" outside a clone."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", *OUTPUTS)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + "-dirty" * bool(changed)


def _git(*command: str) -> str:
    return subprocess.run(("git", *command), cwd=ASSETS, capture_output=True, text=True, check=True).stdout.strip()


def processor() -> str:
    """Return the processor's name and, on Linux, which of `INSTRUCTIONS` it has."""
    if not PROCESSOR.is_file():
        return platform.processor()
    rows = (line.partition(":") for line in PROCESSOR.read_text(encoding="utf-8").split("\n"))
    fields = {key.strip(): value.strip() for key, _, value in rows}
    has = set(fields.get("flags", "").split())
    return ", ".join([fields.get("model name", ""), *(flag for flag in INSTRUCTIONS if flag in has)])


def contents_checksum(path: Path) -> str:
    """Return a short checksum of a file, or of all files of a folder and their names."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return short_checksum(f"{file.relative_to(path).as_posix()}:{file_checksum(file)};" for file in files)


def figures_of(name: str) -> Mapping[str, Any]:
    """Return the figures of an asset's entry."""
    data = json.loads((ASSETS / "manifest.json").read_text(encoding="utf-8"))
    return next(entry["figures"] for entry in data["assets"] if entry["name"] == name)
