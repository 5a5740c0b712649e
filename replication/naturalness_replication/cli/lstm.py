"""`lstm`: train the LSTM of the SLOR paper to accompany an n-gram model."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from naturalness.cli.corpora import corpus
from naturalness.cli.inputs import print_json
from naturalness.cli.progress import stages


def run(args: argparse.Namespace) -> int:
    """Train the model, and print its perplexity."""
    from naturalness_replication.lstm.recipe import LstmRecipe
    from naturalness_replication.lstm.train import train_lstm

    recipe = LstmRecipe(
        width=args.width,
        layers=args.layers,
        epochs=args.epochs,
        limit=args.limit_vocabulary,
        seed=args.seed,
        threads=args.jobs,
        nlp=args.nlp,
    )
    recipe.check()
    other = corpus(args.held_out, args) if args.held_out else nullcontext()
    with corpus(args.corpus, args) as texts, other as held_out, stages() as report:
        summary = train_lstm(
            texts,
            Path(args.output),
            args.beside,
            recipe,
            held_out=held_out,
            name=args.name or "",
            total=texts.total,
            force=args.force,
            report=report,
        )
    if args.format == "json":
        print_json(summary)
    else:
        _print(summary, args)
    return 0


def _print(summary: dict[str, Any], args: argparse.Namespace) -> None:
    held = summary["held_out"]
    shared = held["shared"]
    curve = " ".join(f"{look['held_out']:.0f}" for look in summary["curve"])
    worth = f"LSTM {shared['network']:.1f}"
    if "counts" in shared:
        worth += f", {args.beside} {shared['counts']:.1f}"
    sys.stdout.write(
        f"{summary['sentences']:,} sentences, {summary['tokens']:,} units; the "
        f"{summary['vocabulary']:,} most frequent are known, {summary['parameters']:,} parameters\n"
        f"perplexity on held-out text, pass by pass in quarters: {curve}\n"
        f"{held['sentences']:,} held-out sentences, {held['unknown']:.1%} of their units not known "
        f"to the LSTM; perplexity on the others: {worth}\n"
        f"saved in {args.output}\n"
    )
