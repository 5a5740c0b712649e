"""The command lines of training scripts and benchmarks: folders by position, the module's docstring as help."""

from __future__ import annotations

import argparse
from pathlib import Path


def command_parser(about: str | None, *folders: str) -> argparse.ArgumentParser:
    """Return a parser with a positional path for each name."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in folders:
        parser.add_argument(name, type=Path)
    return parser
