"""`generate`: make unnatural sentences from a corpus."""

from __future__ import annotations

import argparse

from naturalness.cli.inputs import input_table, note_written, output_table
from naturalness.cli.options import names, positive
from naturalness.cli.progress import progress
from naturalness.data.batch import Batch
from naturalness.data.writing import open_writer
from naturalness.errors import TableError

OF_METHODS = {
    "sequence": ("sizes", "length", "pool"),
    "pos": ("length", "pool"),
    "supertag": ("length", "pool"),
    "cfg": ("length", "pool"),
}
"""The options of each method; the recipe has their defaults."""


def sizes(value: str) -> list[int]:
    """Read a list of positive integers."""
    return [positive(part) for part in names(value)]


def run(args: argparse.Namespace) -> int:
    """Generate the texts, and write each one as soon as it is generated."""
    from naturalness_replication.generating.corpus import GenerationRecipe, generate

    named = {name: getattr(args, name) for names in OF_METHODS.values() for name in names}
    named = {name: value for name, value in named.items() if value is not None}
    if others := [f"--{name}" for name in named if name not in OF_METHODS[args.method]]:
        raise TableError(f"{', '.join(others)}: no option of {args.method}; leave it out")
    table = input_table(args.corpus, args.input_format)
    if table is None:
        raise TableError(f"no file {args.corpus!r}; expected a corpus: txt, csv, tsv, jsonl, parquet")
    out = output_table(args, args.format or "jsonl")
    recipe = GenerationRecipe(
        method=args.method, n=args.n, seed=args.seed, text_column=args.text_column, nlp=args.nlp, **named
    )
    count = 0
    with open_writer(out, force=args.force) as writer:
        # Reading the corpus has its own progress bars; the bar below counts generated rows.
        batches = generate(table, recipe, lambda stage, total: progress(stage, total=total))
        with progress(args.method, total=recipe.total) as advance:
            for rows in batches:
                writer.write(Batch(list(rows[0]), rows, [""] * len(rows), []), {})
                advance(len(rows))
                count += len(rows)
    note_written(count, "row", args)
    return 0
