"""`naturalness label`: a table in, the same table with scores out, in a stream."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import report_no_rows, table_of
from naturalness.cli.options import (
    add_force,
    add_input_options,
    add_jobs,
    add_metrics_option,
    add_model_options,
    add_quiet,
    add_table_output,
    add_threshold_options,
    min_score_of,
    names,
)
from naturalness.cli.progress import Advance, progress
from naturalness.data.formats import STANDARD, Location, location
from naturalness.files.resources import require_package
from naturalness.judging.fields import ALWAYS, PERCENTILE, REASON, REGISTER

if TYPE_CHECKING:
    from naturalness.labelling.tables import Request, Totals

ENGINES = ("local", "ray")
DEVICES = ("cpu", "cuda")


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "label",
        help="score every row of a table",
        description="Score every row of a table (txt, csv, tsv, jsonl, parquet; also .gz "
        "and .zst; a path, or an address such as s3://bucket/name). "
        "The output has your columns, then naturalness (0 to 1), label and reason. "
        "Rows are read and written in a stream. Finished work is stored beside the output until all is "
        "done: after a crash or Ctrl-C, run the same command with --resume to continue.",
        examples=(
            "naturalness label corpus.csv -o scored.parquet",
            "naturalness label corpus.txt -o scored.jsonl.gz --fast --jobs 2 --fields naturalness,why",
            "naturalness label generated.csv -o scored.csv --register auto --false-alarms 0.01",
        ),
    )
    add = parser.add_argument
    add("input", metavar="TABLE", help="a table, or - for standard input")
    add_table_output(add, "standard output, as jsonl")
    add_model_options(parser)
    add_input_options(parser, nlp=False)
    add(
        "--fields",
        type=names,
        metavar="A,B",
        help="new columns (default: naturalness,label,reason; with --register also register,percentile); also "
        "low and high (where the score lies in "
        "95 of 100 trainings on two thirds of the texts), unlike (how a text differs from the training "
        "texts), why (the causes that move the score most), sound and fit (of adapted models), groups (what each "
        "group adds to the log-odds), features (those of the model), or a group of features",
    )
    add_metrics_option(add)
    add_threshold_options(parser, "exit with 1 if a text scores below X, and say how many do")
    add("--best-of", metavar="COLUMN", help="of rows with the same value in this column, keep only the most natural")
    add_jobs(add, "processes (default: one per core); the output does not depend on it")
    add(
        "--device",
        choices=DEVICES,
        default=DEVICES[0],
        help="what networks run on: cpu, or cuda for an NVIDIA GPU, whose scores differ slightly (needs the extra gpu; "
        "default: cpu)",
    )
    add(
        "--engine",
        choices=ENGINES,
        default="local",
        help="local, or ray for the machines of a Ray cluster (default: local)",
    )
    add("--parts", metavar="FOLDER", help="where to store finished work until all is done (default: FILE.parts)")
    add("--resume", action="store_true", help="continue an interrupted job")
    add_force(add, "overwrite the output and, without --resume, discard unfinished work")
    add_quiet(add, "show no progress bar, and do not say what was written")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Label the table; return 1 if a row has no score."""
    from naturalness.labelling.job import Job
    from naturalness.labelling.tables import Request, label_table

    if args.engine == "ray":
        require_package("ray", user="--engine ray", extra="ray")
    request = Request(
        source=table_of(args.input, args.input_format),
        target=_target(args.output),
        job=Job(
            model=args.model,
            changed_assets=args.changed_assets,
            fields=tuple(args.fields or [*ALWAYS, *((REGISTER, PERCENTILE) if args.register else ())]),
            metrics=tuple(args.metrics),
            register=args.register or None,
            batch_size=args.batch_size,
            device=args.device,
        ),
        text_column=args.text_column,
        prefix=args.prefix,
        best_of=args.best_of,
        min_score=_min_score(args),
        on_cluster=args.engine == "ray",
        workers=args.jobs,
        parts=args.parts,
        resume=args.resume,
        force=args.force,
    )

    def watch(stage: str, total: int | None) -> AbstractContextManager[Advance]:
        return progress(stage, total=total, quiet=args.quiet)

    def say(line: str) -> None:
        sys.stderr.write(f"{line}\n")

    totals = label_table(request, watch, note=(lambda line: None) if args.quiet else say, advise=say)
    if not totals.rows:
        report_no_rows(request.source)
    elif not args.quiet:
        say(_summary(request, totals))
    return int(totals.failures > 0 or totals.below > 0 or not totals.rows)


def _min_score(args: argparse.Namespace) -> float | None:
    """Return the minimum score that options choose; the model is opened for what it knows of people's sentences."""
    if args.false_alarms is None and not args.register:
        score: float | None = args.min_score
        return score
    from naturalness.pipelines.scorer import open_model

    return min_score_of(args, open_model(args.model, changed_assets=args.changed_assets))


def _target(output: str | None) -> Location:
    return location(STANDARD, "jsonl") if output in (None, STANDARD) else location(output, written=True)


def _summary(request: Request, totals: Totals) -> str:
    target = request.target
    line = f"{totals.rows:,} rows written to {'standard output' if target.is_standard else repr(target.path)}"
    if request.min_score is not None:
        line += f"; {totals.below:,} of them below {request.min_score:.3g}"
    if totals.failures:
        why = f": column {request.prefix + REASON!r} says why" if REASON in request.job.fields else ""
        line += f"; {totals.failures:,} of them without a score{why}"
    return line
