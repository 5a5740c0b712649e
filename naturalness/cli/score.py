"""`naturalness score`: how natural sentences sound."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import Rows, add_texts, input_batches, output_table, show_json
from naturalness.cli.options import (
    INDENT,
    OUTPUT_FORMATS,
    add_input_options,
    add_metrics_option,
    add_model_options,
    add_output_options,
    add_threshold_options,
    min_score_of,
)
from naturalness.cli.progress import Advance, progress
from naturalness.cli.terminal import line_of
from naturalness.data.batch import Batch, check_new_columns
from naturalness.data.formats import STANDARD, estimate_rows
from naturalness.data.writing import open_writer
from naturalness.labelling.fields import LABEL, NATURALNESS, OVERALL, PERCENTILE, REASON, REGISTER

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel, Scores


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "score",
        help="score how natural texts sound, from 0 to 1",
        description="Score texts. INPUT is a text, several texts, a table "
        "(txt, csv, tsv, jsonl, parquet; also .gz and .zst) or - for standard input.",
        examples=(
            'naturalness score "She gave to her brother old the book."',
            "naturalness score texts.csv --text-column sentence -o scored.csv",
            "naturalness score corpus.txt --fast --min-score 0.3",
            'naturalness score "The minister has resigned." --register news',
        ),
    )
    add_texts(parser)
    add_model_options(parser)
    add_input_options(parser, nlp=False)
    add_threshold_options(parser, "exit with 1 if a text scores below X")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="also say why: the strongest causes and the surest finding; in tables, as the columns "
        "cause, why, low, high, unlike",
    )
    add_metrics_option(parser.add_argument)
    add_output_options(parser, OUTPUT_FORMATS, "text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print scores; return 1 if a text has none, or scores below --min-score."""
    from naturalness.features.columns import with_numbers
    from naturalness.pipelines.scorer import load_model

    rows = input_batches(args)
    model = load_model(args.model, changed_assets=args.changed_assets)
    rows.batches = with_numbers(rows.batches, model.groups)
    measure = _metrics(args)
    min_score = min_score_of(args, model) or 0.0
    failed = False
    shown: list[dict[str, Any]] = []

    def judged() -> Any:
        nonlocal failed
        with _progress(args, rows) as advance:
            for batch in rows:
                added, lines = _judge(model, batch, args)
                measured = measure(batch)
                added |= {args.prefix + name: values for name, values in measured.items()}
                values = added[args.prefix + NATURALNESS]
                lines = [_line(measured, i) + line for i, line in enumerate(lines)]
                # A comparison with NaN is false, so a text without a score fails too.
                failed |= any(not value >= min_score for value in values)
                yield batch, added, lines
                advance(len(values), sum(map(math.isnan, values)))

    style = args.format or "text"
    if args.output in (None, STANDARD) and style in ("text", "json"):
        for batch, added, lines in judged():
            check_new_columns(batch, added)
            if style == "text":
                _print(batch, added, lines, args.prefix)
            else:
                shown += [row | {name: values[i] for name, values in added.items()} for i, row in enumerate(batch.rows)]
        if style == "json":
            show_json(shown)
    else:
        with open_writer(output_table(args, style), force=args.force) as writer:
            for batch, added, _ in judged():
                writer.write(batch, added)
    return int(failed or not rows.count)


def _progress(args: argparse.Namespace, rows: Rows) -> AbstractContextManager[Advance]:
    """Show a bar for a table whose scores go elsewhere; on a terminal they show the progress."""
    total = None if rows.table is None else estimate_rows(rows.table)
    hidden = args.quiet or rows.table is None or (args.output is None and sys.stdout.isatty())
    return progress("score", total=total, quiet=hidden)


