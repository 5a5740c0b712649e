"""`naturalness label`: a table in, the same table with scores out, in a stream."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of, tell_no_rows, with_numbers
from naturalness.cli.options import add_force, add_input_options, add_model_options, add_quiet, names, positive
from naturalness.cli.progress import Advance, progress
from naturalness.cli.unfinished import Work, open_work
from naturalness.data.formats import Location, estimate_rows, location
from naturalness.data.reading import Batch, read_batches
from naturalness.data.writing import check_names, open_writer
from naturalness.errors import TableError, listing
from naturalness.files.resources import require_package
from naturalness.labelling.fields import ALWAYS, NATURALNESS, REASON
from naturalness.pipelines.planning import cores

if TYPE_CHECKING:
    from naturalness.labelling.job import Columns, Job

ENGINES = ("local", "ray")


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "label",
        help="score every row of a table",
        description="Score every row of a table (txt, csv, tsv, jsonl, parquet; also .gz "
        "and .zst; a path, or an address such as s3://bucket/name). "
        "The output has your columns, then naturalness (0..1), label and reason. "
        "Rows are read and written in a stream. What is done is kept in OUT.parts until "
        "all is: after a crash or Ctrl-C the same command with --resume goes on.",
    )
    parser.add_argument("input", metavar="IN", help="a table, or - for standard input")
    parser.add_argument("output", metavar="OUT", help="a table, or - for standard output (jsonl)")
    add_model_options(parser)
    add_input_options(parser, nlp=False)
    add = parser.add_argument
    add(
        "--fields",
        type=names,
        metavar="A,B",
        default=list(ALWAYS),
        help="new columns (naturalness,label,reason); also low and high (where the score lies in "
        "95 of 100 trainings on two thirds of the texts), unlike (how a text is unlike those of "
        "training), why (the causes that move the score most), groups (what each group adds to "
        "the log-odds), features (those of the model), or a group of features",
    )
    add(
        "--metric",
        type=names,
        metavar="A,B",
        default=[],
        help="metrics that need the text alone, each a column: slor, gruen-fast, slor:lm:FOLDER "
        "(a language model of your own) ...",
    )
    add("--best-of", metavar="COLUMN", help="of the rows that share a value there keep the most natural one")
    add(
        "--workers",
        type=positive,
        default=None,
        metavar="N",
        help="processes (one per core); the output does not depend on it",
    )
    add("--engine", choices=ENGINES, default="local", help="local, or ray for the machines of a Ray cluster (local)")
    add("--parts", metavar="FOLDER", help="where to keep what is done until all is (OUT.parts)")
    add("--resume", action="store_true", help="go on where a job was broken off")
    add_force(add, "overwrite the output and, without --resume, discard unfinished work")
    add_quiet(add, "show no progress bar, and do not say what was written")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Label the table; 1 where a row has no score."""
    from naturalness.labelling.job import Job, open_job

    if args.engine == "ray":
        require_package("ray", user="--engine ray", extra="ray")
    source = table_of(args.input, args.input_format)
    target = location(args.output, "jsonl" if args.output == "-" else None)
    job = Job(
        model=args.model,
        changed_assets=args.changed_assets,
        fields=tuple(args.fields),
        metrics=tuple(args.metric),
        batch_size=args.batch_size,
    )
    opened = open_job(_with_score(job))
    hidden = {*opened.job.fields} - {*job.fields}
    with open_work(args, source, target, opened) as work:
        work.columns = [name for name in opened.columns() if name not in hidden]
        totals = _label(args, opened.job, work, target)
    if not totals.rows:
        tell_no_rows(source)
    elif not args.quiet:
        sys.stderr.write(_summary(args, target, totals))
    return int(totals.failures > 0 or not totals.rows)


@dataclass(slots=True)
class Totals:
    """Rows written, and those of them without a score."""

    rows: int = 0
    failures: int = 0


def _summary(args: argparse.Namespace, target: Location, totals: Totals) -> str:
    where = "standard output" if target.is_standard else repr(target.path)
    line = f"{totals.rows:,} rows written to {where}"
    if totals.failures:
        why = f": column {args.prefix + REASON!r} says why" if REASON in args.fields else ""
        line += f"; {totals.failures:,} of them without a score{why}"
    return f"{line}\n"


def _with_score(job: Job) -> Job:
    """Scores are needed to count failures and to choose; asked for or not, they are made."""
    missing = [name for name in (NATURALNESS, REASON) if name not in job.fields]
    return replace(job, fields=(*job.fields, *missing))


