"""`naturalness train`: train, evaluate and save a model on rated texts."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import table_of
from naturalness.cli.options import (
    FROM_HINT,
    add_features_option,
    add_folder_output,
    add_jobs,
    add_nlp_option,
    add_parser_option,
    add_quiet,
    add_result_format,
    add_seed,
    add_store_option,
    argument,
    fraction,
    names,
    positive,
    with_parser,
)
from naturalness.cli.progress import stages
from naturalness.cli.rated import add_rating_options, measure_table, options_of
from naturalness.cli.results import show_results
from naturalness.errors import TrainingError
from naturalness.pipelines.planning import SETTINGS, THRESHOLD_METRICS, make_plan, threshold

if TYPE_CHECKING:
    from naturalness.pipelines.warm_start import Origin

LEARNERS = (
    "auto",
    "linear-svm-l1",
    "linear-svm-l2",
    "linear-svm-elastic",
    "rbf-svm",
    "logistic-l1",
    "logistic-l2",
    "logistic-elastic",
    "sgd",
    "perceptron",
    "neighbours",
    "adapted",
    "random-forest",
    "xgboost",
    "blend",
    "bigru",
)
"""Copy of the names in the table of learners, so that the command line starts quickly."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "train",
        help="train a model of your own on rated texts",
        description="Train a model on a table of rated or labelled texts, evaluate it and save it.",
        examples=(
            "naturalness train rated.csv -o my-model",
            "naturalness train rated.csv --learner rbf-svm --select rfe -o my-model",
            "naturalness train replies.csv --context-column question -o my-model",
        ),
        instead=dict.fromkeys(("--model", "--fast"), FROM_HINT),
    )
    parser.add_argument("table", metavar="RATED", help="table of texts with labels or ratings, or of pairs of texts")
    add_folder_output(parser.add_argument)
    add_rating_options(parser)
    _add_learning(parser)
    _add_measuring(parser)
    add_result_format(parser.add_argument)
    add_quiet(parser.add_argument)
    parser.set_defaults(run=run)


