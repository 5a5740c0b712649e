"""`naturalness report`: compare systems, or two runs, without ratings."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of
from naturalness.cli.progress import stages
from naturalness.cli.terminal import print_table
from naturalness.errors import TableError

if TYPE_CHECKING:
    from naturalness.reports.systems.report import SystemsReport

OPTIONS = ("output", "force", "system_column", "id_column", "text_column")


def run(args: argparse.Namespace) -> int:
    """Print which systems differ or what changed, and write the pages; return 1 if ``--fail-if-worse`` applies."""
    from naturalness.reports.comparison import report

    if args.fail_if_worse and not args.newer:
        raise TableError("--fail-if-worse compares two runs; name the newer table, too")
    newer = args.newer and table_of(args.newer, args.input_format)
    options = {name: getattr(args, name) for name in OPTIONS if name in args}
    with stages() as progress:
        result = report(table_of(args.table, args.input_format), newer, args.model, progress=progress, **options)
    show(result)
    sys.stdout.write(f"written: {' and '.join(args.output)}\n" if args.output else "")
    return int(args.fail_if_worse and result.runs is not None and result.runs.is_worse)


def show(report: SystemsReport) -> None:
    """Print verdicts and a table of systems."""
    from naturalness.pages.formats import decimal, share

    lines = [*report.verdict, *report.cause_sentences.values()]
    if runs := report.runs:
        paired = f"Of {runs.n_paired:,} texts with a score in both runs"
        lines.append(f"{paired}, {runs.n_fell:,} fell and {runs.n_rose:,} rose.")
    sys.stdout.writelines(f"{line}\n" for line in lines)
    rows: list[list[Any]] = [
        [
            system.system,
            f"{system.n_texts:,}",
            decimal(system.mean.value),
            decimal(system.mean.low),
            decimal(system.mean.high),
            *map(decimal, (system.voice.value, system.voice.low, system.voice.high)),
            share(system.below.value),
            share(system.unlike.value),
            f"{system.n_texts - system.n_scored:,}",
        ]
        for system in report.standings
    ]
    means = ("naturalness", "from", "to", "voice", "from", "to")
    header = ("", "texts", *means, "below threshold", "unlike training", "no score")
    print_table(header, [rows])
    sys.stdout.writelines(f"{line}\n" for line in report.notes)
