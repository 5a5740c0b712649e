"""`naturalness score`: how natural sentences sound."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import Rows, emit, input_batches
from naturalness.cli.progress import progress
from naturalness.cli.terminal import line_of
from naturalness.data.batch import Batch
from naturalness.errors import printable
from naturalness.judging.fields import (
    ALWAYS,
    FIT,
    NATURALNESS,
    NO_LABEL,
    NO_VOICE,
    OVERALL,
    PERCENTILE,
    REGISTER,
    SOUND,
    VOICE,
    typed,
)
from naturalness.pages.formats import decimal

if TYPE_CHECKING:
    from naturalness.labelling.scorer import Columns, OpenedScorer

INDENT = " " * 7
"""Indentation of lines below the score line of a text."""


def run(args: argparse.Namespace) -> int:
    """Print scores; return 1 if a text has none, or is below --min-score or --min-voice."""
    from naturalness.labelling.scorer import Scorer

    rows = input_batches(args)
    scorer = Scorer(args.model, register=args.register, metrics=args.metrics, score_anyway=args.score_anyway).open()
    minima = {
        NATURALNESS: scorer.model.minimum(args.min_score, args.false_alarms, args.register) or 0.0,
        VOICE: args.min_voice or 0.0,
    }
    emit(_scored(scorer, rows, minima, args), args, args.format or "text", partial(_print, scorer))
    return int(rows.failed)


def _scored(
    scorer: OpenedScorer, rows: Rows, minima: dict[str, float], args: argparse.Namespace
) -> Iterator[tuple[Batch, dict[str, Sequence[Any]], Columns]]:
    """Yield batches with their new columns, whose names have the prefix, and the same columns without it."""
    from naturalness.labelling.scorer import with_problems

    # On a terminal the printed scores themselves show the progress.
    hidden = rows.table is None or (args.output is None and sys.stdout.isatty())
    with progress("score", rows.total, quiet=hidden) as advance:
        for batch in rows:
            columns = with_problems(scorer(batch.texts), batch.problems)
            values, voices = columns[NATURALNESS], columns[VOICE]
            # A comparison with NaN is false, so a text without a score fails too, but not one without a voice.
            rows.failures += sum(
                not x >= minima[NATURALNESS] or y < minima[VOICE] for x, y in zip(values, voices, strict=True)
            )
            yield batch, {args.prefix + name: typed(name, added) for name, added in columns.items()}, columns
            advance(len(values), sum(map(math.isnan, values)))


def _print(scorer: OpenedScorer, batch: Batch, added: object, columns: Columns) -> None:
    """Print each text with its score, label and voice (or why it has no score), followed by further figures."""
    for i, text in enumerate(batch.texts):
        row = {name: values[i] for name, values in columns.items()}
        naturalness, voice, label, reason = (row[name] for name in ALWAYS)
        scored = not math.isnan(naturalness)
        note = f"{printable(label or NO_LABEL):<10}  voice {decimal(voice, 2):<4}" if scored else f"({reason})"
        sys.stdout.write(f"{decimal(naturalness):>5}  {note:<10}  {line_of(text)}".rstrip() + "\n")
        metrics = {metric.name: row[metric.name] for metric in scorer.metrics}
        figures = [f"{name} {'–' if math.isnan(x) else format(x, '.4g')}" for name, x in metrics.items()]
        lines = ["; ".join(figures), *_beside(row), reason if scored and reason != NO_VOICE else ""]
        sys.stdout.writelines(f"{INDENT}{line}\n" for line in lines if line)


def _beside(row: dict[str, Any]) -> list[str]:
    """Return the position of a score in its register and the axes of an adapted model, in words."""
    axes = {name: row[name] for name in (SOUND, FIT) if name in row}
    if REGISTER not in row and not axes:
        return []
    # Imported here, because most scores need no words.
    from naturalness.explaining.wording import beside
    from naturalness.judging.people import Standing

    standing = Standing(row[REGISTER], row[NATURALNESS], row[OVERALL], row[PERCENTILE]) if REGISTER in row else None
    return beside(standing, axes)
