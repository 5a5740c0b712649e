"""`naturalness report`: where a model and raters disagree, or systems and runs differ, and why."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of
from naturalness.cli.options import (
    add_force,
    add_jobs,
    add_origin_option,
    add_page_option,
    add_quiet,
    add_seed,
    add_store_option,
    add_table_and_model,
    check_page,
    names,
    positive,
)
from naturalness.cli.progress import Report, stages
from naturalness.cli.rated import add_rating_options, measure_table, options_of, read_as_trained
from naturalness.cli.results import show_report
from naturalness.data.rated_columns import LABEL, RATING, RATINGS
from naturalness.data.reading import NamedTexts, read_batches, read_named
from naturalness.data.writing import check_writable
from naturalness.errors import ModelError, TableError, damage_as
from naturalness.pipelines.planning import cores, plan_again

if TYPE_CHECKING:
    from naturalness.data.compared import Joined
    from naturalness.data.rated import RatedTexts
    from naturalness.pipelines.fitting import Settings
    from naturalness.pipelines.learning import Rated
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.reports.raters.ceiling import Label
    from naturalness.reports.raters.judged import JudgedTexts
    from naturalness.reports.raters.report import Extra
    from naturalness.reports.raters.report import Report as RatersReport
    from naturalness.reports.systems.report import SystemsReport
    from naturalness.reports.systems.rows import Columns, TextRow


SYSTEM, REGISTERS = "system", ("register", "genre", "domain")
"""Columns by which errors are counted, if there are any of them."""
MAX_VALUES = 60
"""Values that a column may have for errors to be counted by it."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "report",
        help="where a model and raters disagree, or systems and runs differ, and why",
        description="A page on rated texts: figures, error rates by length, clauses, "
        "constructions and columns, misjudged texts with explanations, doubtful "
        "labels, and whether more ratings would help. On the table that the model was trained on, "
        "each text is judged by a model trained on the others; on any other, texts that the model "
        "was trained on are left out. Without ratings, --by COLUMN compares the systems that wrote "
        "the texts, and --before OLD compares two runs.",
        examples=(
            "naturalness report rated.csv --model my-model -o report.html",
            "naturalness report generated.csv --by system -o systems.html",
        ),
    )
    add_table_and_model(parser, "TABLE", "texts with labels or ratings, or without")
    add = parser.add_argument
    add_page_option(add)
    add("--json", metavar="FILE", help="also write everything as JSON")
    add_force(add, "overwrite these files")
    add(
        "--by",
        action="append",
        type=names,
        default=[],
        metavar="COLUMN",
        help="also count errors for each value of a column, as for system, register, genre and domain; "
        "repeatable. Without ratings: the column of the systems that wrote the texts",
    )
    add(
        "--system-column",
        metavar="NAME",
        help="column of the systems that wrote the texts (default: system, if there is one)",
    )
    add("--sentences", type=positive, default=50, metavar="N", help="texts in each list (default: 50)")
    add_seed(add)
    add_rating_options(parser)
    add_system_options(parser)
    add_jobs(add)
    add_origin_option(add)
    add_store_option(add)
    add_quiet(add)
    parser.set_defaults(run=run, blank=options_of(parser.parse_args([""])))


def run(args: argparse.Namespace) -> int:
    """Read, judge, report; write the page."""
    from naturalness.pipelines.rated import describe_reading, unmeasured
    from naturalness.pipelines.scorer import model_folder, open_model
    from naturalness.pipelines.store import read_description
    from naturalness.reports.assess import check_judgeable
    from naturalness.reports.raters.judged import UNSEEN
    from naturalness.reports.raters.report import make_report

    unrated = asks_for_systems(args)
    _check_outputs(args, rated=not unrated)
    if unrated:
        return run_systems(args)
    # The manifest alone, so that a slip in the table is reported before the model is opened.
    trained = read_description(model_folder(args.model))
    rated, rates, options = read_as_trained(args.table, args, trained)
    if rated.pairs:
        raise TableError(
            f"{args.table!r} holds pairs, but a report needs ratings or labels; use evaluate or compare for pairs"
        )
    extra = _join(args, rated, options)
    model = open_model(args.model, changed_assets=args.changed_assets)
    description = model.saved.description
    check_judgeable(unmeasured(rated, rates, description.groups), model, args.table)
    with stages(quiet=args.quiet) as progress:
        texts = measure_table(args, rated, rates, description.groups, nlp=description.nlp, report=progress)
        notes = [*describe_reading(rated), *texts.notes, *extra.notes]
        if not args.quiet:
            sys.stderr.writelines(f"{line}\n" for line in notes)
        data = texts.data.part(texts.usable).with_columns(model.positions)
        judged, learner = _judge(args, model, data, progress)
        if judged.how == UNSEEN and model.saved.seen.note:
            notes.append(model.saved.seen.note)
        result = make_report(
            judged,
            _extra(rated, extra, texts.usable.tolist(), judged.data.classes),
            table=Path(args.table).name,
            model=_name(args.model),
            notes=notes,
            learner=learner,
            elimination=_elimination(model) if learner else None,
            learnable=data,
            sentences=args.sentences,
            seed=args.seed,
            progress=progress,
        )
    _write(args, result)
    return 0


