"""`naturalness assets`: list the shipped assets, and write sample tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from naturalness.data.writing import check_writable
from naturalness.files.resources import assets_folder, load_manifest
from naturalness.files.storage import write_whole

FOLDER = Path(__file__).parents[1] / "data" / "samples"


def run_list(args: argparse.Namespace) -> int:
    """Print the manifest of the shipped assets, under their folder."""
    sys.stdout.write(f"{assets_folder()}\n\n")
    for asset in load_manifest().values():
        sys.stdout.write(
            f"{asset.name}  {asset.size / 1e6:.1f} MB  {asset.kind}, {asset.date}\n"
            f"  {asset.description}\n"
            f"  licence: {asset.licence}\n"
            f"  sources: {'; '.join(source['name'] for source in asset.sources)}\n"
            f"  rebuilt by: {asset.command}\n\n"
        )
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
