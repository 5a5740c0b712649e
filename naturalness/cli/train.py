"""`naturalness train`: train, evaluate and save a model on rated texts."""

from __future__ import annotations

import argparse
import sys

from naturalness.cli.inputs import note, print_json, table_of
from naturalness.cli.options import argument, open_store
from naturalness.cli.progress import stages
from naturalness.cli.rated import options_of
from naturalness.cli.results import show_results
from naturalness.pipelines.planning import threshold

OPTIONS = ("learner", "start", "select", "threshold", "nlp", "repeats", "folds", "seed", "jobs", "force")
"""Options that are arguments of `naturalness.train`."""

threshold_or_metric = argument(threshold)


def run(args: argparse.Namespace) -> int:
    """Train, evaluate and save a model, and print its figures."""
    from naturalness.pipelines.training import train

    with stages() as report:
        figures = train(
            table_of(args.table, args.input_format),
            args.output,
            features=args.features,
            store=open_store(args.store),
            progress=report,
            note=note,
            **{name: getattr(args, name) for name in OPTIONS},
            **options_of(args),
        )
    if args.format == "json":
        print_json(figures)
    else:
        show_results(figures)
        sys.stdout.write(f"saved in {args.output}: see card.md and report.html\n")
    return 0
