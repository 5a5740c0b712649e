"""Parse the command lines of training scripts and benchmarks: positional paths, help from the module's docstring."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

HELP = {
    "--work": "keeps tables, scores and finished parts between runs, and has ratings by folds",
    "--detector": "folder of another detector",
}


INPUTS: dict[str, Path] = {}
"""What the running command reads, by the names of its arguments; `training.manifest.record` writes its checksums."""


def command_parser(about: str | None, *folders: str, work: bool = False) -> argparse.ArgumentParser:
    """Return a parser with a path for each name, optional if it starts with dashes (see `HELP`); ``work`` makes
    ``--work`` required. The work folder is created if missing.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in folders:
        parser.add_argument(name, type=made if name == "--work" else partial(_input, name), help=HELP.get(name))
    if work:
        parser.add_argument("--work", type=made, required=True, help="keeps what the next run needs")
    return parser


def _input(name: str, text: str) -> Path:
    INPUTS[name] = Path(text)
    return INPUTS[name]


def made(text: str) -> Path:
    """Return the folder of this name, created if missing."""
    folder = Path(text)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
