"""`naturalness train`: train, evaluate and save a model on rated texts."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import LEFT_OUT, note, print_json, table_of
from naturalness.cli.options import argument, with_parser
from naturalness.cli.progress import stages
from naturalness.cli.rated import measure_table, options_of
from naturalness.cli.results import show_results
from naturalness.errors import TrainingError
from naturalness.pipelines.planning import SETTINGS, make_plan, threshold

if TYPE_CHECKING:
    from naturalness.pipelines.warm_start import Origin


threshold_or_metric = argument(threshold)


def run(args: argparse.Namespace) -> int:
    """Train, evaluate and save a model, and print its figures."""
    from naturalness.files.folder import check_folder

    folder = Path(args.output)
    check_folder(folder, force=args.force)
    options = options_of(args)
    from naturalness.features import DEFAULT, check_requirements, resolve
    from naturalness.features.measuring import groups_for
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
    if args.parser and named is None:  # naming a parser implies the features of its trees
        named = [*DEFAULT, "constituency"]
    groups = with_parser(groups_for(args.learner, named), args.parser)
    rated, rates = read_table(table_of(args.table, args.input_format), options)
    reading = describe_reading(rated)
    if named is None and groups is not None:
        unseen = without_known_ratings(groups, rated.texts)
        if len(unseen) < len(groups):
            groups = unseen
            reading.append("ratings of these texts taught the shipped networks; features leave their rating head out")
    nlp = args.nlp or (origin.nlp if origin else DEFAULT_PIPELINE)
    check_learner(args.learner)
    unfilled = unmeasured(rated, rates, groups)
    if (pairs := unfilled.pairs_of_sources) is not None:
        reading.append(f"{len(pairs):,} pairs of texts of one source with different ratings are compared")
    try:
        check_plan(unfilled, plan)
    except TrainingError as error:
        # Rows left out of the table may be the reason.
        unread = [line for line in reading if line.startswith(LEFT_OUT)]
        raise TrainingError("; ".join([str(error), *unread])) from None
    with stages() as report:
        check_requirements(resolve(groups), language=pipeline_language(nlp))
        enclosed = enclose([group.name for group in resolve(groups)])
        texts = measure_table(args, rated, rates, groups, nlp=nlp, report=report)
        notes = [*reading, *texts.notes]
        note(notes)
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
        print_json(summary)
    else:
        show_results(summary)
        sys.stdout.write(f"saved in {folder}: see card.md and report.html\n")
    note(enclosed.elsewhere())
    return 0


def _origin(args: argparse.Namespace) -> Origin | None:
    """Return the model that --from names, and make the adapted learner the default; None if --from is not given."""
    if args.start is None:
        return None
    from naturalness.models.learners.table import ADAPTED, AUTO, LEARNERS
    from naturalness.pipelines.warm_start import read_origin

    if args.learner == AUTO and not args.thorough:
        args.learner = ADAPTED
    elif not args.thorough and not LEARNERS[args.learner].adapts:
        raise TrainingError(f"learner {args.learner!r} does not start from a model; leave out --learner, or --from")
    return read_origin(args.start)
