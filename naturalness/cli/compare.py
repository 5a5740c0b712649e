"""`naturalness compare`: which metric correlates best with human ratings, with what uncertainty, and on which texts."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.inputs import note, print_json, table_of
from naturalness.cli.options import open_store
from naturalness.cli.parser import as_options
from naturalness.cli.progress import Report, stages
from naturalness.cli.rated import options_of
from naturalness.errors import ModelError, TableError
from naturalness.pages.output import check_pages, write_pages
from naturalness.pipelines.planning import cores
from naturalness.pipelines.rated import describe_reading, read_table, reread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from naturalness.data.compared import Joined
    from naturalness.data.rated import RatedTexts
    from naturalness.pipelines.scorer import NaturalnessModel
    from naturalness.reports.metrics.result import Comparison
    from naturalness.reports.metrics.scoring import OutOfFold


def run(args: argparse.Namespace) -> int:
    """Read the tables, compare metrics, print the result and write the page."""
    from naturalness.reports.metrics.compare import check_rated

    check_pages(args.output, force=args.force)
    rated, extra = _read(args)
    check_rated(_ratings(rated))
    with stages() as report:
        result = _compare(args, rated, extra, report)
    note([*describe_reading(rated)[1:], *extra.notes])
    _tell(args, result)
    return 0


def _read(args: argparse.Namespace) -> tuple[RatedTexts, Joined]:
    """Return the rated texts, and the columns of systems, references and scores."""
    from naturalness.data.compared import join

    needs_references = _needs_references(args.metrics)
    options = options_of(args)
    where = table_of(args.table, options["input_format"])
    # In the long format each row is one rater's rating, so rows with the same text belong together.
    options["keep_duplicates"] = None if args.duplicates == "keep" else False
    rated, _ = read_table(where, options)
    if rated.pairs:
        raise TableError(
            f"{args.table!r} holds pairs of texts, by which evaluate judges a model; compare needs ratings"
        )
    return rated, join(
        where,
        rated,
        options,
        system_column=args.system_column,
        by=_by(args),
        scores=list(dict.fromkeys([*args.scores, *args.lower_scores])),
        needs_references=needs_references,
    )


def _by(args: argparse.Namespace) -> list[str]:
    return list(dict.fromkeys(column for columns in args.by for column in columns))


def _needs_references(metrics: list[str] | None) -> bool:
    """Return whether any metric needs references; raise if a name is unknown."""
    from naturalness.metrics import resolve
    from naturalness.reports.metrics.scoring import SVR

    if metrics is None or SVR in metrics:
        return True
    return any(metric.needs_references for metric in resolve(metrics))


def resamples(value: str) -> int:
    """Read a number of resamples; refuse one that is too small for an interval."""
    from naturalness.statistics.bootstrap import MIN_RESAMPLES

    if not value.isdecimal() or int(value) < MIN_RESAMPLES:
        raise argparse.ArgumentTypeError(f"expected a whole number, {MIN_RESAMPLES} or more, found {value!r}")
    return int(value)


def _compare(args: argparse.Namespace, rated: RatedTexts, extra: Joined, report: Report) -> Comparison:
    from naturalness.pipelines.scorer import load_model
    from naturalness.reports.metrics.compare import Columns, compare
    from naturalness.reports.metrics.result import Settings

    models = [load_model(name) for name in args.model]
    return compare(
        rated.texts,
        _ratings(rated),
        args.metrics,
        Columns(
            references=extra.references,
            systems=extra.systems,
            by=extra.by,
            singles=extra.singles,
            raters=extra.raters,
            sources=rated.groups,
            scores={name: extra.scores[name] for name in args.scores},
            lower_scores={name: extra.scores[name] for name in args.lower_scores},
        ),
        models=models,
        settings=Settings(bands=args.bands, resamples=args.resamples, seed=args.seed, jobs=args.jobs or cores()),
        out_of_fold=_out_of_fold(args, models, report),
        advance=report,
    )


def _out_of_fold(args: argparse.Namespace, models: Sequence[NaturalnessModel], report: Report) -> OutOfFold:
    """Return the out-of-fold naturalness of the texts for the models whose training table this is."""
    from naturalness.pipelines.rated import measure_rated
    from naturalness.reports.raters.judged import judge_out_of_fold, recipe_of

    out: dict[str, dict[str, float]] = {}
    for model in models:
        trained = model.saved.description
        read = reread(table_of(args.table, None), trained, options_of(args))
        if read is None or not any(map(model.knows, read[0].texts)):
            continue
        store = open_store(None)
        texts = measure_rated(*read[:2], trained.features, nlp=trained.nlp, store=store, report=report)
        data = texts.data.part(texts.usable).with_columns(model.positions)
        try:
            recipe = recipe_of(model, data)
        except ModelError as error:  # such as for a model whose starting model is not here
            note([f"model {model.name!r} is not judged out of fold: {as_options(str(error))}"])
            continue
        if recipe is not None:
            judged = judge_out_of_fold(data, model, recipe, n_jobs=args.jobs or cores())
            out[model.name] = dict(zip(map(str.strip, data.texts), judged.naturalness.tolist(), strict=True))
    return out


def _ratings(rated: RatedTexts) -> list[float]:
    """Return the ratings; if there are only labels, return their ranks from worst to best."""
    if any(rating == rating for rating in rated.ratings):
        return rated.ratings
    rank = {name: float(i) for i, name in enumerate(rated.classes)}
    return [rank[label] if label is not None else float("nan") for label in rated.labels]


def _tell(args: argparse.Namespace, result: Comparison) -> None:
    """Print the result of a comparison, and write the output files: pages or, as JSON, all data."""
    from naturalness.cli.results import show_comparison
    from naturalness.reports.metrics.page import make_page
    from naturalness.reports.metrics.result import everything, reasons_in_lines, table_of

    write_pages(args.output, lambda: make_page(result, name=Path(args.table).name), lambda: everything(result))
    if args.format == "json":
        print_json(table_of(result))
        note(reasons_in_lines(result.left_out))
        return
    show_comparison(result, _by(args))
    if args.output:
        sys.stdout.write(f"written: {' and '.join(args.output)}\n")
