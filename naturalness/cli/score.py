"""`naturalness score`: how natural sentences sound."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import emit, input_batches
from naturalness.cli.options import INDENT, min_score_of
from naturalness.cli.progress import progress
from naturalness.cli.terminal import line_of
from naturalness.data.batch import Batch
from naturalness.errors import printable
from naturalness.judging.fields import (
    ALWAYS,
    LABEL,
    NATURALNESS,
    NO_LABEL,
    NO_VOICE,
    OVERALL,
    PERCENTILE,
    REASON,
    REGISTER,
    VOICE,
)
from naturalness.pages.formats import decimal

if TYPE_CHECKING:
    from naturalness.judging.judgement import Judgement
    from naturalness.metrics import Metric
    from naturalness.pipelines.scorer import NaturalnessModel


def run(args: argparse.Namespace) -> int:
    """Print scores; return 1 if a text has none, or is below --min-score or --min-voice."""
    from naturalness.pipelines.scorer import load_model

    rows = input_batches(args)
    model = load_model(args.model, score_anyway=args.score_anyway)
    metrics: Sequence[Metric] = ()
    if args.metrics:
        from naturalness.labelling.job import distinct, metrics_of_texts

        metrics = metrics_of_texts(args.metrics)
        distinct([*ALWAYS, *(metric.name for metric in metrics)])
    min_score, min_voice = min_score_of(args, model) or 0.0, args.min_voice or 0.0
    failures = 0

    def judged() -> Iterator[tuple[Batch, dict[str, list[Any]], list[str]]]:
        nonlocal failures
        # On a terminal the printed scores themselves show the progress.
        hidden = rows.table is None or (args.output is None and sys.stdout.isatty())
        with progress("score", total=rows.total, quiet=hidden) as advance:
            for batch in rows:
                added, lines = _judge(model, batch, metrics, args)
                values, voices = added[args.prefix + NATURALNESS], added[args.prefix + VOICE]
                # A comparison with NaN is false, so a text without a score fails too, but not one without a voice.
                failures += sum(not x >= min_score or y < min_voice for x, y in zip(values, voices, strict=True))
                yield batch, added, lines
                advance(len(values), sum(map(math.isnan, values)))

    emit(judged(), args, args.format or "text", partial(_print, prefix=args.prefix))
    return rows.code(failures)


def _judge(
    model: NaturalnessModel, batch: Batch, metrics: Sequence[Metric], args: argparse.Namespace
) -> tuple[dict[str, list[Any]], list[str]]:
    """Return the new columns of a batch, and the lines printed below each text; each text is read once.

    A row that cannot be read has no values, only the reason.
    """
    parts = model.judge(
        batch.texts,
        lambda judgement: _answers(model, judgement, metrics, args.explain),
        parsed=bool(metrics) or args.explain,
        register=args.register,
    )
    columns: dict[str, list[Any]] = {}
    for name in parts[0][0] if parts else ALWAYS:
        values = columns[args.prefix + name] = [value for added, _ in parts for value in added[name]]
        for row, problem in enumerate(batch.problems):
            if problem and name == REASON:
                values[row] = problem
            elif problem and name != REGISTER:
                values[row] = math.nan if isinstance(values[row], float) else ""
    return columns, [line for _, lines in parts for line in lines]


def _answers(
    model: NaturalnessModel, judgement: Judgement, metrics: Sequence[Metric], explained: bool
) -> tuple[dict[str, Sequence[Any]], list[str]]:
    """Return the columns of a judgement, and the lines printed below each text."""
    scores = judgement.scores
    columns: dict[str, Sequence[Any]] = {
        NATURALNESS: scores.naturalness.tolist(),
        VOICE: scores.voice.tolist(),
        LABEL: [label or "" for label in scores.labels],
        REASON: scores.all_reasons,
    }
    if scores.standings:
        columns[REGISTER] = [standing.register for standing in scores.standings]
        columns[PERCENTILE] = [standing.percentile for standing in scores.standings]
        columns[OVERALL] = judgement.overall
    columns |= {name: values.tolist() for name, values in scores.axes.items()}
    lines = [""] * len(scores.texts)
    if scores.standings or scores.axes:
        from naturalness.explaining.wording import beside

        for i in range(len(lines)):
            standing = scores.standings[i] if scores.standings else None
            said = beside(standing, {name: values[i] for name, values in scores.axes.items()})
            lines[i] = "".join(f"{INDENT}{line}\n" for line in said)
    if explained:
        from naturalness.cli.explained import why_columns, why_lines

        explanations = model.explain(judgement)
        columns |= why_columns(explanations)
        lines = [line + why_lines(explanation) for line, explanation in zip(lines, explanations, strict=True)]
    if metrics:
        from naturalness.labelling.job import metric_columns

        values = dict(zip((metric.name for metric in metrics), metric_columns(metrics, judgement.docs), strict=True))
        columns |= values
        lines = [_metrics_line(values, i) + line for i, line in enumerate(lines)]
    return columns, lines


def _metrics_line(metrics: dict[str, list[float]], i: int) -> str:
    """Return the line of metrics printed below a text; empty if no metrics are requested."""
    shown = "; ".join(
        f"{name} {'–' if math.isnan(values[i]) else format(values[i], '.4g')}" for name, values in metrics.items()
    )
    return f"{INDENT}{shown}\n" if shown else ""


def _print(batch: Batch, added: dict[str, list[Any]], below: list[str], prefix: str) -> None:
    """Print each text with its score, label and voice (or why it has no score), followed by its lines in ``below``."""
    for i, text in enumerate(batch.texts):
        naturalness, voice, label, reason = (added[prefix + name][i] for name in ALWAYS)
        scored = not math.isnan(naturalness)
        note = f"{printable(label or NO_LABEL):<10}  voice {decimal(voice, 2):<4}" if scored else f"({reason})"
        line = f"{decimal(naturalness):>5}  {note:<10}  {line_of(text)}\n"
        sys.stdout.write(line.rstrip() + "\n" + below[i])
        if reason not in ("", NO_VOICE) and scored and reason not in below[i]:
            sys.stdout.write(f"{INDENT}{reason}\n")
