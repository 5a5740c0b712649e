"""`naturalness report systems`: compare the systems that wrote texts; no ratings needed."""

from __future__ import annotations

import argparse

from naturalness.cli.report.unrated import report_on


def run(args: argparse.Namespace) -> int:
    """Explain all texts, print which systems differ, and write the pages."""
    report_on(args, args.table, by=args.system_column or "system")
    return 0
