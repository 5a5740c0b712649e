"""`naturalness report change`: what got better and worse between two runs; no ratings needed."""

from __future__ import annotations

import argparse

from naturalness.cli.report.unrated import report_on


def run(args: argparse.Namespace) -> int:
    """Explain all texts, print the changes, and write the pages; return 1 if ``--fail-if-worse`` applies."""
    report = report_on(args, args.table, before=args.before, by=args.system_column or "")
    return int(args.fail_if_worse and report.runs is not None and report.runs.is_worse)
