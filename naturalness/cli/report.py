"""`naturalness report`: where a model and the raters of a table disagree, and why, as a page."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import names, positive, seed, table_of
from naturalness.cli.planning import add_origin_option, cores, plan_again
from naturalness.cli.progress import Report, stages
from naturalness.cli.rated import (
    add_rating_options,
    check_judgeable,
    describe_reading,
    measured_rows,
    options_of,
    read_as_trained,
    unmeasured,
)
from naturalness.cli.report_systems import add_system_options, asks_for_systems, run_systems
from naturalness.cli.stored import add_store_option, open_store
from naturalness.errors import ModelError, TableError, damage_as

if TYPE_CHECKING:
    from naturalness.data.compared import Joined
    from naturalness.data.rated import RatedTexts
    from naturalness.pipelines.fitting import Settings
    from naturalness.pipelines.learning import Rated
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.reports.raters.ceiling import Label
    from naturalness.reports.raters.judged import Judged
    from naturalness.reports.raters.report import Extra

OUTPUTS = (".html", ".json")
SYSTEM, REGISTERS = "system", ("register", "genre", "domain")
"""Columns by which errors are counted where they are there."""
MOST = 60
"""Values of a column by which errors are still counted."""


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "report",
        help="where a model and raters disagree, or systems and runs differ, and why",
        description="A page on rated texts: figures, error rates by length, clauses, "
        "constructions and columns, the texts that are judged wrongly with explanations, doubtful "
        "labels, whether more ratings would help. On the table that the model was trained on, "
        "each text is judged by a model that learned from the others; on any other, texts that it "
        "was trained on are left out. Without ratings, --by COLUMN compares the systems that wrote "
        "the texts, and --before OLD two runs.",
    )
    parser.add_argument("model", metavar="MODEL", help="folder of a model, default or fast")
    parser.add_argument("table", metavar="TABLE", help="texts with labels or ratings, or without")
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", help="the page (.html), or everything as JSON (.json)")
    add("--json", metavar="FILE", help="everything as JSON, beside the page")
    add("--force", action="store_true", help="overwrite these files")
    add(
        "--by",
        action="append",
        type=names,
        default=[],
        metavar="COLUMN",
        help="count errors for each value of a column, beside system, register, genre and domain "
        "(repeatable); without ratings: who wrote a text",
    )
    add("--system-column", metavar="NAME", help="who wrote a text (system, if there is one)")
    add("--sentences", type=positive, default=50, metavar="N", help="texts in each list (50)")
    add("--seed", type=seed, default=0, metavar="N", help="seed of all that is drawn (0)")
    add_rating_options(parser)
    add_system_options(parser)
    add("--changed-assets", action="store_true", help="accept other assets than those of training")
    add("--jobs", type=positive, metavar="N", help="processes (one per core)")
    add_origin_option(add)
    add_store_option(add)
    add("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run, blank=options_of(parser.parse_args(["", ""])))


def run(given: argparse.Namespace) -> int:
    """Read, judge, report; write the page."""
    from naturalness.pipelines.scorer import model_folder, open_model
    from naturalness.pipelines.store import read_description
    from naturalness.reports.raters.judged import UNSEEN
    from naturalness.reports.raters.report import make_report
    from naturalness.reports.raters.result import everything

    unrated = asks_for_systems(given)
    _check_outputs(given, rated=not unrated)
    if unrated:
        return run_systems(given)
    # The manifest alone, so that a slip in the table is told before the model is opened.
    trained = read_description(model_folder(given.model))
    found, rates, options = read_as_trained(given.table, given, trained)
    if found.pairs:
        raise TableError(
            f"{given.table!r} holds pairs, and a report is about ratings or labels; see evaluate "
            "or compare, which judge by pairs"
        )
    extra = _join(given, found, options)
    model = open_model(given.model, changed_assets=given.changed_assets)
    made = model.saved.description
    check_judgeable(unmeasured(found, rates, made.groups), model, given.table)
    with stages(quiet=given.quiet) as progress:
        data, good, unusable = measured_rows(
            found, rates, made.groups, nlp=made.nlp, report=progress, store=open_store(given.store), quiet=given.quiet
        )
        notes = [*describe_reading(found), *unusable, *extra.notes]
        if not given.quiet:
            sys.stderr.writelines(f"{line}\n" for line in notes)
        data = data.part(good).with_columns(model.places())
        judged, learner = _judge(given, model, data, progress)
        if judged.how == UNSEEN and model.saved.seen.note:
            notes.append(model.saved.seen.note)
        result = make_report(
            judged,
            _extra(found, extra, good.tolist(), judged.data.classes),
            table=Path(given.table).name,
            model=_name(given.model),
            notes=notes,
            learner=learner,
            elimination=_elimination(model) if learner else None,
            whole=data,
            sentences=given.sentences,
            seed=given.seed,
            progress=progress,
        )
    _write(given, everything(result))
    return 0


def _check_outputs(given: argparse.Namespace, *, rated: bool) -> None:
    """Refuse what could not be read or written, before the work begins."""
    from naturalness.data.writing import check_writable

    if rated and table_of(given.table, given.input_format).is_stream:
        raise TableError("a report reads its table twice; give a file, not standard input")
    if rated and not given.output and not given.json:
        raise TableError("nowhere to write to; name a page with -o report.html, or --json FILE")
    if given.output and Path(given.output).suffix.lower() not in OUTPUTS:
        raise TableError(f"-o {given.output!r}: expected a name that ends in {' or '.join(OUTPUTS)}")
    for path in (given.output, given.json):
        if path:
            check_writable(Path(path), force=given.force)


def _name(model: str) -> str:
    """A model as the page calls it: the last part of its folder's path."""
    return Path(model).name or model


