"""`naturalness lm train`: train an n-gram language model."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from naturalness.cli.corpora import corpus
from naturalness.cli.inputs import note, print_json
from naturalness.cli.progress import stages


def run(args: argparse.Namespace) -> int:
    """Train the model, and print a summary of it."""
    from naturalness.models.language.training import Recipe, check_recipe, train_language_model

    recipe = Recipe(args.units, args.least, args.order, args.size, nlp=args.nlp)
    check_recipe(recipe)
    with corpus(args.corpus, args) as texts, stages() as report:
        summary = train_language_model(
            texts, Path(args.output), recipe, total=texts.total, force=args.force, report=report
        )
    note(summary["notes"])
    if args.format == "json":
        print_json(summary)
    else:
        _print(summary, recipe.kind, args.output)
    return 0


def _print(summary: dict[str, Any], kind: str, folder: str) -> None:
    sizes = ", ".join(f"{n:,}" for n in summary["n_grams"])
    sys.stdout.write(
        f"{summary['sentences']:,} sentences, {summary['tokens']:,} {kind}, "
        f"{summary['vocabulary']:,} different that occur {summary['least']} times or more\n"
        f"n-grams by length: {sizes}\n"
        f"saved in {folder}\n"
    )
