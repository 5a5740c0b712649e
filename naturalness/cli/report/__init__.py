"""`naturalness report`: where a model and raters disagree, or systems and runs differ, and why."""

from __future__ import annotations

from typing import Any

from naturalness.cli.report import change, raters, systems


def add_command(commands: Any) -> None:
    """Add the commands to the parser."""
    parser = commands.add_parser(
        "report",
        help="where a model and raters disagree, or systems and runs differ, and why",
        description="Reports on texts, as pages: a model against people who rated them, the systems that wrote them "
        "beside each other, or two runs of a system.",
        examples=(
            "naturalness report raters rated.csv --model my-model -o report.html",
            "naturalness report systems generated.csv -o systems.html",
            "naturalness report change last-week.csv today.csv -o change.html",
        ),
    )
    actions = parser.add_subparsers(dest="action", metavar="REPORT", required=True)
    for module in (raters, systems, change):
        module.add_command(actions)
