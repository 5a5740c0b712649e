"""`naturalness evaluate`: evaluate a model; on its training table, repeat the training protocol."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import note, print_json
from naturalness.cli.progress import Report, stages
from naturalness.cli.rated import measure_table, read_as_trained
from naturalness.cli.results import show_results
from naturalness.cli.terminal import print_table
from naturalness.errors import ModelError, damage_as
from naturalness.pipelines.planning import plan_again

if TYPE_CHECKING:
    from naturalness.pipelines.learning import Rated
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.reports.assess import Assessment


def run(args: argparse.Namespace) -> int:
    """Evaluate a model and print the figures; return 1 if repeating the training protocol gives other figures."""
    from naturalness.judging.folder import read_description
    from naturalness.judging.opened import model_folder
    from naturalness.pipelines.rated import describe_reading, unmeasured
    from naturalness.pipelines.scorer import open_model
    from naturalness.pipelines.train import fingerprint
    from naturalness.reports.assess import check_judgeable

    # Read only the manifest, so that errors in the table are reported before the model is opened.
    trained = read_description(model_folder(args.model))
    rated, rates, _ = read_as_trained(args.table, args, trained)
    model = open_model(args.model)
    description = model.saved.description
    check_judgeable(unmeasured(rated, rates, description.features), model, args.table)
    with stages() as report:
        texts = measure_table(args, rated, rates, description.features, nlp=description.nlp, report=report)
        data = texts.data.part(texts.usable).with_columns(model.positions)
        note((*describe_reading(rated), *texts.notes))
        if description.training.get("fingerprint") == fingerprint(data):
            return _repeat(args, model, data, report)
    return _assess(args, model, data)


def _repeat(args: argparse.Namespace, model: NaturalnessModel, data: Rated, report: Report) -> int:
    """Repeat the training protocol and compare the results with the figures in the model's folder."""
    from naturalness.judging.opened import model_folder
    from naturalness.pipelines.summary import read_summary, summarise
    from naturalness.pipelines.train import train

    path = model_folder(args.model) / "metrics.json"
    with damage_as(ModelError, path, "copy the whole folder"):
        before = read_summary(path.read_bytes())
    plan = plan_again(path.parent, model.saved.description.training, args.jobs, args.start)
    after = summarise(train(data, plan, report=report), plan, model.groups)
    if args.format == "json":
        print_json(after)
    else:
        show_results(after)
    # Earlier releases had fewer baselines and figures, and recorded less about the model.
    same = all(
        _recorded(after[part], before.get(part)) == before.get(part) for part in ("learners", "baselines", "model")
    )
    outcome = "the same figures as in" if same else "other figures than in"
    sys.stderr.write(f"this is the training table: the protocol was repeated, with {outcome} {path}\n")
    return int(not same)


def _recorded(after: Any, before: Any) -> Any:
    """Return the parts of ``after`` that ``before`` has, too."""
    if isinstance(after, dict) and isinstance(before, dict):
        return {name: _recorded(after.get(name), value) for name, value in before.items()}
    if isinstance(after, list) and isinstance(before, list) and len(after) == len(before):
        return [_recorded(*pair) for pair in zip(after, before, strict=True)]
    return after


def _assess(args: argparse.Namespace, model: NaturalnessModel, data: Rated) -> int:
    from naturalness.pipelines.summary import rounded
    from naturalness.reports.assess import all_seen, assess, assessment_data

    result = assess(data, model)
    if not result.texts:
        raise all_seen(result.seen, args.table)
    if note := model.saved.seen.note:
        sys.stderr.write(f"{note}\n")
    if args.format == "json":
        print_json(rounded(assessment_data(result)))
    else:
        _show(result)
    return 0


def _show(result: Assessment) -> None:
    """Print the figures with their intervals, and the number of texts or pairs."""
    from naturalness.pipelines.card import short
    from naturalness.pipelines.evaluation import FIGURE_TITLES
    from naturalness.statistics.bootstrap import too_few

    def cells(*values: float) -> list[str]:
        return [short(v) if v == v else "–" for v in values]

    figures = [[FIGURE_TITLES.get(name, name), *cells(*v)] for name, v in result.figures.items()]
    print_table(("", "value", "from", "to"), [figures])
    if result.phenomena:
        rows = [
            [name, *cells(share.value, share.low, share.high), f"{share.pairs:,}"]
            for name, share in result.phenomena.items()
        ]
        print_table(("pairs ordered correctly", "value", "from", "to", "pairs"), [rows])
    trained = "left out: the model was trained on them\n"
    if result.pairs:
        left_out = f"{result.pairs_seen:,} pair{'s'[: result.pairs_seen != 1]} with texts {trained}"
        sys.stdout.write(
            f"{result.pairs:,} pair{'s'[: result.pairs != 1]} of {result.texts:,} texts; from and to: 95 % interval; "
            "pairs of one source, or that share a text, count for less the more they are alike\n"
            + (left_out if result.pairs_seen else "")
        )
        return
    few = too_few(result.sources)
    intervals = f"no intervals: {few}" if few else "from and to: 95 % interval, sources resampled"
    sys.stdout.write(
        f"{result.texts:,} text{'s'[: result.texts != 1]}; {intervals}\n"
        + (f"{result.seen:,} text{'s'[: result.seen != 1]} {trained}" if result.seen else "")
    )
