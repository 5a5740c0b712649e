"""`naturalness label`: add scores to a table, one row at a time."""

from __future__ import annotations

import argparse
import sys

from naturalness.cli.inputs import note, report_no_rows, table_of
from naturalness.cli.progress import progress
from naturalness.data.formats import STANDARD

OPTIONS = (
    *("model", "fields", "metrics", "register", "score_anyway", "text_column", "prefix"),
    *("batch_size", "jobs", "resume", "force"),
)
"""The options that are arguments of `labelling.tables.label`."""


def run(args: argparse.Namespace) -> int:
    """Label the table; return 1 if a row has no score."""
    from naturalness.labelling.tables import label

    totals = label(
        source := table_of(args.input, args.input_format),
        args.output or STANDARD,
        **{name: getattr(args, name) for name in OPTIONS},
        watch=progress,
        note=note,
    )
    if not totals.rows:
        report_no_rows(source)
    else:
        sys.stderr.write(f"{totals}\n")
    return int(totals.failed)
