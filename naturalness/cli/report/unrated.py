"""`naturalness report systems` and `report change`: compare systems, or two runs of one system, without ratings."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import table_of
from naturalness.cli.options import check_pages, write_pages
from naturalness.cli.progress import stages
from naturalness.cli.results import show_report
from naturalness.data.reading import NamedTexts, read_named
from naturalness.errors import TableError
from naturalness.pages.formats import enumeration, percent

if TYPE_CHECKING:
    from naturalness.reports.systems.answers import Answer
    from naturalness.reports.systems.report import SystemsReport
    from naturalness.reports.systems.rows import Columns, TextRow


def run_systems(args: argparse.Namespace) -> int:
    """Explain all texts, print which systems differ, and write the pages."""
    report_on(args, args.table, by=args.system_column or "system")
    return 0


def run_change(args: argparse.Namespace) -> int:
    """Explain all texts, print the changes, and write the pages; return 1 if ``--fail-if-worse`` applies."""
    report = report_on(args, args.table, before=args.before, by=args.system_column or "")
    return int(args.fail_if_worse and report.runs is not None and report.runs.is_worse)


def report_on(args: argparse.Namespace, table: str, *, by: str, before: str | None = None) -> SystemsReport:
    """Explain all texts, print and write the report, and return it; ``by`` names the column of systems."""
    from naturalness.pipelines.scorer import load_model
    from naturalness.reports.systems.report import make_report
    from naturalness.reports.systems.rows import explain_rows, judge_of
    from naturalness.statistics.bootstrap import Resampling

    check_pages(args.output, force=args.force)
    tables, notes = _read_systems(args, table, by, before)
    model = load_model(args.model)
    model.check_register(args.register)
    with stages() as tell:
        explained = explain_rows(
            model, tables, register=args.register or None, advance=lambda done, total: tell("explaining", done, total)
        )
        tell("comparing", 0, 1)
        report = make_report(
            explained[0],
            judge_of(model),
            before=explained[1] if before else None,
            how=Resampling(seed=args.seed),
            shown=args.show,
            notes=[*notes, *_registers(args.register, explained)],
        )
        tell("comparing", 1, 1)
    from naturalness.reports.systems.page import make_page
    from naturalness.reports.systems.report import everything

    name, earlier = Path(table).name, Path(before).name if before else ""
    write_pages(args.output, lambda: make_page(report, name=name, before=earlier), lambda: everything(report))
    show_report(report)
    if args.output:
        sys.stdout.write(f"written: {' and '.join(args.output)}\n")
    return report


def _read_systems(
    args: argparse.Namespace, table: str, by: str, before: str | None
) -> tuple[list[list[TextRow]], list[str]]:
    """Return the rows of the table, and of the older table ``before`` if given, and notes on the rows."""
    from naturalness.reports.systems.rows import KEYS, arrange

    key = args.id_column or ""

    def read(path: str) -> NamedTexts:
        needed = [column for column in (by, key) if column]
        where = table_of(path, args.input_format)
        return read_named(where, text_column=args.text_column, required=needed, optional=KEYS)

    new = read(table)
    old = read(before) if before else None
    tables, used = arrange(new, old, by=by, key=key)
    if not tables[0]:
        raise TableError(
            f"{table!r} has no rows with a system; check the column {by!r}"
            if by and new.texts
            else f"{table!r} has no rows"
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


def _registers(register: str | None, tables: list[list[Answer]]) -> list[str]:
    """Return a note on the registers of the scores, with the number of texts in each."""
    from naturalness.english.registers import AUTO

    if register != AUTO:
        return [f"Scores are within the register {register!r}; causes are of the score in any."] if register else []
    standings = [answer.explanation.standing for answers in tables for answer in answers]
    counts = Counter(standing.register for standing in standings if standing)
    shares = enumeration([f"{name} {percent(n / counts.total())}" for name, n in counts.most_common()])
    return [f"Scores are within the register of each text, as guessed: {shares}; causes are of the score in any."]