def _join(given: argparse.Namespace, found: RatedTexts, options: Mapping[str, Any]) -> Joined:
    """Systems, single ratings and columns to count errors by; the table is read once more."""
    from naturalness.data.compared import join
    from naturalness.data.reading import read_batches

    where = table_of(given.table, options["input_format"])
    first = next(read_batches(where, text_column=options["text_column"], batch_size=1))
    named = list(dict.fromkeys(name for columns in given.by for name in columns))
    usual = [name for name in REGISTERS if name in first.columns and name not in named]
    extra = join(where, found, options, system_column=given.system_column, by=[*named, *usual], needs_references=False)
    for name in [*named, *usual]:
        many = len(set(extra.by[name]))
        if many > MOST and name in named:
            raise TableError(f"column {name!r} has {many:,} different values; --by takes one with {MOST} or fewer")
        if many > MOST or name == SYSTEM:
            del extra.by[name]
    return extra


def _judge(
    given: argparse.Namespace, model: NaturalnessModel, data: Rated, progress: Report
) -> tuple[Judged, Settings | None]:
    """The judged texts, and on the model's own table the learner that it was made by."""
    from dataclasses import replace

    from naturalness.pipelines.evaluation import ELIMINATED
    from naturalness.pipelines.train import fingerprint
    from naturalness.reports.raters.judged import judge_out_of_fold, judge_unseen

    made = model.saved.description
    settings = made.training.get("settings")
    if made.training.get("fingerprint") != fingerprint(data) or not isinstance(settings, dict):
        return judge_unseen(data, model), None
    assert model.folder is not None  # it was opened from one
    plan = plan_again(model.folder, made.training, given.jobs, given.start)
    recipe = plan.settings
    fixed = replace(recipe, learner=made.learner, parameters=dict(made.parameters), select="none")
    slim = str(_metrics(model).get("model", {}).get("recipe", "")).endswith(ELIMINATED)
    own = replace(recipe, learner=made.learner, select="rfe" if slim else recipe.select)
    judged = judge_out_of_fold(
        data,
        model,
        own,
        plan.protocol.threshold,
        n_jobs=given.jobs or cores(),
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
    found = metrics.get("elimination")
    return None if found is None else {**found, "figure": metrics["protocol"]["chosen_by"]}


def _extra(found: RatedTexts, extra: Joined, good: Sequence[int], classes: Sequence[str]) -> Extra:
    """What the table tells beside texts, labels and ratings, of the texts that can be judged."""
    from naturalness.reports.raters.report import Extra

    def kept(values: Sequence[Any] | None) -> list[Any] | None:
        return None if values is None else [values[row] for row in good]

    return Extra(
        kept(found.rows) or [],
        kept(extra.systems),
        kept(extra.singles),
        kept(extra.raters),
        {name: kept(values) or [] for name, values in extra.by.items()},
        _label_of(found, classes),
    )


def _label_of(found: RatedTexts, classes: Sequence[str]) -> Label | None:
    """What makes places of labels of single ratings, where a rule does."""
    rule = found.rule
    if rule is None:
        return None
    ours = {name.lower(): place for place, name in enumerate(classes)}
    theirs = found.classes

    def label(single: Sequence[float], mean: float) -> int:
        name = rule.label([single], [mean])
        if name is None:
            return -1
        if all(other.lower() in ours for other in theirs):
            return ours[name.lower()]
        # Two labels of other names go by their order, else the best is held against the rest.
        return theirs.index(name) if len(theirs) == 2 else int(name == theirs[-1])

    return label


def _write(given: argparse.Namespace, data: dict[str, Any]) -> None:
    """The page, all data, and on standard output what they come to."""
    from naturalness.reports.raters.page import make_page

    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    if given.json:
        Path(given.json).write_text(text, encoding="utf-8")
    if given.output:
        html = Path(given.output).suffix.lower() == ".html"
        Path(given.output).write_text(make_page(data) if html else text, encoding="utf-8")
    sys.stdout.writelines(f"{line}\n" for line in (*data["headline"], *data["advice"]))
    written = " and ".join(path for path in (given.output, given.json) if path)
    sys.stdout.write(f"written: {written}\n")
