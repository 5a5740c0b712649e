"""`naturalness groups`: describe every feature with its formula, range, direction and source."""

from __future__ import annotations

import argparse
import sys

from naturalness.cli.inputs import print_json
from naturalness.cli.terminal import page_width


def run(args: argparse.Namespace) -> int:
    """Print the descriptions of the features."""
    from naturalness.features import EVERY, resolve
    from naturalness.features.describe import as_rows, as_text

    groups = resolve([name for named in args.groups for name in named] or list(EVERY))
    if args.format == "json":
        print_json(as_rows(groups))
    else:
        sys.stdout.write(as_text(groups, page_width()))
    return 0
