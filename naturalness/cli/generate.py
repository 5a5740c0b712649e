"""`naturalness generate`: make unnatural sentences from a corpus."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import input_table, output_table
from naturalness.cli.options import add_input_options, add_output_options, add_seed, names, positive
from naturalness.cli.progress import progress
from naturalness.data.batch import Batch
from naturalness.data.writing import open_writer
from naturalness.errors import TableError

if TYPE_CHECKING:
    from naturalness.research.generating.corpus import Recipe

FORMATS = ("jsonl", "csv", "tsv")
METHODS: Mapping[str, str] = {
    "errors": "damage sentences by kind: agreement, articles, word order …",
    "sequence": "glue sequences of the corpus together",
    "pos": "find likely words for drawn sequences of part-of-speech tags",
    "supertag": "find likely words for drawn sequences of supertags",
    "cfg": "draw trees from a treebank grammar",
}
POOLS: Mapping[str, int] = {"sequence": 12_000, "pos": 2_400, "supertag": 1_500, "cfg": 1_800}
"""Copies of the constants in `generating.corpus`, so that the command line starts quickly."""
OF_METHODS = ("kinds", "damages", "sizes", "length", "pool", "treebank")
"""Options of some methods only."""
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "errors": (
        "naturalness generate errors corpus.txt -n 200 -o damaged.csv",
        "naturalness generate errors corpus.txt --kinds agreement,article --damages 1-3 -o two-kinds.jsonl",
    ),
    "sequence": ("naturalness generate sequence corpus.txt -n 200 --sizes 2,4,8 -o glued.csv",),
    "pos": ("naturalness generate pos corpus.txt -n 200 --length 12 -o pos.jsonl",),
    "supertag": ("naturalness generate supertag corpus.txt -n 200 --seed 7 -o supertag.jsonl",),
    "cfg": ("naturalness generate cfg corpus.txt -n 200 --treebank trees.mrg.gz -o cfg.jsonl",),
}


def add_command(commands: Any) -> None:
    """Add the commands to the parser."""
    parser = commands.add_parser(
        "generate",
        help="make unnatural sentences: damaged ones, or ones put together from a corpus",
        description="Make unnatural sentences from the sentences of a corpus: damaged ones (errors), or ones by the "
        "methods of Mutton et al. (2007), which put texts together.",
        examples=tuple(examples[0] for examples in EXAMPLES.values()),
    )
    actions = parser.add_subparsers(dest="method", metavar="METHOD", required=True)
    for method, meaning in METHODS.items():
        _add_method(actions, method, meaning)


def _add_method(actions: Any, method: str, meaning: str) -> None:
    description = f"{meaning[0].upper()}{meaning[1:]}. CORPUS is a table, or - for standard input."
    parser = actions.add_parser(method, help=meaning, description=description, examples=EXAMPLES[method])
    add = parser.add_argument
    add("corpus", metavar="CORPUS", help="table of sentences, or -")
    add("-n", type=positive, default=1000, metavar="N", help="number of texts to make (default: 1000)")
    add_seed(add)
    if method == "errors":
        _add_errors(add)
    else:
        _add_drawing(add, method)
    add_input_options(parser)
    add_output_options(parser, FORMATS, "jsonl")
    parser.set_defaults(run=run)


def _add_errors(add: Callable[..., Any]) -> None:
    add("--kinds", type=names, metavar="A,B", help="kinds of damage (default: all)")
    add(
        "--damages",
        type=number_range,
        default=(1, 1),
        metavar="A-B",
        help="damages per text; 0-4 makes a graded set (default: 1)",
    )


def _add_drawing(add: Callable[..., Any], method: str) -> None:
    if method == "sequence":
        add(
            "--sizes",
            type=sizes,
            default=[1, 2, 4, 8],
            metavar="A,B",
            help="tokens per piece, with n texts for each size (default: 1,2,4,8)",
        )
    add("--length", type=positive, default=24, metavar="N", help="tokens per text (default: 24)")
    parsed = "; every third is parsed" if method == "cfg" else ""
    add(
        "--pool",
        type=positive,
        metavar="N",
        help=f"sentences of the corpus to draw words from, sampled evenly{parsed} (default: {POOLS[method]})",
    )
    if method == "cfg":
        add(
            "--treebank",
            type=Path,
            metavar="FILE",
            help="trees in Penn brackets for the grammar (also .gz), instead of the corpus's own",
        )


def number_range(value: str) -> tuple[int, int]:
    """Read a number or a range: ``3`` or ``1-4``."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", value)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if low > high:
        raise argparse.ArgumentTypeError(f"expected a number or a range like 1-4, found {value!r}")
    return low, high


def sizes(value: str) -> list[int]:
    """Read a list of whole numbers above 0."""
    return [positive(part) for part in names(value)]


def recipe_of(args: argparse.Namespace) -> Recipe:
    """Return the settings of generation from the options."""
    from naturalness.research.generating.corpus import Recipe

    # A method has options of its own; the rest of the recipe is as it is without them.
    named = {name: getattr(args, name) for name in OF_METHODS if getattr(args, name, None) is not None}
    return Recipe(
        method=args.method,
        n=args.n,
        seed=args.seed,
        text_column=args.text_column,
        nlp=args.nlp,
        batch_size=args.batch_size,
        **named,
    )


def run(args: argparse.Namespace) -> int:
    """Generate the texts, and write each as it is made."""
    from naturalness.research.generating.corpus import generate

    table = input_table(args.corpus, args.input_format)
    if table is None:
        raise TableError(f"no file {args.corpus!r}; expected a corpus: txt, csv, tsv, jsonl, parquet")
    out, recipe = output_table(args, args.format or "jsonl"), recipe_of(args)
    with open_writer(out, force=args.force) as writer:
        # The corpus is read here, with progress bars of its own; rows are made one by one below.
        batches = generate(table, recipe, lambda stage, total: progress(stage, total=total, quiet=args.quiet))
        with progress(args.method, total=recipe.total, quiet=args.quiet) as advance:
            for rows in batches:
                columns = list(rows[0])
                if out.format != "jsonl":
                    rows = [row | {"damages": json.dumps(row["damages"])} for row in rows]
                writer.write(Batch(columns, rows, [""] * len(rows), []), {})
                advance(len(rows))
    return 0
