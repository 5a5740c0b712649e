"""`naturalness generate`: make unnatural sentences from a corpus."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import input_table, output_table
from naturalness.cli.options import add_input_options, add_output_options, add_seed, names, positive
from naturalness.cli.progress import progress
from naturalness.data.batch import Batch
from naturalness.data.writing import open_writer
from naturalness.errors import TableError

if TYPE_CHECKING:
    from naturalness.generating.corpus import Recipe

FORMATS = ("jsonl", "csv", "tsv")
METHODS = ("errors", "sequence", "pos", "supertag", "cfg")
POOLS = "sequence 12000, pos 2400, supertag 1500, cfg 1800"
"""These two repeat what stands in `generating.corpus`, so that the command line starts quickly."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "generate",
        help="make unnatural sentences: damaged ones, or ones put together from a corpus",
        description="Make unnatural sentences from the sentences of CORPUS (a table, or - for "
        "standard input). 'errors' damages sentences by kind; the other methods are those of "
        "Mutton et al. (2007): 'sequence' glues sequences of the corpus, 'pos' and 'supertag' find "
        "likely words for drawn sequences of tags, 'cfg' draws trees from a treebank grammar.",
        examples=(
            "naturalness generate corpus.txt --method errors -n 200 -o damaged.csv",
            "naturalness generate corpus.txt --method sequence -n 200 -o glued.csv",
        ),
    )
    add = parser.add_argument
    add("corpus", metavar="CORPUS", help="table of sentences, or -")
    add("--method", choices=METHODS, required=True, help="how to make texts")
    add("-n", type=positive, default=1000, metavar="N", help="number of texts to make (default: 1000)")
    add_seed(add)
    add("--kinds", type=names, metavar="A,B", help="errors: kinds of damage (default: all)")
    add(
        "--damages",
        type=number_range,
        default=(1, 1),
        metavar="A-B",
        help="errors: damages per text; 0-4 makes a graded set (default: 1)",
    )
    add(
        "--sizes",
        type=sizes,
        default=[1, 2, 4, 8],
        metavar="A,B",
        help="sequence: tokens per piece, with n texts for each size (default: 1,2,4,8)",
    )
    add(
        "--length", type=positive, default=24, metavar="N", help="all methods but errors: tokens per text (default: 24)"
    )
    add(
        "--pool",
        type=positive,
        metavar="N",
        help="all methods but errors: sentences of the corpus to draw words from, sampled evenly; "
        f"cfg parses every third (default: {POOLS})",
    )
    add(
        "--treebank",
        metavar="FILE",
        help="cfg: trees in Penn brackets for the grammar (also .gz), instead of the corpus's own",
    )
    add_input_options(parser)
    add_output_options(parser, FORMATS, "jsonl")
    parser.set_defaults(run=run)


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
    """Return which texts the options ask for."""
    from naturalness.generating.corpus import Recipe

    return Recipe(
        method=args.method,
        n=args.n,
        seed=args.seed,
        kinds=args.kinds,
        damages=args.damages,
        sizes=args.sizes,
        length=args.length,
        pool=args.pool,
        treebank=Path(args.treebank) if args.treebank else None,
        text_column=args.text_column,
        nlp=args.nlp,
        batch_size=args.batch_size,
    )


def run(args: argparse.Namespace) -> int:
    """Make the texts and write them as they come."""
    from naturalness.generating.corpus import generate

    table = input_table(args.corpus, args.input_format)
    if table is None:
        raise TableError(f"no file {args.corpus!r}; expected a corpus: txt, csv, tsv, jsonl, parquet")
    for option, method in (("treebank", "cfg"), ("kinds", "errors")):
        if getattr(args, option) and args.method != method:
            raise TableError(f"--{option} is for --method {method}; leave it out")
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
