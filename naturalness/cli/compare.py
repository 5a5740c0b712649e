"""`naturalness compare`: which metric correlates best with human ratings, with what uncertainty, and on which texts."""

from __future__ import annotations

import argparse

from naturalness.cli.inputs import note, print_json, table_of
from naturalness.cli.options import open_store
from naturalness.cli.progress import stages
from naturalness.cli.rated import options_of
from naturalness.cli.results import show_comparison
from naturalness.pipelines.planning import cores

OPTIONS = ("metrics", "scores", "lower_scores", "system_column")


def run(args: argparse.Namespace) -> int:
    """Compare metrics and print the result."""
    from naturalness.reports.metrics.compare import compare_table

    by = list(dict.fromkeys(column for columns in args.by for column in columns))
    with stages() as progress:
        result = compare_table(
            table_of(args.table, args.input_format),
            models=args.model,
            by=by,
            jobs=args.jobs or cores(),
            store=open_store(None),
            progress=progress,
            **{name: getattr(args, name) for name in OPTIONS},
            **options_of(args),
        )
    note(result.notes)
    if args.format == "json":
        print_json(result.data())
        note(result.left_out)
    else:
        show_comparison(result, by)
    return 0