def _check_outputs(args: argparse.Namespace, *, rated: bool) -> None:
    """Refuse what could not be read or written, before the work begins."""
    if rated and table_of(args.table, args.input_format).is_stream:
        raise TableError("a report reads its table twice; give a file, not standard input")
    if rated and not args.output and not args.json:
        raise TableError("no output; name a page with -o report.html, or a file with --json FILE")
    if args.output:
        check_page(args.output, force=args.force)
    if args.json:
        check_writable(Path(args.json), force=args.force)


def _name(model: str) -> str:
    """A model as the page calls it: the last part of its folder's path."""
    return Path(model).name or model


def _join(args: argparse.Namespace, rated: RatedTexts, options: Mapping[str, Any]) -> Joined:
    """Systems, single ratings and columns to count errors by; the table is read once more."""
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
    """The judged texts, and on the model's own table the learner that it was made by."""
    from dataclasses import replace

    from naturalness.pipelines.evaluation import ELIMINATED
    from naturalness.pipelines.train import fingerprint
    from naturalness.reports.raters.judged import judge_out_of_fold, judge_unseen

    description = model.saved.description
    settings = description.training.get("settings")
    if description.training.get("fingerprint") != fingerprint(data) or not isinstance(settings, dict):
        return judge_unseen(data, model), None
    assert model.folder is not None  # it was opened from one
    plan = plan_again(model.folder, description.training, args.jobs, args.start)
    recipe = plan.settings
    fixed = replace(recipe, learner=description.learner, parameters=dict(description.parameters), select="none")
    slim = str(_metrics(model).get("model", {}).get("recipe", "")).endswith(ELIMINATED)
    chosen = replace(recipe, learner=description.learner, select="rfe" if slim else recipe.select)
    judged = judge_out_of_fold(
        data,
        model,
        chosen,
        plan.protocol.threshold,
        n_jobs=args.jobs or cores(),
        advance=lambda done, total: progress("judging out of fold", done, total),
    )
    return judged, fixed


def _metrics(model: NaturalnessModel) -> dict[str, Any]:
    """What training wrote of the model; empty where its folder has no such file."""
    from naturalness.pipelines.store import read_page
    from naturalness.pipelines.summary import read_summary

    page = read_page(model.folder, "metrics.json") if model.folder else None
    if model.folder is None or page is None:
        return {}
    with damage_as(ModelError, model.folder / "metrics.json", "train the model again"):
        return read_summary(page)


def _elimination(model: NaturalnessModel) -> dict[str, Any] | None:
    """The curve of elimination of the model's training, if there was one."""
    metrics = _metrics(model)
    curve = metrics.get("elimination")
    return None if curve is None else {**curve, "figure": metrics["protocol"]["chosen_by"]}


def _extra(rated: RatedTexts, extra: Joined, good: Sequence[int], classes: Sequence[str]) -> Extra:
    """What the table tells beside texts, labels and ratings, of the texts that can be judged."""
    from naturalness.reports.raters.report import Extra

    def usable(values: Sequence[Any] | None) -> list[Any] | None:
        return None if values is None else [values[row] for row in good]

    return Extra(
        usable(rated.rows) or [],
        usable(extra.systems),
        usable(extra.singles),
        usable(extra.raters),
        {name: usable(values) or [] for name, values in extra.by.items()},
        _label_of(rated, classes),
    )


def _label_of(rated: RatedTexts, classes: Sequence[str]) -> Label | None:
    """What makes places of labels of single ratings, where a rule does."""
    rule = rated.rule
    if rule is None:
        return None
    ours = {name.lower(): rank for rank, name in enumerate(classes)}
    theirs = rated.classes

    def label(single: Sequence[float], mean: float) -> int:
        name = rule.label([single], [mean])
        if name is None:
            return -1
        if all(other.lower() in ours for other in theirs):
            return ours[name.lower()]
        # Two labels of other names go by their order, else the best is held against the rest.
        return theirs.index(name) if len(theirs) == 2 else int(name == theirs[-1])

    return label


def _write(args: argparse.Namespace, report: RatersReport) -> None:
    """The page, all data, and on standard output what they come to."""
    from naturalness.reports.raters.page import make_page
    from naturalness.reports.raters.wording import everything

    data = everything(report)
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    if args.json:
        Path(args.json).write_text(text, encoding="utf-8")
    if args.output:
        html = Path(args.output).suffix.lower() == ".html"
        Path(args.output).write_text(make_page(report) if html else text, encoding="utf-8")
    sys.stdout.writelines(f"{line}\n" for line in (*data["headline"], *data["advice"]))
    written = " and ".join(path for path in (args.output, args.json) if path)
    sys.stdout.write(f"written: {written}\n")


