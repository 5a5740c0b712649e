"""`naturalness cite`: how to cite the package, the papers behind it and the data of its models."""

from __future__ import annotations

import argparse
import sys
from typing import Any


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "cite",
        help="how to cite the package, its papers and the data of its models",
        description="What a piece of work with this package rests on: the package, the papers "
        "whose methods it has, and the data, with their licences, that the shipped models and "
        "tables learned from.",
    )
    parser.add_argument("--format", choices=("text", "bibtex"), default="text", help="shape of the output (text)")
    parser.add_argument(
        "--model", metavar="MODEL", help="only what this model reads: default, fast or a folder (all that ships)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the citation."""
    from naturalness.citing import as_bibtex, as_text, cite

    show = as_bibtex if args.format == "bibtex" else as_text
    sys.stdout.write(show(cite(args.model)))
    return 0
