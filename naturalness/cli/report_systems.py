"""`naturalness report` on texts without ratings: systems beside each other, or two runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import positive, table_of
from naturalness.cli.progress import stages
from naturalness.data.named import NamedTexts, read_named
from naturalness.data.rated_columns import LABEL, RATING, RATINGS
from naturalness.data.reading import read_batches
from naturalness.errors import TableError

if TYPE_CHECKING:
    from naturalness.reports.systems.report import SystemsReport
    from naturalness.reports.systems.rows import Columns, TextRow


def add_system_options(parser: argparse.ArgumentParser) -> None:
    """Options of a report on texts that nobody rated; ``--by`` is the report's own."""
    add = parser.add_argument_group("without ratings").add_argument
    add("--before", metavar="OLD", help="the table of an older run: what got better and worse")
    add(
        "--id-column",
        metavar="NAME",
        help="key of what a text answers: pairs the rows of two runs and of systems (id, source, "
        "input, mr or prompt, if one fits)",
    )
    add(
        "--fail-if-worse",
        action="store_true",
        help="exit 1 where the mean fell since --before and its interval leaves out 0",
    )
    add("--worst", type=positive, default=6, metavar="N", help="texts of each system that are shown (6)")


def asks_for_systems(given: argparse.Namespace) -> bool:
    """Whether the report is one on texts without ratings: an older run is named, or systems are and
    the table has no ratings or labels."""
    if given.fail_if_worse and not given.before:
        raise TableError("--fail-if-worse needs the older run; name its table with --before")
    if given.before:
        return True
    if not (given.by or given.system_column):
        return False
    if given.label_column or given.rating_columns or given.ratings_columns:
        return False
    where = table_of(given.table, given.input_format)
    if where.is_stream:
        return True
    first = next(read_batches(where, text_column=given.text_column, batch_size=1))
    return not {LABEL, RATING, RATINGS} & set(first.columns)


def run_systems(given: argparse.Namespace) -> int:
    """Explain all texts, print who differs and what changed, write the page; 1 where
    ``--fail-if-worse`` says so."""
    from naturalness.pipelines.scorer import load_model
    from naturalness.reports.systems.explaining import explain_rows, judge_of
    from naturalness.reports.systems.kinds import TITLES
    from naturalness.reports.systems.report import make_report
    from naturalness.statistics.bootstrap import Resampling

    tables, notes = _read(given, _system_column(given))
    model = load_model(given.model, changed_assets=given.changed_assets)
    with stages(quiet=given.quiet) as tell:
        found = explain_rows(model, tables, advance=lambda done, total: tell("explaining", done, total))
        tell("comparing", 0, 1)
        report = make_report(
            found[0],
            judge_of(model),
            before=found[1] if given.before else None,
            titles=TITLES,
            how=Resampling(seed=given.seed),
            shown=given.worst,
            notes=notes,
        )
        tell("comparing", 1, 1)
    _write(given, report)
    worse = report.runs is not None and report.runs.is_worse
    return int(given.fail_if_worse and worse)


def _system_column(given: argparse.Namespace) -> str:
    """The one column that says who wrote a text; empty where none is named."""
    named = [name for columns in given.by for name in columns]
    if len(named) > 1:
        raise TableError(
            f"--by {','.join(named)}: without ratings a report compares the values of one column; name one"
        )
    column: str = named[0] if named else given.system_column or ""
    return column


def _read(given: argparse.Namespace, by: str) -> tuple[list[list[TextRow]], list[str]]:
    """The rows of the table, and of the older one, and what there is to say of them."""
    from naturalness.reports.systems.rows import KEYS, Cells, arrange

    key = given.id_column or given.source_column or ""

    def read(path: str) -> NamedTexts:
        needed = [column for column in (by, key) if column]
        where = table_of(path, given.input_format)
        return read_named(where, text_column=given.text_column, needed=needed, wanted=KEYS)

    new = read(given.table)
    old = read(given.before) if given.before else None
    cells = [Cells(one.texts, one.problems, one.columns) for one in (new, old) if one is not None]
    tables, used = arrange(cells[0], cells[1] if old is not None else None, by=by, key=given.id_column or "")
    if not tables[0]:
        raise TableError(
            f"{given.table!r} has no rows with a system; check the column {by!r}"
            if by and new.texts
            else f"{given.table!r} has no rows"
        )
    return tables, _notes(used)


def _notes(used: Columns) -> list[str]:
    out = []
    if used.source:
        out.append(f"Texts with the same value in column {used.source!r} answer the same input.")
    if used.key:
        out.append(f"Texts of the two runs are paired by column {used.key!r}.")
    if used.n_without_system:
        many = f"{used.n_without_system:,} row{'s' if used.n_without_system > 1 else ''}"
        out.append(f"Left out without a system: {many}.")
    return out


def _write(given: argparse.Namespace, report: SystemsReport) -> None:
    """A summary on standard output, the page or all data in a file."""
    from naturalness.reports.systems.page import make_page
    from naturalness.reports.systems.report import everything

    written = [path for path in (given.output, given.json) if path]
    for path in written:
        if path == given.output and Path(path).suffix.lower() == ".html":
            text = make_page(report, name=_name(given.table), before=_name(given.before))
        else:
            text = json.dumps(everything(report), indent=1, ensure_ascii=False) + "\n"
        # Half of a pair of surrogates, as JSON can hold, has no bytes of its own.
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    show_report(report)
    if written:
        sys.stdout.write(f"written: {' and '.join(written)}\n")


def _name(path: str | None) -> str:
    return Path(path).name if path else ""


def show_report(report: SystemsReport) -> None:
    """Verdicts and a table of systems."""
    from naturalness.cli.results import print_table
    from naturalness.pages.formats import decimal, share

    for line in (*report.verdict_of_runs, *report.verdict):
        sys.stdout.write(f"{line}\n")
    for system in report.told_causes.values():
        sys.stdout.write(f"{system}\n")
    rows: list[list[Any]] = [
        [
            one.system,
            f"{one.n_texts:,}",
            decimal(one.mean.value),
            decimal(one.mean.low),
            decimal(one.mean.high),
            share(one.below.value),
            share(one.unlike.value),
            f"{one.n_texts - one.n_scored:,}",
        ]
        for one in report.standings
    ]
    header = ("", "texts", "naturalness", "from", "to", "below threshold", "unlike training", "no score")
    print_table(header, [rows])
    for line in report.notes:
        sys.stdout.write(f"{line}\n")