def add_system_options(parser: argparse.ArgumentParser) -> None:
    """Options of a report on texts that nobody rated; ``--by`` is the report's own."""
    add = parser.add_argument_group("without ratings").add_argument
    add("--before", metavar="OLD", help="the table of an older run, to see what got better and worse")
    add(
        "--id-column",
        metavar="NAME",
        help="column that identifies the input of a text: pairs the rows of runs and of systems "
        "(default: the first suitable one of id, source, input, mr and prompt)",
    )
    add(
        "--fail-if-worse",
        action="store_true",
        help="exit with 1 if the mean fell since --before and its interval excludes 0",
    )
    add("--worst", type=positive, default=6, metavar="N", help="texts to show for each system (default: 6)")


def asks_for_systems(args: argparse.Namespace) -> bool:
    """Whether the report is one on texts without ratings: an older run is named, or systems are and
    the table has no ratings or labels."""
    if args.fail_if_worse and not args.before:
        raise TableError("--fail-if-worse needs the older run; name its table with --before")
    if args.before:
        return True
    if not (args.by or args.system_column):
        return False
    if args.label_column or args.rating_columns or args.ratings_columns:
        return False
    where = table_of(args.table, args.input_format)
    if where.is_stream:
        return True
    first = next(read_batches(where, text_column=args.text_column, batch_size=1))
    return not {LABEL, RATING, RATINGS} & set(first.columns)


def run_systems(args: argparse.Namespace) -> int:
    """Explain all texts, print who differs and what changed, write the page; 1 where
    ``--fail-if-worse`` says so."""
    from naturalness.pipelines.scorer import load_model
    from naturalness.reports.systems.causes import TITLES
    from naturalness.reports.systems.report import make_report
    from naturalness.reports.systems.rows import explain_rows, judge_of
    from naturalness.statistics.bootstrap import Resampling

    tables, notes = _read_systems(args, _system_column(args))
    model = load_model(args.model, changed_assets=args.changed_assets)
    with stages(quiet=args.quiet) as tell:
        explained = explain_rows(model, tables, advance=lambda done, total: tell("explaining", done, total))
        tell("comparing", 0, 1)
        report = make_report(
            explained[0],
            judge_of(model),
            before=explained[1] if args.before else None,
            titles=TITLES,
            how=Resampling(seed=args.seed),
            shown=args.worst,
            notes=notes,
        )
        tell("comparing", 1, 1)
    _write_systems(args, report)
    worse = report.runs is not None and report.runs.is_worse
    return int(args.fail_if_worse and worse)


def _system_column(args: argparse.Namespace) -> str:
    """The one column that says who wrote a text; empty where none is named."""
    named = [name for columns in args.by for name in columns]
    if len(named) > 1:
        raise TableError(
            f"--by {','.join(named)}: without ratings a report compares the values of one column; name one"
        )
    column: str = named[0] if named else args.system_column or ""
    return column


def _read_systems(args: argparse.Namespace, by: str) -> tuple[list[list[TextRow]], list[str]]:
    """The rows of the table, and of the older one, and what there is to say of them."""
    from naturalness.reports.systems.rows import KEYS, Cells, arrange

    key = args.id_column or args.source_column or ""

    def read(path: str) -> NamedTexts:
        needed = [column for column in (by, key) if column]
        where = table_of(path, args.input_format)
        return read_named(where, text_column=args.text_column, required=needed, optional=KEYS)

    new = read(args.table)
    old = read(args.before) if args.before else None
    cells = [Cells(table.texts, table.problems, table.columns) for table in (new, old) if table is not None]
    tables, used = arrange(cells[0], cells[1] if old is not None else None, by=by, key=args.id_column or "")
    if not tables[0]:
        raise TableError(
            f"{args.table!r} has no rows with a system; check the column {by!r}"
            if by and new.texts
            else f"{args.table!r} has no rows"
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


def _write_systems(args: argparse.Namespace, report: SystemsReport) -> None:
    """A summary on standard output, the page or all data in a file."""
    from naturalness.reports.systems.page import make_page
    from naturalness.reports.systems.report import everything

    written = [path for path in (args.output, args.json) if path]
    for path in written:
        if path == args.output and Path(path).suffix.lower() == ".html":
            text = make_page(report, name=_file_name(args.table), before=_file_name(args.before))
        else:
            text = json.dumps(everything(report), indent=1, ensure_ascii=False) + "\n"
        # Half of a pair of surrogates, as JSON can hold, has no bytes of its own.
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    show_report(report)
    if written:
        sys.stdout.write(f"written: {' and '.join(written)}\n")


def _file_name(path: str | None) -> str:
    return Path(path).name if path else ""
