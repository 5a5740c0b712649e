"""`naturalness report systems`: compare the systems that wrote texts; no ratings needed."""

from __future__ import annotations

import argparse
from typing import Any

from naturalness.cli.options import add_system_column
from naturalness.cli.report.unrated import add_unrated_options, report_on


def add_command(actions: Any) -> None:
    """Add the command to the parser."""
    parser = actions.add_parser(
        "systems",
        help="the systems that wrote texts, beside each other",
        description="Compare the systems that wrote texts: how natural each sounds, with intervals, where they differ, "
        "why, and the worst texts of each. Needs no ratings.",
        examples=(
            "naturalness report systems generated.csv -o systems.html",
            "naturalness report systems generated.csv --system-column engine --fast -o systems.html -o systems.json",
        ),
    )
    parser.add_argument("table", metavar="TABLE", help="texts with a column of the systems that wrote them")
    add_system_column(parser.add_argument, "system")
    add_unrated_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain all texts, print which systems differ, and write the pages."""
    report_on(args, args.table, by=args.system_column or "system")
    return 0
