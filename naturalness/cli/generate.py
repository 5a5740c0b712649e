"""`naturalness generate`: unnatural sentences from a corpus."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from naturalness.cli.inputs import input_table, output_table
from naturalness.cli.making import METHODS, POOLS
from naturalness.cli.options import add_input_options, add_output_options, names, positive
from naturalness.cli.progress import progress
from naturalness.data.reading import Batch
from naturalness.data.writing import open_writer
from naturalness.errors import TableError

FORMATS = ("jsonl", "csv", "tsv")


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "generate",
        help="make unnatural sentences: damaged ones, or words of a corpus put together",
        description="Make unnatural sentences from the sentences of CORPUS (a table, or - for "
        "standard input). 'errors' damages sentences by kind; the others put words together, as "
        "Mutton et al. (2007) did: 'sequence' glues corpus sequences, 'pos' and 'supertag' find "
        "likely words for tags drawn by their pairs, 'cfg' draws trees of a treebank grammar.",
    )
    parser.add_argument("corpus", metavar="CORPUS", help="table of sentences, or -")
    parser.add_argument("--method", choices=tuple(METHODS), required=True, help="how texts are made")
    parser.add_argument("-n", type=positive, default=1000, metavar="N", help="texts to make (1000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, other texts (0)")
    parser.add_argument("--kinds", type=names, metavar="A,B", help="errors: kinds of damage (all)")
    parser.add_argument(
        "--damages",
        type=number_range,
        default=(1, 1),
        metavar="A-B",
        help="errors: how many per text, 0-4 for a graded set (1)",
    )
    parser.add_argument(
        "--sizes",
        type=sizes,
        default=[1, 2, 4, 8],
        metavar="A,B",
        help="sequence: tokens per piece (1,2,4,8); n texts for each",
    )
    parser.add_argument("--length", type=positive, default=24, metavar="N", help="all but errors: tokens per text (24)")
    sample = ", ".join(f"{method} {n}" for method, n in POOLS.items())
    parser.add_argument(
        "--pool",
        type=positive,
        metavar="N",
        help="all but errors: sentences of the corpus to draw words from, evenly "
        f"sampled ({sample}, of which every third is parsed)",
    )
    parser.add_argument(
        "--treebank",
        metavar="FILE",
        help="cfg: trees in Penn brackets (.gz too) for the grammar, in place of the corpus's own",
    )
    add_input_options(parser)
    add_output_options(parser, FORMATS)
    parser.set_defaults(run=run)


def number_range(value: str) -> tuple[int, int]:
    """``3`` or ``1-4``."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", value)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if low > high:
        raise argparse.ArgumentTypeError(f"expected a number or a range like 1-4, found {value!r}")
    return low, high


def sizes(value: str) -> list[int]:
    """A list of positive numbers."""
    return [positive(part) for part in names(value)]


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    table = input_table(args.corpus, args.input_format)
    if table is None:
        raise TableError(f"no file {args.corpus!r}; give a corpus: txt, csv, tsv, jsonl, parquet")
    for option, method in (("treebank", "cfg"), ("kinds", "errors")):
        if getattr(args, option) and args.method != method:
            raise TableError(f"--{option} is for --method {method}; leave it out")
    out = output_table(args, args.format or "jsonl")
    total = args.n * (len(args.sizes) if args.method == "sequence" else 1)
    with open_writer(out, force=args.force) as writer:
        # The corpus is read here, with a progress bar of its own; rows are made one by one below.
        batches = METHODS[args.method](table, args)
        with progress(args.method, total=total, quiet=args.quiet) as advance:
            for rows in batches:
                columns = list(rows[0])
                if out.format != "jsonl":
                    rows = [row | {"damages": json.dumps(row["damages"])} for row in rows]
                writer.write(Batch(columns, rows, [""] * len(rows), []), {})
                advance(len(rows))
    return 0
