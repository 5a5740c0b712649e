"""`naturalness features`: measure texts and write a table of features."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import Rows, input_batches, output_table, show_json
from naturalness.cli.options import with_parser
from naturalness.cli.progress import progress
from naturalness.data.batch import Batch, check_new_columns
from naturalness.data.formats import STANDARD, estimate_rows
from naturalness.data.writing import Writer, open_writer
from naturalness.judging.fields import REASON

if TYPE_CHECKING:
    from naturalness.features import FeatureGroup


def run(args: argparse.Namespace) -> int:
    """Write the table; return 1 if any row has no values."""
    from naturalness.features import check_requirements, resolve
    from naturalness.features.columns import with_numbers
    from naturalness.text.parsing import pipeline_language

    groups = resolve(with_parser(args.features, args.parser))
    check_requirements(groups, language=pipeline_language(args.nlp))
    rows = input_batches(args)
    rows.batches = with_numbers(rows.batches, groups)
    style = args.format or ("text" if rows.table is None else "csv")
    if args.output in (None, STANDARD) and style in {"text", "json"}:
        failures = _show(rows, groups, args, style)
    else:
        with open_writer(output_table(args, style), force=args.force) as writer:
            failures = _write(rows, groups, args, writer)
    return int(failures > 0 or not rows.count)


def measure(
    batch: Batch, groups: Sequence[FeatureGroup], nlp: str, batch_size: int
) -> tuple[dict[str, list[Any]], int]:
    """Return the new columns of a batch, and the number of rows without values.

    The columns are the features, and the reason for missing values.
    """
    from naturalness.features import column_names, extract, gaps
    from naturalness.features.base import needs_parse
    from naturalness.text.parsing import read_docs, short_memory, unusable

    with short_memory(nlp=nlp):
        parsed = any(map(needs_parse, groups))
        docs = read_docs(batch.texts, nlp=nlp, parsed=parsed, batch_size=batch_size)
        reasons = [p or unusable(doc) for p, doc in zip(batch.problems, docs, strict=True)]
        table = extract(docs, groups)
        partial = gaps(docs, groups)
        del docs
    for row, reason in enumerate(reasons):
        if reason:
            table[row] = math.nan
    columns = dict(zip(column_names(groups), table.T.tolist(), strict=True))
    notes = [reason or gap for reason, gap in zip(reasons, partial, strict=True)]
    return {**columns, REASON: notes}, sum(map(bool, reasons))


def _write(rows: Rows, groups: Sequence[FeatureGroup], args: argparse.Namespace, writer: Writer) -> int:
    """Write the rows; return the number of those without values."""
    failures = 0
    total = None if rows.table is None else estimate_rows(rows.table)
    with progress("features", total=total, quiet=args.quiet) as advance:
        for batch in rows:
            added, failed = measure(batch, groups, args.nlp, args.batch_size)
            writer.write(batch, added)
            failures += failed
            advance(len(batch.rows), failed)
    if failures:
        sys.stderr.write(f"{failures} rows without values; column {REASON!r} says why\n")
    return failures


def _show(batches: Rows, groups: Sequence[FeatureGroup], args: argparse.Namespace, style: str) -> int:
    """Print the rows; return the number of those without values."""
    failures = 0
    shown: list[dict[str, Any]] = []
    for batch in batches:
        added, failed = measure(batch, groups, args.nlp, args.batch_size)
        check_new_columns(batch, added)
        failures += failed
        rows = [row | {name: values[i] for name, values in added.items()} for i, row in enumerate(batch.rows)]
        if style == "text":
            _print_rows(batch, rows, groups)
        else:
            shown += rows
    if style == "json":
        show_json(shown)
    return failures


def _print_rows(batch: Batch, rows: Sequence[dict[str, Any]], groups: Sequence[FeatureGroup]) -> None:
    """Print a table for every four texts."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from naturalness.features import GAP, feature_names

    console = Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())
    # Captured, then written: a closed pipe (head) is then an error that we can catch.
    console.begin_capture()
    for start in range(0, len(rows), 4):
        chunk = rows[start : start + 4]
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("feature", no_wrap=True)
        for index, row in enumerate(chunk, start=start):
            number = batch.first_row + index + 1
            shown = " ".join(batch.texts[index].split())
            short = shown if len(shown) <= 60 else shown[:57] + "..."
            console.print(f"[{number}] {short or '(empty)'}", markup=False)
            if row[REASON]:
                partial = row[REASON].startswith(GAP)
                note = row[REASON] if partial else f"no values: {row[REASON]}"
                console.print(f"    {note}", markup=False)
            table.add_column(f"\\[{number}]", justify="right")
        table.add_column("a higher value means", overflow="fold")
        for group in groups:
            table.add_section()
            for name, feature in zip(feature_names(group), group.features, strict=True):
                values = [row[name] for row in chunk]
                cells = ["–" if v != v else f"{v:.4g}" for v in values]
                table.add_row(escape(name), *cells, escape(feature.direction))
        console.print(table)
    sys.stdout.write(console.end_capture())
