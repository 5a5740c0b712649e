"""`naturalness features`: measure texts and write a table of features."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import Rows, emit, input_batches, is_shown, note
from naturalness.cli.progress import progress
from naturalness.data.batch import Batch
from naturalness.judging.fields import REASON

if TYPE_CHECKING:
    from naturalness.features import FeatureGroup


def run(args: argparse.Namespace) -> int:
    """Write the table; return 1 if any row has no values."""
    from naturalness.features import check_requirements, resolve
    from naturalness.text.parsing import pipeline_language

    groups = resolve(args.features)
    check_requirements(groups, language=pipeline_language(args.nlp))
    rows = input_batches(args)
    style = args.format or ("text" if rows.table is None else "csv")
    shown = is_shown(args, style)
    emit(_measured(rows, groups, args.nlp, quiet=shown), args, style, partial(_print_rows, groups=groups))
    note([f"{rows.failures} rows without values; column {REASON!r} says why"] * (rows.failures > 0 and not shown))
    return rows.code(rows.failures)


def _measured(
    rows: Rows, groups: Sequence[FeatureGroup], nlp: str, *, quiet: bool
) -> Iterator[tuple[Batch, dict[str, list[Any]]]]:
    """Yield batches with their new columns (features and the reason for missing values), and count failed rows."""
    with progress("features", total=rows.total, quiet=quiet) as advance:
        for batch in rows:
            columns, failures = measure(batch, groups, nlp)
            yield batch, columns
            rows.failures += failures
            advance(len(batch.rows), failures)


def measure(batch: Batch, groups: Sequence[FeatureGroup], nlp: str) -> tuple[dict[str, list[Any]], int]:
    """Return the new columns of a batch, and the number of rows that have no values."""
    from naturalness.features import column_names
    from naturalness.features.base import needs_parse
    from naturalness.features.measuring import measure_docs
    from naturalness.text.parsing import read_docs, short_memory

    with short_memory(nlp=nlp):
        docs = read_docs(batch.texts, nlp=nlp, parsed=any(map(needs_parse, groups)))
        measured = measure_docs(docs, groups)
        del docs
    reasons = [problem or reason for problem, reason in zip(batch.problems, measured.reasons, strict=True)]
    for row, reason in enumerate(reasons):
        if reason:
            measured.table[row] = math.nan
    columns = dict(zip(column_names(groups), measured.table.T.tolist(), strict=True))
    notes = [reason or gap for reason, gap in zip(reasons, measured.gaps, strict=True)]
    return {**columns, REASON: notes}, sum(map(bool, reasons))


def _print_rows(batch: Batch, added: dict[str, list[Any]], groups: Sequence[FeatureGroup]) -> None:
    """Print the features in tables of up to four texts each."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from naturalness.features import GAP, feature_names

    console = Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())
    # Captured first and then written, so that a closed pipe (head) raises an error that is handled.
    console.begin_capture()
    for start in range(0, len(batch.texts), 4):
        chunk = range(start, min(start + 4, len(batch.texts)))
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("feature", no_wrap=True)
        for index in chunk:
            number = batch.first_row + index + 1
            shown = " ".join(batch.texts[index].split())
            short = shown if len(shown) <= 60 else shown[:57] + "..."
            console.print(f"[{number}] {short or '(empty)'}", markup=False)
            if reason := added[REASON][index]:
                said = reason if reason.startswith(GAP) else f"no values: {reason}"
                console.print(f"    {said}", markup=False)
            table.add_column(f"\\[{number}]", justify="right")
        table.add_column("a higher value means", overflow="fold")
        for group in groups:
            table.add_section()
            for name, feature in zip(feature_names(group), group.features, strict=True):
                values = [added[name][index] for index in chunk]
                cells = ["–" if v != v else f"{v:.4g}" for v in values]
                table.add_row(escape(name), *cells, escape(feature.direction))
        console.print(table)
    sys.stdout.write(console.end_capture())
