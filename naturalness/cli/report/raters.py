"""`naturalness report raters`: explain where a model and raters disagree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import note, table_of
from naturalness.cli.options import check_pages, write_pages
from naturalness.cli.progress import Report, stages
from naturalness.cli.rated import measure_table, read_as_trained
from naturalness.errors import TableError
from naturalness.pipelines.planning import cores

if TYPE_CHECKING:
    from naturalness.data.compared import Joined
    from naturalness.data.rated import RatedTexts
    from naturalness.pipelines.fitting import Settings
    from naturalness.pipelines.learning import Rated
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.reports.raters.judged import JudgedTexts
    from naturalness.reports.raters.report import Report as RatersReport


SYSTEM, REGISTERS = "system", ("register", "genre", "domain")
"""Columns that a table may have for the system and the register; errors are also counted per value of each."""
MAX_VALUES = 60
"""Maximum number of distinct values of a column by which errors are counted."""


def run(args: argparse.Namespace) -> int:
    """Read the table, judge its texts, write the page, and print a summary."""
    from naturalness.judging.folder import read_description
    from naturalness.judging.opened import model_folder
    from naturalness.pipelines.rated import describe_reading, unmeasured
    from naturalness.pipelines.scorer import open_model
    from naturalness.reports.assess import check_judgeable
    from naturalness.reports.raters.judged import UNSEEN
    from naturalness.reports.raters.report import Extra, make_report

    _check_outputs(args)
    # Read only the manifest, so that errors in the table are reported before the model is opened.
    trained = read_description(model_folder(args.model))
    rated, rates, options = read_as_trained(args.table, args, trained)
    if rated.pairs:
        raise TableError(f"{args.table!r} holds pairs, but a report needs ratings or labels; use evaluate for pairs")
    extra = _join(args, rated, options)
    model = open_model(args.model)
    description = model.saved.description
    check_judgeable(unmeasured(rated, rates, description.features), model, args.table)
    with stages() as progress:
        texts = measure_table(args, rated, rates, description.features, nlp=description.nlp, report=progress)
        notes = [*describe_reading(rated), *texts.notes, *extra.notes]
        note(notes)
        data = texts.data.part(texts.usable).with_columns(model.positions)
        judged, learner = _judge(args, model, data, progress)
        if judged.how == UNSEEN and model.saved.seen.note:
            notes.append(model.saved.seen.note)
        result = make_report(
            judged,
            Extra(rated.rows, extra.systems, extra.singles, extra.raters, extra.by).part(texts.usable.tolist()),
            table=Path(args.table).name,
            model=_name(args.model),
            notes=notes,
            learner=learner,
            learnable=data,
            sentences=args.show,
            seed=args.seed,
            progress=progress,
        )
    _write(args, result)
    return 0


def _check_outputs(args: argparse.Namespace) -> None:
    """Raise on inputs or outputs that cannot be read or written, before work begins."""
    if table_of(args.table, args.input_format).is_stream:
        raise TableError("a report reads its table twice; give a file, not standard input")
    if not args.output:
        raise TableError("no output; name a page with -o report.html, or a file with -o report.json")
    check_pages(args.output, force=args.force)


def _name(model: str) -> str:
    """Return the name that the page shows for a model: the last part of the path of its folder."""
    return Path(model).name or model


def _join(args: argparse.Namespace, rated: RatedTexts, options: Mapping[str, Any]) -> Joined:
    """Read the table again for its systems, the ratings of each rater, and the columns to group errors by."""
    from naturalness.data.compared import join
    from naturalness.data.reading import read_batches

    where = table_of(args.table, options["input_format"])
    first = next(read_batches(where, text_column=options["text_column"], batch_size=1))
    named = list(dict.fromkeys(name for columns in args.by for name in columns))
    usual = [name for name in REGISTERS if name in first.columns and name not in named]
    extra = join(where, rated, options, system_column=args.system_column, by=[*named, *usual], needs_references=False)
    for name in [*named, *usual]:
        many = len(set(extra.by[name]))
        if many > MAX_VALUES and name in named:
            raise TableError(f"column {name!r} has {many:,} different values; --by accepts {MAX_VALUES} or fewer")
        if many > MAX_VALUES or name == SYSTEM:
            del extra.by[name]
    return extra


def _judge(
    args: argparse.Namespace, model: NaturalnessModel, data: Rated, progress: Report
) -> tuple[JudgedTexts, Settings | None]:
    """Return the judged texts and, if the table is the model's training table, the settings of its learner."""
    from naturalness.reports.raters.judged import judge_out_of_fold, judge_unseen, recipe_of

    recipe = recipe_of(model, data, args.start)
    if recipe is None:
        return judge_unseen(data, model), None
    judged = judge_out_of_fold(
        data,
        model,
        recipe,
        n_jobs=args.jobs or cores(),
        advance=lambda done, total: progress("judging out of fold", done, total),
    )
    return judged, recipe.fixed


def _write(args: argparse.Namespace, report: RatersReport) -> None:
    """Write the page or all data to files, and print a summary."""
    from naturalness.reports.raters.page import make_page
    from naturalness.reports.raters.wording import everything

    data = everything(report)
    write_pages(args.output, lambda: make_page(report), lambda: data)
    sys.stdout.writelines(f"{line}\n" for line in (*data["headline"], *data["advice"]))
    sys.stdout.write(f"written: {' and '.join(args.output)}\n")
