"""`naturalness generate`: make unnatural sentences from a corpus."""

from __future__ import annotations

import argparse
import json
import re

from naturalness.cli.inputs import input_table, note_written, output_table
from naturalness.cli.options import names, positive
from naturalness.cli.progress import progress
from naturalness.data.batch import Batch
from naturalness.data.writing import open_writer
from naturalness.errors import TableError

OF_METHODS = ("kinds", "damages", "sizes", "length", "pool")
"""Options that only some methods accept."""


def number_range(value: str) -> tuple[int, int]:
    """Read a number or a range: ``3`` or ``1-4``."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", value)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if low > high:
        raise argparse.ArgumentTypeError(f"expected a number or a range like 1-4, found {value!r}")
    return low, high


def sizes(value: str) -> list[int]:
    """Read a list of positive integers."""
    return [positive(part) for part in names(value)]


def run(args: argparse.Namespace) -> int:
    """Generate the texts, and write each one as soon as it is generated."""
    from naturalness.research.generating.corpus import Recipe, generate

    table = input_table(args.corpus, args.input_format)
    if table is None:
        raise TableError(f"no file {args.corpus!r}; expected a corpus: txt, csv, tsv, jsonl, parquet")
    out = output_table(args, args.format or "jsonl")
    # Options of other methods are not set; the recipe's defaults apply.
    named = {name: getattr(args, name) for name in OF_METHODS if getattr(args, name, None) is not None}
    recipe = Recipe(method=args.method, n=args.n, seed=args.seed, text_column=args.text_column, nlp=args.nlp, **named)
    count = 0
    with open_writer(out, force=args.force) as writer:
        # Reading the corpus has its own progress bars; the bar below counts generated rows.
        batches = generate(table, recipe, lambda stage, total: progress(stage, total=total))
        with progress(args.method, total=recipe.total) as advance:
            for rows in batches:
                columns = list(rows[0])
                if out.format != "jsonl":
                    rows = [row | {"damages": json.dumps(row["damages"])} for row in rows]
                writer.write(Batch(columns, rows, [""] * len(rows), []), {})
                advance(len(rows))
                count += len(rows)
    note_written(count, "row", args)
    return 0
