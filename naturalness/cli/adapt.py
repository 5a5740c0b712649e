"""`naturalness adapt`: adapt a model to human-written texts of one kind, without ratings."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from naturalness.cli.corpora import report_unreadable, texts_of
from naturalness.cli.options import (
    FROM_HINT,
    add_folder_output,
    add_jobs,
    add_quiet,
    add_result_format,
    add_seed,
    add_table_options,
)
from naturalness.cli.progress import stages


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "adapt",
        help="adapt a model to texts of one kind, without ratings",
        description="Learn what is usual in texts of one kind, from 200 to a million of them by people, and save a "
        "model that judges by it: how sound a text is (as the model that it is adapted from says), how well it fits "
        "the kind, and one score of both. Every command that takes a model takes it.",
        examples=(
            "naturalness adapt replies.txt -o my-replies",
            "naturalness adapt replies.csv --against generated.csv -o my-replies",
        ),
        instead=dict.fromkeys(("--model", "--fast"), FROM_HINT),
    )
    add = parser.add_argument
    add("corpus", metavar="TEXTS", help="texts by people: a table (txt, csv, tsv, jsonl, parquet), or -")
    add_folder_output(add)
    add("--against", metavar="TEXTS", help="texts that the kind is to be told from, such as a generator's")
    add(
        "--from",
        dest="start",
        default="default",
        metavar="MODEL",
        help="the model that knows what is sound: default, fast, large, or a linear one of your own of two "
        "labels (default: default)",
    )
    add_table_options(add)
    add_seed(add)
    add_jobs(add)
    add_result_format(add)
    add_quiet(add)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Adapt a model, save it, and print its accuracy."""
    from naturalness.adapting.adapt import Plan, adapt
    from naturalness.pipelines.planning import cores

    texts = texts_of(args.corpus, args)
    others = texts_of(args.against, args) if args.against else None
    try:
        with stages(quiet=args.quiet) as report:
            figures = adapt(
                texts,
                Path(args.output),
                Plan(args.start, args.seed),
                against=others or (),
                force=args.force,
                jobs=args.jobs or cores(),
                report=report,
            )
    finally:  # skipped rows may be why it failed
        for read in filter(None, (texts, others)):
            report_unreadable(read, args)
    if args.format == "json":
        sys.stdout.write(json.dumps(figures, indent=1) + "\n")
        return 0
    auc = figures["auc"]
    sys.stdout.write(
        f"{figures['texts']:,} texts: {figures['taught_tags']:,} taught their parts of speech, "
        f"{figures['measured']:,} others their norms\n"
        f"told apart from damaged copies (AUC): sound {auc['sound']:.3f}, fit {auc['fit']:.3f}, "
        f"both {auc['naturalness']:.3f}\n"
        f"saved in {args.output}: see card.md\n"
    )
    return 0