def _add_learning(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("learning").add_argument
    add(
        "--learner",
        choices=LEARNERS,
        default=LEARNERS[0],
        metavar="NAME",
        help=f"{', '.join(LEARNERS)}; auto chooses among the quick ones (default: auto)",
    )
    add(
        "--from",
        dest="start",
        metavar="MODEL",
        help="start from this model (a folder, default, fast or large), with the same features, and adapt it to "
        "the ratings (learner adapted starts from default)",
    )
    add_features_option(add, "those of the default model; all: all that need no further installation")
    add(
        "--numeric-columns",
        type=names,
        metavar="A,B",
        help="columns of numbers to use as features as well; the model then needs them to score",
    )
    add(
        "--context-column",
        metavar="NAME",
        help="column of what each text replies to, its turns on lines of their own: adds the features of replies; the "
        "model then reads it where a table has it",
    )
    add_parser_option(add)
    add("--select", choices=("none", "rfe"), default="none", help="rfe: recursive feature elimination (default: none)")
    add(
        "--thorough",
        action="store_true",
        help="try all learners and elimination, and measure what each group of features is worth",
    )
    add(
        "--class-weight",
        choices=("balanced", "none"),
        default="balanced",
        help="balanced: rare labels count as much as frequent ones (default: balanced)",
    )
    add(
        "--threshold",
        type=argument(threshold),
        default="weighted_f1",
        metavar="METRIC|X",
        help="where natural begins: a number, or the best one by "
        f"{', '.join(THRESHOLD_METRICS)} (default: weighted_f1)",
    )
    add_nlp_option(add, default=None)


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("measuring").add_argument
    add("--repeats", type=positive, default=10, metavar="N", help="random splits (default: 10)")
    add("--test-size", type=fraction, default=1 / 3, metavar="X", help="share of the texts for testing (default: 0.33)")
    add("--folds", type=positive, default=5, metavar="N", help="folds for tuning (default: 5)")
    add_seed(add)
    add_jobs(add)
    add_store_option(add)


def run(args: argparse.Namespace) -> int:
    """Train, evaluate, save, print the figures."""
    from naturalness.files.folder import check_folder

    folder = Path(args.output)
    check_folder(folder, force=args.force)
    options = options_of(args)
    from naturalness.features import DEFAULT, check_requirements, resolve
    from naturalness.features.columns import with_columns
    from naturalness.features.measuring import groups_for
    from naturalness.features.reply import OWN_CONTEXT
    from naturalness.judging.bundled import enclose
    from naturalness.models.learners.table import check_learner
    from naturalness.pipelines.rated import describe_reading, read_table, unmeasured
    from naturalness.pipelines.saving import save_training
    from naturalness.pipelines.train import check_plan, train
    from naturalness.pipelines.warm_start import without_known_ratings
    from naturalness.text.parsing import DEFAULT_PIPELINE, pipeline_language

    origin = _origin(args)
    settings = {name: getattr(args, name) for name in SETTINGS}
    plan = make_plan(settings, args.jobs, origin)
    named = args.features or (list(origin.features) if origin else None)
    if args.parser and named is None:  # who names a parser wants its trees
        named = [*DEFAULT, "constituency"]
    if args.numeric_columns:
        named = with_columns(named or list(DEFAULT), args.numeric_columns)
    if args.context_column:
        named = [*(named or DEFAULT), f"{OWN_CONTEXT}{args.context_column}"]
    groups = with_parser(groups_for(args.learner, named), args.parser)
    rated, rates = read_table(table_of(args.table, args.input_format), options, groups)
    reading = describe_reading(rated)
    if named is None and groups is not None:
        unseen = without_known_ratings(groups, rated.texts)
        if len(unseen) < len(groups):
            groups = unseen
            reading.append("ratings of these texts taught the shipped networks; features leave their rating head out")
    nlp = args.nlp or (origin.nlp if origin else DEFAULT_PIPELINE)
    check_learner(args.learner)
    try:
        check_plan(unmeasured(rated, rates, groups), plan)
    except TrainingError:
        # What was left out of the table may be why.
        sys.stderr.writelines(f"{line}\n" for line in reading if not args.quiet)
        raise
    with stages(quiet=args.quiet) as report:
        check_requirements(resolve(groups), language=pipeline_language(nlp))
        enclosed = enclose([group.name for group in resolve(groups)], nlp)
        texts = measure_table(args, rated, rates, groups, nlp=nlp, report=report)
        notes = [*reading, *texts.notes]
        if not args.quiet:
            sys.stderr.writelines(f"{line}\n" for line in notes)
        training = train(texts.data.part(texts.usable), plan, report=report)
        summary = save_training(
            folder,
            training,
            plan,
            groups=groups,
            nlp=nlp,
            force=args.force,
            notes={"notes": notes, "table": Path(args.table).name, "options": options, "settings": settings},
        )
    if args.format == "json":
        sys.stdout.write(json.dumps(summary, indent=1, ensure_ascii=False) + "\n")
    else:
        show_results(summary)
        sys.stdout.write(f"saved in {folder}: see card.md and report.html\n")
    sys.stderr.writelines(f"{line}\n" for line in enclosed.elsewhere())
    return 0


def _origin(args: argparse.Namespace) -> Origin | None:
    """Return the model that --from names; without another choice, the learner is then adapted."""
    if args.start is None:
        return None
    from naturalness.models.learners.table import ADAPTED, AUTO
    from naturalness.pipelines.warm_start import read_origin

    if args.learner == AUTO and not args.thorough:
        args.learner = ADAPTED
    elif args.learner != ADAPTED and not args.thorough:
        raise TrainingError(f"learner {args.learner!r} does not start from a model; leave out --learner, or --from")
    return read_origin(args.start)
