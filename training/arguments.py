"""The command lines of training scripts and benchmarks: folders by position, the module's docstring as help."""

from __future__ import annotations

import argparse
from pathlib import Path


def command_parser(about: str | None, *folders: str, work: bool = False) -> argparse.ArgumentParser:
    """Return a parser with a positional path for each name; ``work`` adds a folder, which is made."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in folders:
        parser.add_argument(name, type=Path)
    if work:
        parser.add_argument("--work", type=made, required=True, help="keeps what the next run needs")
    return parser


def made(text: str) -> Path:
    """Return the folder of this name, which is made."""
    folder = Path(text)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
