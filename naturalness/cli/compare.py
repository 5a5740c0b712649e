"""`naturalness compare`: which metric correlates best with human ratings, with what uncertainty, and on which texts."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note, print_json, table_of
from naturalness.cli.options import open_store
from naturalness.cli.progress import stages
from naturalness.cli.rated import options_of
from naturalness.pages.output import check_pages, write_pages
from naturalness.pipelines.planning import cores

if TYPE_CHECKING:
    from naturalness.reports.metrics.result import Comparison


def run(args: argparse.Namespace) -> int:
    """Compare metrics, print the result and write the page."""
    from naturalness.reports.metrics.result import ComparisonSettings
    from naturalness.reports.metrics.tables import compare_table

    check_pages(args.output, force=args.force)
    by = list(dict.fromkeys(column for columns in args.by for column in columns))
    with stages() as progress:
        result = compare_table(
            table_of(args.table, args.input_format),
            models=args.model,
            by=by,
            settings=ComparisonSettings(
                bands=args.bands, resamples=args.resamples, seed=args.seed, jobs=args.jobs or cores()
            ),
            store=open_store(None),
            progress=progress,
            note=note,
            **{name: getattr(args, name) for name in ("metrics", "scores", "lower_scores", "system_column")},
            **options_of(args),
        )
    _print(args, result, by)
    return 0


def resamples(value: str) -> int:
    """Read a number of resamples; refuse one that is too small for an interval."""
    from naturalness.statistics.bootstrap import MIN_RESAMPLES

    if not value.isdecimal() or int(value) < MIN_RESAMPLES:
        raise argparse.ArgumentTypeError(f"expected a whole number, {MIN_RESAMPLES} or more, found {value!r}")
    return int(value)


def _print(args: argparse.Namespace, result: Comparison, by: list[str]) -> None:
    """Print the result of a comparison, and write the output files: pages or, as JSON, all data."""
    from naturalness.cli.results import show_comparison
    from naturalness.reports.metrics.page import make_page
    from naturalness.reports.metrics.result import everything, reasons_in_lines, table_of

    write_pages(args.output, lambda: make_page(result, name=Path(args.table).name), lambda: everything(result))
    if args.format == "json":
        print_json(table_of(result))
        note(reasons_in_lines(result.left_out))
        return
    show_comparison(result, by)
    if args.output:
        sys.stdout.write(f"written: {' and '.join(args.output)}\n")
