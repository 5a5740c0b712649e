"""Compare systems, or two runs, by the naturalness of their texts, without ratings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from naturalness.data.formats import Location, location
from naturalness.data.reading import read_named
from naturalness.errors import TableError
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.pages.output import check_pages, write_pages
from naturalness.pipelines.scorer import load_model
from naturalness.progress import Progress, silent
from naturalness.reports.systems.answers import KEYS, arrange, explain_rows, judge_of
from naturalness.reports.systems.page import make_page
from naturalness.reports.systems.report import SystemsReport, everything, make_report

SYSTEM = "system"
"""The default name of the column that says which system wrote a text."""
RUNS = ("before", "now")
"""The names of two runs whose files have the same name."""


def report(
    table: str | Path | Location,
    newer: str | Path | Location | None = None,
    model: str | Path = DEFAULT_MODEL,
    *,
    output: Sequence[str] = (),
    force: bool = False,
    system_column: str | None = None,
    id_column: str | None = None,
    text_column: str | None = None,
    changed_assets: bool = False,
    progress: Progress = silent,
) -> SystemsReport:
    """Compare the systems that wrote the texts of a table or, given a newer table, two runs.

    Parameters
    ----------
    table : a file of texts; given ``newer``, those of the older run.
    newer : the file of the newer run.
    model : the name of a shipped model, or a folder.
    output : files for the report, as a page (.html) or as data (.json).
    force : whether to overwrite these files.
    system_column : for a single table, the column that names the system of each text; ``system`` by default.
    id_column : the column that identifies the input of each text, by which the texts of systems and runs are paired.
    text_column : the column of the texts.
    changed_assets : whether to accept a model that was trained with other assets.
    progress : a function that is called with a stage, the number of steps done and their total.
    """
    check_pages(output, force=force)
    if newer and system_column:
        raise TableError("`system_column` compares the systems of one table; leave it out to compare two runs")
    files = [file if isinstance(file, Location) else location(str(file)) for file in (table, newer) if file]
    by = "" if newer else system_column or SYSTEM
    needed = [column for column in (by, id_column) if column]
    tables = [read_named(where, text_column=text_column, required=needed, optional=KEYS) for where in files]
    names = [Path(where.path).name for where in files]
    if len({*names}) < len(names):
        names = list(RUNS)
    rows, notes = arrange(dict(zip(names, tables, strict=True)), by, id_column or "")
    for where, read in zip(files, tables, strict=True):
        if not read.texts:
            raise TableError(f"{where.path!r} has no rows")
    if not rows:
        raise TableError(f"{files[0].path!r} has no rows with a system; check the column {by!r}")
    opened = load_model(model, changed_assets=changed_assets)
    explained = explain_rows(opened, rows, advance=partial(progress, "explaining"))
    progress("comparing", 0, 1)
    result = make_report(explained, judge_of(opened), runs=(names[0], names[1]) if newer else None, notes=notes)
    progress("comparing", 1, 1)
    name = " since ".join(reversed(names))
    write_pages(output, partial(make_page, result, name=name), partial(everything, result))
    return result
