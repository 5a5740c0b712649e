"""Compare metrics on a table of rated texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from naturalness.data.compared import Joined, join
from naturalness.data.formats import Location
from naturalness.data.rated import RatedTexts
from naturalness.errors import ModelError, TableError
from naturalness.files.store import MeasurementStore
from naturalness.metrics import resolve
from naturalness.pipelines.evaluation import Report
from naturalness.pipelines.rated import describe_reading, measure_rated, read_table, reread, table_options
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.metrics.compare import ComparisonColumns, check_rated, compare
from naturalness.reports.metrics.result import Comparison, ComparisonSettings
from naturalness.reports.metrics.scoring import SVR, OutOfFold
from naturalness.reports.raters.judged import judge_out_of_fold, recipe_of


def compare_table(
    where: Location,
    *,
    metrics: Sequence[str] | None = None,
    models: Sequence[str] = (),
    scores: Sequence[str] = (),
    lower_scores: Sequence[str] = (),
    by: Sequence[str] = (),
    system_column: str | None = None,
    settings: ComparisonSettings,
    store: MeasurementStore | None = None,
    progress: Report,
    note: Callable[[Iterable[str]], object],
    **reading: Any,
) -> Comparison:
    """Compare metrics, models and columns of scores by their correlation with the ratings of a table.

    ``reading`` are options of the table. Rows with the same text are merged only in the long format, in which each row
    is one rater's rating.
    """
    needs_references = metrics is None or SVR in metrics or any(m.needs_references for m in resolve(metrics))
    options = table_options(reading)
    rated, _ = read_table(where, options, merge=False)
    if rated.pairs:
        raise TableError(f"{where.path!r} holds pairs of texts, which only evaluate can use; compare needs ratings")
    named = dict.fromkeys([*scores, *lower_scores])
    extra = join(
        where, rated, options, system_column=system_column, by=by, scores=[*named], needs_references=needs_references
    )
    ratings = _ratings(rated)
    check_rated(ratings)
    opened = [load_model(name) for name in models]
    judged = _out_of_fold(where, options, opened, settings.jobs, store, progress, note)
    columns = _columns(extra, rated, scores, lower_scores)
    result = compare(
        rated.texts, ratings, metrics, columns, models=opened, settings=settings, out_of_fold=judged, advance=progress
    )
    note([*describe_reading(rated)[1:], *extra.notes])
    return result


def _columns(extra: Joined, rated: RatedTexts, scores: Sequence[str], lower_scores: Sequence[str]) -> ComparisonColumns:
    return ComparisonColumns(
        references=extra.references,
        systems=extra.systems,
        by=extra.by,
        singles=extra.singles,
        raters=extra.raters,
        sources=rated.groups,
        scores={name: extra.scores[name] for name in scores},
        lower_scores={name: extra.scores[name] for name in lower_scores},
    )


def _out_of_fold(
    where: Location,
    options: dict[str, Any],
    models: Sequence[NaturalnessModel],
    jobs: int,
    store: MeasurementStore | None,
    progress: Report,
    note: Callable[[Iterable[str]], object],
) -> OutOfFold:
    """Return the out-of-fold naturalness of the texts for the models whose training table this is."""
    out: dict[str, dict[str, float]] = {}
    for model in models:
        trained = model.saved.description
        read = reread(where, trained, options)
        if read is None or not any(map(model.knows, read[0].texts)):
            continue
        texts = measure_rated(*read[:2], trained.features, nlp=trained.nlp, store=store, report=progress)
        data = texts.data.part(texts.usable).with_columns(model.positions)
        try:
            recipe = recipe_of(model, data)
        except ModelError as error:  # such as for a model whose starting model is not here
            note([f"model {model.name!r} is not judged out of fold: {error}"])
            continue
        if recipe is not None:
            judged = judge_out_of_fold(data, model, recipe, n_jobs=jobs)
            out[model.name] = dict(zip(map(str.strip, data.texts), judged.naturalness.tolist(), strict=True))
    return out


def _ratings(rated: RatedTexts) -> list[float]:
    """Return the ratings; if there are only labels, return their ranks from worst to best."""
    if any(rating == rating for rating in rated.ratings):
        return rated.ratings
    rank = {name: float(i) for i, name in enumerate(rated.classes)}
    return [rank[label] if label is not None else float("nan") for label in rated.labels]
