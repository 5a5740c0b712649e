"""`naturalness label`: a table in, the same table with scores out, in a stream."""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

from naturalness.cli.options import add_input_options, positive
from naturalness.cli.progress import progress
from naturalness.cli.scored import NATURALNESS, REASON, add_model_options, columns
from naturalness.data.formats import estimate_rows, location
from naturalness.data.reading import read_batches
from naturalness.data.writing import open_writer

READ = 4
"""Batches of texts that are read, and go to a worker, at once."""


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "label",
        help="score every row of a table",
        description="Score every row of a table (txt, csv, tsv, jsonl, parquet; also .gz "
        "and .zst). "
        "The output has your columns, then naturalness (0..1), label and reason. "
        "Memory stays flat, however many rows there are.",
    )
    parser.add_argument("input", metavar="IN", help="a table, or - for standard input")
    parser.add_argument("output", metavar="OUT", help="a table, or - for standard output (jsonl)")
    add_model_options(parser)
    add_input_options(parser, nlp=False)
    parser.add_argument("--workers", type=positive, default=1, metavar="N",
                        help="processes (1); the output does not depend on it")  # fmt: skip
    parser.add_argument("--force", action="store_true", help="overwrite the output file")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Label the table; 1 where a row has no score."""
    from naturalness.pipelines.label import score_batches
    from naturalness.pipelines.scorer import load_model

    source = location(given.input, given.input_format)
    target = location(given.output, "jsonl" if given.output == "-" else None)
    load_model(given.model, changed_assets=given.changed_assets)  # its errors come before any work
    failures = 0
    batches = read_batches(
        source, text_column=given.text_column, batch_size=READ * given.batch_size
    )
    with (
        open_writer(target, force=given.force) as writer,
        progress("label", total=estimate_rows(source), quiet=given.quiet) as advance,
    ):
        for batch, scores in score_batches(
            batches, given.model, changed_assets=given.changed_assets,
            workers=given.workers, batch_size=given.batch_size,
        ):  # fmt: skip
            added = columns(batch, scores, given.prefix)
            writer.write(batch, added)
            failed = sum(map(math.isnan, added[given.prefix + NATURALNESS]))
            failures += failed
            advance(len(batch.rows), failed)
    if failures:
        sys.stderr.write(
            f"{failures} rows without a score; column {given.prefix + REASON!r} says why\n"
        )
    return int(failures > 0)