def _judge(model: NaturalnessModel, batch: Batch, args: argparse.Namespace) -> tuple[dict[str, list[Any]], list[str]]:
    """Return the new columns of a batch, and what is printed below the line of each text."""
    if not args.explain:
        scores = model.score(batch.texts, batch_size=args.batch_size, register=args.register)
        return _columns(batch, scores, args.prefix), [_people_line(scores, i) for i in range(len(batch.texts))]
    from naturalness.cli.explained import scores_of, why_columns, why_lines

    explained = model.explain(batch.texts, batch_size=args.batch_size, register=args.register)
    scores = scores_of(explained)
    lines = [_people_line(scores, i) + why_lines(explanation) for i, explanation in enumerate(explained)]
    return _columns(batch, scores, args.prefix) | why_columns(explained, args.prefix), lines


def _metrics(args: argparse.Namespace) -> Callable[[Batch], dict[str, list[float]]]:
    """Return what measures the metrics of a batch; a row with a problem of its own has none."""
    if not args.metrics:
        return lambda batch: {}
    from naturalness.labelling.job import Job, Labeller

    label = Labeller(
        Job(args.model, args.changed_assets, fields=(), metrics=tuple(args.metrics), batch_size=args.batch_size)
    )

    def measure(batch: Batch) -> dict[str, list[float]]:
        return {
            name: [math.nan if problem else value for problem, value in zip(batch.problems, values, strict=True)]
            for name, values in label(batch.texts).items()
        }

    return measure


def _people_line(scores: Scores, i: int) -> str:
    """Return the lines that say where a score stands among those of people, and how well a text fits its kind."""
    from naturalness.explaining.wording import beside

    standing = scores.standings[i] if scores.standings else None
    lines = beside(standing, {name: values[i] for name, values in scores.axes.items()})
    return "".join(f"{INDENT}{line}\n" for line in lines)


def _line(metrics: dict[str, list[float]], i: int) -> str:
    """Return the line of metrics below that of a text; empty without metrics."""
    shown = "; ".join(
        f"{name} {'–' if math.isnan(values[i]) else format(values[i], '.4g')}" for name, values in metrics.items()
    )
    return f"{INDENT}{shown}\n" if shown else ""


def _columns(batch: Batch, scores: Scores, prefix: str) -> dict[str, list[Any]]:
    """Return the new columns of a batch; a problem of a row itself becomes its reason."""
    problems = batch.problems
    return {
        prefix + NATURALNESS: [
            float("nan") if problem else value for problem, value in zip(problems, scores.naturalness, strict=True)
        ],
        prefix + LABEL: [
            "" if problem or label is None else label for problem, label in zip(problems, scores.labels, strict=True)
        ],
        prefix + REASON: [p or why for p, why in zip(problems, scores.reasons, strict=True)],
        **{prefix + name: values for name, values in _standings(problems, scores).items()},
        **{
            prefix + name: [math.nan if problem else value for problem, value in zip(problems, values, strict=True)]
            for name, values in scores.axes.items()
        },
    }


def _standings(problems: Sequence[str], scores: Scores) -> dict[str, list[Any]]:
    """Return what is judged in which register, and without it; NaN for a row with a problem of its own."""
    if not scores.standings:
        return {}
    pairs = list(zip(problems, scores.standings, strict=True))
    return {
        REGISTER: [standing.register for _, standing in pairs],
        PERCENTILE: [math.nan if problem else standing.percentile for problem, standing in pairs],
        OVERALL: [math.nan if problem else standing.overall for problem, standing in pairs],
    }


def _print(batch: Batch, added: dict[str, list[Any]], below: list[str], prefix: str) -> None:
    """Print a line per text: score, label, text; the reason replaces a missing score, or follows below."""
    for i, text in enumerate(batch.texts):
        reason, value = added[prefix + REASON][i], added[prefix + NATURALNESS][i]
        note = f"({reason})" if math.isnan(value) else added[prefix + LABEL][i]
        score = "–" if math.isnan(value) else f"{value:.3f}"
        line = line_of(text)
        sys.stdout.write(f"{score:>5}  {note:<10}  {line}\n".rstrip() + "\n" + below[i])
        if reason and not math.isnan(value) and reason not in below[i]:
            sys.stdout.write(f"{INDENT}{reason}\n")
