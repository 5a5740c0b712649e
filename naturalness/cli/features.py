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
from naturalness.cli.terminal import line_of
from naturalness.data.batch import Batch
from naturalness.errors import counted
from naturalness.judging.fields import REASON, typed

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
    failures = f"{counted(rows.failures, 'row')} without values; column {REASON!r} says why"
    note([failures] * (rows.failures > 0 and not shown))
    return int(rows.failed)


def _measured(
    rows: Rows, groups: Sequence[FeatureGroup], nlp: str, *, quiet: bool
) -> Iterator[tuple[Batch, dict[str, Sequence[Any]]]]:
    """Yield batches with their new columns (features and the reason for missing values), and count failed rows."""
    with progress("features", total=rows.total, quiet=quiet) as advance:
        for batch in rows:
            columns, failures = measure(batch, groups, nlp)
            yield batch, {name: typed(name, values) for name, values in columns.items()}
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
    """Print a line for each feature of each text: its value, and what a higher value means."""
    from naturalness.features import GAP, column_names

    meanings = [feature.direction for group in groups for feature in group.features]
    names = column_names(groups)
    width = max(map(len, names), default=0)
    for i, text in enumerate(batch.texts):
        sys.stdout.write(f"[{batch.first_row + i + 1}] {line_of(text) or '(empty)'}\n")
        if reason := added[REASON][i]:
            sys.stdout.write(f"    {reason if reason.startswith(GAP) else f'no values: {reason}'}\n")
        for name, meaning in zip(names, meanings, strict=True):
            value = added[name][i]
            sys.stdout.write(f"    {name:{width}}{'–' if value != value else f'{value:.4g}':>11}  {meaning}\n")
