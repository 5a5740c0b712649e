"""`naturalness label`: add scores to a table, one row at a time."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from naturalness.cli.inputs import report_no_rows, table_of
from naturalness.cli.options import min_score_of
from naturalness.cli.progress import progress
from naturalness.data.formats import STANDARD, location
from naturalness.errors import TableError
from naturalness.files.resources import require_package
from naturalness.judging.fields import ALWAYS, NATURALNESS, PERCENTILE, REASON, REGISTER, VOICE

if TYPE_CHECKING:
    from naturalness.labelling.tables import Advance, Request, Totals


def run(args: argparse.Namespace) -> int:
    """Label the table; return 1 if a row has no score."""
    from naturalness.labelling.job import Job
    from naturalness.labelling.tables import Request, label_table

    if args.engine == "ray":
        require_package("ray", user="--engine ray", extra="ray")
    if args.output and args.target:
        raise TableError(f"two outputs, {args.output!r} and {args.target!r}; name one")
    output = args.output or args.target or STANDARD
    request = Request(
        source=table_of(args.input, args.input_format),
        target=location(STANDARD, "jsonl") if output == STANDARD else location(output, written=True),
        job=Job(
            model=args.model,
            score_anyway=args.score_anyway,
            fields=tuple(args.fields or [*ALWAYS, *((REGISTER, PERCENTILE) if args.register else ())]),
            metrics=tuple(args.metrics),
            register=args.register or None,
            device=args.device,
        ),
        text_column=args.text_column,
        prefix=args.prefix,
        best_of=args.best_of,
        minima={name: x for name, x in {NATURALNESS: _min_score(args), VOICE: args.min_voice}.items() if x is not None},
        on_cluster=args.engine == "ray",
        workers=args.jobs,
        parts=args.parts,
        resume=args.resume,
        force=args.force,
    )

    def watch(stage: str, total: int | None) -> AbstractContextManager[Advance]:
        return progress(stage, total=total)

    def say(line: str) -> None:
        sys.stderr.write(f"{line}\n")

    totals = label_table(request, watch, note=say, advise=say)
    if not totals.rows:
        report_no_rows(request.source)
    else:
        say(_summary(request, totals))
    return int(totals.failures > totals.blank or totals.below > 0 or totals.rows == totals.blank)


def _min_score(args: argparse.Namespace) -> float | None:
    """Return the minimum score set by options; open the model only if its thresholds or registers are needed."""
    if args.false_alarms is None and not args.register:
        score: float | None = args.min_score
        return score
    from naturalness.pipelines.scorer import open_model

    return min_score_of(args, open_model(args.model))


def _summary(request: Request, totals: Totals) -> str:
    target = request.target
    line = f"{totals.rows:,} rows written to {'standard output' if target.is_standard else repr(target.path)}"
    if request.minima:
        said = [f"below {x:.3g}" + f" in {name}" * (name != NATURALNESS) for name, x in request.minima.items()]
        line += f"; {totals.below:,} of them {' or '.join(said)}"
    if totals.failures:
        why = f": column {request.prefix + REASON!r} says why" if REASON in request.job.fields else ""
        line += f"; {totals.failures:,} of them without a score{why}"
    return line