def _label(args: argparse.Namespace, job: Job, work: Work, target: Location) -> Totals:
    chosen = None
    if args.engine == "ray":
        _send_to_cluster(args, job, work)
    if args.best_of:
        chosen = _choose(args, job, work)
    totals = Totals()
    with (
        open_writer(target, force=args.force) as writer,
        _progress("write" if work.complete else "label", args, work) as advance,
    ):
        for batch, columns in _labelled(args, job, work, advance):
            added = {args.prefix + name: columns[name] for name in work.columns}
            failed = sum(map(math.isnan, columns[NATURALNESS]))
            if chosen is not None:
                indices = [i for i in range(len(batch.rows)) if batch.first_row + i in chosen]
                failed = sum(math.isnan(columns[NATURALNESS][i]) for i in indices)
                added = {name: [values[i] for i in indices] for name, values in added.items()}
                batch = batch.keeping(indices)
            writer.write(batch, added)
            totals.rows += len(batch.rows)
            totals.failures += failed
        work.check_unchanged()
    return totals


def _progress(stage: str, args: argparse.Namespace, work: Work) -> AbstractContextManager[Advance]:
    return progress(stage, total=estimate_rows(work.source), quiet=args.quiet)


def _batches(args: argparse.Namespace, work: Work) -> Iterator[Batch]:
    from naturalness.features import resolve
    from naturalness.labelling.parts import ROWS
    from naturalness.pipelines.scorer import model_folder
    from naturalness.pipelines.store import read_description

    groups = resolve(read_description(model_folder(args.model)).groups)
    batches = read_batches(work.source, text_column=args.text_column, batch_size=ROWS)
    for batch in with_numbers(batches, groups):
        # What cannot be written is told before anything is labelled.
        check_names(batch, dict.fromkeys(map(args.prefix.__add__, work.columns), ()))
        if args.best_of and batch.fixed and args.best_of not in batch.columns:
            raise TableError(f"no column {args.best_of!r} for --best-of; the table has: {listing(batch.columns)}")
        yield batch


def _labelled(args: argparse.Namespace, job: Job, work: Work, advance: Advance) -> Iterator[tuple[Batch, Columns]]:
    """Each batch with its columns; a row with a problem of its own has that as its reason.

    Progress is told as shards are done, which is before those in front of them are written.
    """
    from naturalness.labelling.crew import label_shards
    from naturalness.labelling.job import empty_row

    def tell(columns: Columns) -> None:
        values = columns[NATURALNESS]
        advance(len(values), sum(map(math.isnan, values)))

    workers = args.workers or cores()
    empty = True
    for batch, columns in label_shards(_batches(args, work), job, workers=workers, parts=work.parts, advance=tell):
        empty = False
        for i, problem in enumerate(batch.problems):
            if problem:
                row = empty_row(list(columns), problem)
                for values, value in zip(columns.values(), row, strict=True):
                    values[i] = value
        yield batch, columns
    if empty:  # a table without rows keeps its header
        for batch in _batches(args, work):
            yield batch, {name: [] for name in [*work.columns, NATURALNESS]}


def _choose(args: argparse.Namespace, job: Job, work: Work) -> set[int]:
    """Label all rows; the numbers of those that are the best of their kind."""
    from naturalness.labelling.best import Best

    best = Best()
    with _progress("label", args, work) as advance:
        for batch, columns in _labelled(args, job, work, advance):
            shared = [row.get(args.best_of) for row in batch.rows]
            best.see(batch.first_row, shared, columns[NATURALNESS])
    work.complete = True
    return best.rows()


def _send_to_cluster(args: argparse.Namespace, job: Job, work: Work) -> None:
    """Have a cluster make the shards that are not done; what follows finds them all."""
    from naturalness.labelling.cluster import label_on_cluster

    assert work.parts is not None
    todo = []
    with _progress("read", args, work) as advance:
        for number, batch in enumerate(_batches(args, work)):
            if batch.texts and number not in work.parts:
                work.parts.write_texts(number, batch.texts)
                todo.append((number, len(batch.texts)))
            advance(len(batch.texts))
    with progress("label", total=sum(n for _, n in todo), quiet=args.quiet) as advance:
        label_on_cluster(work.parts, job, dict(todo), workers=args.workers, advance=advance)
    work.complete = True
