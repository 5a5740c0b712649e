"""`naturalness lm train`: train an n-gram language model."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.corpora import add_corpus_options, report_unreadable, texts_of
from naturalness.cli.options import add_jobs, positive
from naturalness.cli.progress import stages

if TYPE_CHECKING:
    from naturalness.models.language.training.train import Recipe

UNITS = ("words", "pieces", "tags")
TOOLS = ("auto", "lmplz", "own")


def add_command(actions: Any) -> None:
    """Add the command to the parser."""
    parser = actions.add_parser(
        "train",
        help="train a model on texts",
        description="Train an n-gram model (interpolated modified Kneser-Ney) on a table of texts, "
        "one sentence each: txt, csv, tsv, jsonl, parquet; also .gz and .zst; - for standard "
        "input.",
        examples=(
            "naturalness lm train corpus.txt -o my-lm",
            "naturalness lm train corpus.txt --units pieces --order 4 -o my-pieces",
        ),
    )
    parser.add_argument("corpus", metavar="CORPUS", help="table of texts, one sentence each")
    add_corpus_options(parser.add_argument)
    _add_model(parser)
    _add_estimate(parser)
    add_jobs(parser.add_argument, "processes for tokenising (default: 1); the model does not depend on it", default=1)
    parser.set_defaults(run=run)


def _add_model(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("units").add_argument
    add("--units", choices=UNITS, help="words, word pieces or Penn tags (default: words)")
    add(
        "--pieces",
        type=positive,
        metavar="N",
        help="learn N word pieces from the texts (default: use the shipped ones, so that models can be mixed)",
    )
    add(
        "--least",
        type=positive,
        default=2,
        metavar="N",
        help="how often a unit must occur to be known; the others count as one (default: 2)",
    )


def _add_estimate(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("n-grams").add_argument
    add("--order", type=positive, default=5, metavar="N", help="length of the longest n-grams, 2 to 6 (default: 5)")
    add(
        "--prune",
        type=counts,
        default=(),
        metavar="0,A,B,…",
        help="for each order, the count up to which n-grams are left out; the last also holds for longer ones "
        "(default: none)",
    )
    add(
        "--size", type=positive, metavar="N", help="keep at most N n-grams of two or more units: those that matter most"
    )
    add(
        "--tool",
        choices=TOOLS,
        default="auto",
        help="estimate with KenLM's lmplz, which is faster, or with this package (own); auto uses lmplz "
        "if it is on the PATH and --size is not given (default: auto)",
    )
    add(
        "--bits",
        type=positive,
        metavar="N",
        help="round probabilities to 2 ** N different values, usually 8, for a smaller file "
        "(needs KenLM's build_binary)",
    )
    add("--no-arpa", action="store_true", help="do not write model.arpa, which is large and meant for other programs")


def counts(value: str) -> tuple[int, ...]:
    """Read whole numbers separated by commas."""
    parts = value.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"expected counts such as 0,0,1, found {value!r}")
    return tuple(int(part) for part in parts)


def run(args: argparse.Namespace) -> int:
    """Train the model; print what it contains."""
    from naturalness.models.language.training.train import check_recipe, train_language_model

    recipe = _recipe(args)
    check_recipe(recipe)
    texts = texts_of(args.corpus, args)
    try:
        with stages(quiet=args.quiet) as report:
            summary = train_language_model(
                texts,
                Path(args.output),
                recipe,
                name=args.name or "",
                total=texts.total,
                jobs=args.jobs,
                force=args.force,
                report=report,
            )
    finally:  # skipped rows may be why it failed
        report_unreadable(texts, args)
    if not args.quiet:
        sys.stderr.writelines(f"{note}\n" for note in summary["notes"])
    if args.format == "json":
        sys.stdout.write(json.dumps(summary, indent=1, ensure_ascii=False) + "\n")
    else:
        _print(summary, recipe.kind, args.output)
    return 0


def _recipe(args: argparse.Namespace) -> Recipe:
    from naturalness.models.language.training.estimating import Estimating
    from naturalness.models.language.training.train import Recipe

    return Recipe(
        kind=args.units or ("pieces" if args.pieces else "words"),
        least=args.least,
        pieces=args.pieces,
        estimating=Estimating(
            order=args.order, prune=args.prune, size=args.size, tool=args.tool, bits=args.bits, arpa=not args.no_arpa
        ),
        nlp=args.nlp,
    )


def _print(summary: dict[str, Any], kind: str, folder: str) -> None:
    sizes = ", ".join(f"{n:,}" for n in summary["n_grams"])
    tool = "lmplz" if summary["tool"] == "lmplz" else "this package"
    sys.stdout.write(
        f"{summary['sentences']:,} sentences, {summary['tokens']:,} {kind}, "
        f"{summary['vocabulary']:,} different that occur {summary['least']} times or more\n"
        f"n-grams by length: {sizes} (estimated by {tool})\n"
        f"saved in {folder}\n"
    )
