"""`naturalness groups`: describe every feature: formula, range, direction and source."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import OUTPUT_FORMATS, names
from naturalness.data.batch import Batch
from naturalness.data.formats import STANDARD, location
from naturalness.data.writing import open_writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from naturalness.features import FeatureGroup


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "groups",
        help="describe the features: formula, range, direction, source",
        description="Describe the features that texts can be measured by, group by group: formula, range, what a "
        "higher value means, what several sentences get, when it is undefined, and the source.",
        examples=(
            "naturalness groups",
            "naturalness groups lexical damage",
            "naturalness groups word_lm__perplexity --format json",
        ),
    )
    parser.add_argument(
        "groups", nargs="*", type=names, metavar="GROUP", help="groups, or single columns of theirs (default: all)"
    )
    parser.add_argument("--format", choices=OUTPUT_FORMATS, default="text", help="output format (default: text)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the descriptions."""
    from naturalness.features import EVERY, resolve

    _show(resolve([name for named in args.groups for name in named] or list(EVERY)), args.format)
    return 0


def _show(groups: Sequence[FeatureGroup], style: str) -> None:
    from naturalness.features.describe import as_markdown, as_rows

    if style == "text":
        sys.stdout.write(as_markdown(groups))
    elif style == "json":
        sys.stdout.write(json.dumps(as_rows(groups), ensure_ascii=False, indent=2) + "\n")
    else:
        rows = as_rows(groups)
        batch = Batch(list(rows[0]), [dict(row) for row in rows], [""] * len(rows), [])
        with open_writer(location(STANDARD, style)) as writer:
            writer.write(batch, {})
