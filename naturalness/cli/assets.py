"""`naturalness assets`: list and verify the shipped assets, and write sample tables."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from naturalness.cli.inputs import show_json
from naturalness.data.writing import check_writable
from naturalness.errors import UnknownName
from naturalness.files.resources import Asset, again, assets_folder, load_manifest, problems
from naturalness.files.storage import write_whole

FOLDER = Path(__file__).parents[1] / "data" / "samples"


def run_list(args: argparse.Namespace) -> int:
    """Print the manifest of the shipped assets."""
    manifest = load_manifest()
    if args.format == "json":
        show_json([{k: v for k, v in asdict(asset).items() if k != "folder"} for asset in manifest.values()])
        return 0
    folder = assets_folder()
    sys.stdout.write(f"{folder}\n")
    for asset in manifest.values():
        if asset.folder != folder:
            folder = asset.folder
            sys.stdout.write(f"\n{folder}\n")
        sys.stdout.write(
            f"\n{asset.name}  {asset.size / 1e6:.1f} MB  {asset.kind}, {asset.date}\n"
            f"  {asset.description}\n"
            f"  licence: {asset.licence}\n"
            f"  sources: {'; '.join(source['name'] for source in asset.sources)}\n"
            f"  rebuilt by: {asset.command}\n"
        )
        for name, value in asset.figures.items():
            sys.stdout.write(f"  {name}: {_figure(value)}\n")
    return 0


def run_sample(args: argparse.Namespace) -> int:
    """Write a sample table."""
    path = Path(args.output or f"{args.name}.csv")
    check_writable(path, force=args.force)
    table = (FOLDER / f"{args.name}.csv").read_bytes()
    write_whole(path, table, mode=0o644)
    rows = table.count(b"\n") - 1
    sys.stderr.write(f"{rows} rows written to {str(path)!r}\n")
    return 0


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value)


def run_verify(args: argparse.Namespace) -> int:
    """Verify the checksums of assets; return 1 if any asset is missing or damaged."""
    manifest = load_manifest()
    for name in args.name:
        if name not in manifest:
            raise UnknownName("asset", name, manifest)
    damaged: dict[Path, None] = {}
    for name in args.name or manifest:
        wrong = report(manifest[name])
        if wrong:
            damaged[manifest[name].folder] = None
        sys.stdout.write(f"{name}: {wrong or 'ok'}\n")
    for folder in damaged:
        sys.stderr.write(f"{again(folder)}\n")
    return int(bool(damaged))


def report(asset: Asset) -> str:
    """Return the problems with an asset on one line; empty if there are none."""
    return "; ".join(problems(asset))
