"""`naturalness cite`: how to cite the package, the papers behind it and the data of its models."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from naturalness.cli.options import MODELS, add_model_option


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "cite",
        help="how to cite the package, its papers and the data of its models",
        description="What to cite in work that uses this package: the package itself, the papers "
        "whose methods it implements, and the data, with their licences, that the shipped models and "
        "tables were trained on.",
        examples=("naturalness cite --format bibtex", "naturalness cite --model my-model"),
    )
    parser.add_argument("--format", choices=("text", "bibtex"), default="text", help="output format (default: text)")
    add_model_option(parser, f"cite only what this model uses: {MODELS} (default: everything that ships)", default=None)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the citation."""
    from naturalness.citing import as_bibtex, as_text, cite

    show = as_bibtex if args.format == "bibtex" else as_text
    sys.stdout.write(show(cite(args.model)))
    return 0
