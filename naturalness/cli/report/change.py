"""`naturalness report change`: what got better and worse between two runs; no ratings needed."""

from __future__ import annotations

import argparse
from typing import Any

from naturalness.cli.options import add_system_column
from naturalness.cli.report.unrated import add_unrated_options, report_on


def add_command(actions: Any) -> None:
    """Add the command to the parser."""
    parser = actions.add_parser(
        "change",
        help="what got better and worse between two runs",
        description="Compare two runs of a system, or of several: whether the texts sound more or less natural than "
        "before, why, and which changed most. Needs no ratings.",
        examples=(
            "naturalness report change last-week.csv today.csv -o change.html",
            "naturalness report change old.csv new.csv --id-column id --fail-if-worse --quiet",
        ),
    )
    add = parser.add_argument
    add("before", metavar="OLD", help="the table of the older run")
    add("table", metavar="NEW", help="the table of the newer run")
    add("--fail-if-worse", action="store_true", help="exit with 1 if the mean fell and its interval excludes 0")
    add_system_column(add, "none")
    add_unrated_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain all texts, print the changes, and write the pages; return 1 if ``--fail-if-worse`` applies."""
    report = report_on(args, args.table, before=args.before, by=args.system_column or "")
    return int(args.fail_if_worse and report.runs is not None and report.runs.is_worse)
