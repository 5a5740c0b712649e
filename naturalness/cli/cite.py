"""`naturalness cite`: print how to cite the package, the papers behind it and the data of its models."""

from __future__ import annotations

import argparse
import sys


def run(args: argparse.Namespace) -> int:
    """Print the citation."""
    from naturalness.citing import as_bibtex, as_text, cite

    show = as_bibtex if args.format == "bibtex" else as_text
    sys.stdout.write(show(cite(args.model)))
    return 0
