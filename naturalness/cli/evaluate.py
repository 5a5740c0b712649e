"""`naturalness evaluate`: how well a model agrees with raters and, in a report, where they disagree."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note, print_json, table_of
from naturalness.cli.options import open_store
from naturalness.cli.progress import stages
from naturalness.cli.rated import options_of
from naturalness.cli.results import number, show_results
from naturalness.cli.terminal import print_table
from naturalness.pipelines.rated import describe_store

if TYPE_CHECKING:
    from naturalness.reports.evaluation import Evaluation


def run(args: argparse.Namespace) -> int:
    """Evaluate a model and print the figures; return 1 if repeating the training protocol gives other figures."""
    from naturalness.reports.evaluation import evaluate

    store = open_store(args.store)
    options = {name: getattr(args, name) for name in ("output", "force", "jobs")}
    with stages() as progress:
        result = evaluate(
            table_of(args.table, args.input_format),
            args.model,
            by=[column for columns in args.by for column in columns],
            store=store,
            progress=progress,
            **options,
            **options_of(args),
        )
    note(describe_store(store, result.n_stored, result.n_read))
    _print(result, args)
    return int(result.reproduced is False)


def _print(result: Evaluation, args: argparse.Namespace) -> None:
    """Print a result in the requested format, and notes on it on standard error."""
    note(result.notes)
    if args.format == "json":
        print_json(result.data())
    else:
        show(result)
        sys.stdout.write(f"written: {' and '.join(args.output)}\n" if args.output else "")
    if result.training is not None:
        outcome = "the same figures as" if result.reproduced else "figures that differ from those"
        note([f"this is the training table: the protocol was repeated, with {outcome} in {args.model}"])


def show(result: Evaluation) -> None:
    """Print the figures with their intervals, and the conclusions of the report."""
    from naturalness.pipelines.evaluation import FIGURE_TITLES

    if result.training is not None:
        show_results(result.training)
    else:
        figures = result.figures.items()
        rows = [[FIGURE_TITLES.get(name, name), *map(number, (it.value, it.low, it.high))] for name, it in figures]
        print_table(("", "value", "from", "to"), [rows])
    if result.phenomena:
        rows = [
            [name, *map(number, (it.value, it.low, it.high)), f"{it.pairs:,}"] for name, it in result.phenomena.items()
        ]
        print_table(("pairs ordered correctly", "value", "from", "to", "pairs"), [rows])
    sys.stdout.writelines(f"{line}\n" for line in result.lines())
