"""Compare metrics, models and columns of scores by their correlation with the ratings of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.data.compared import Joined, join
from naturalness.data.formats import Location
from naturalness.data.rated import RatedTexts
from naturalness.errors import ModelError, TableError, TrainingError
from naturalness.files.store import MeasurementStore, as_store
from naturalness.metrics import resolve
from naturalness.metrics.base import Metric
from naturalness.metrics.documents import LENGTH
from naturalness.pipelines.rated import describe_reading, measure_rated, read_table, reread, table_options
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.progress import Progress, silent
from naturalness.reports.metrics.figures import RatedRows, judge_all
from naturalness.reports.metrics.result import Comparison
from naturalness.reports.metrics.scoring import OutOfFold, check_metrics, score_columns, score_metrics, score_model
from naturalness.reports.metrics.subsets import make_subsets
from naturalness.reports.raters.judged import judge_out_of_fold, recipe_of
from naturalness.statistics.agreement import agree
from naturalness.statistics.bootstrap import Resampling
from naturalness.statistics.correlation import MIN_ROWS
from naturalness.statistics.folds import group_numbers
from naturalness.statistics.significance import compare_all
from naturalness.text.parsing import parse_stream

if TYPE_CHECKING:
    from spacy.tokens import Doc


def compare_table(
    where: Location,
    *,
    metrics: Sequence[str] | None = None,
    models: Sequence[str] = (),
    scores: Sequence[str] = (),
    lower_scores: Sequence[str] = (),
    by: Sequence[str] = (),
    system_column: str | None = None,
    jobs: int = 1,
    store: MeasurementStore | str | Path | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> Comparison:
    """Compare metrics, models and columns of scores by their correlation with the ratings of a table.

    ``metrics`` are names; None means all available metrics. ``reading`` are options of the table. Rows with the same
    text stay separate, except in the long format, in which each row is one rater's rating.
    """
    chosen, named = resolve(metrics), dict.fromkeys([*scores, *lower_scores])
    if both := [name for name in scores if name in lower_scores]:
        raise TableError(f"column {both[0]!r} is among `scores` and `lower_scores`; choose one")
    options = table_options(reading)
    rated = read_table(where, options, merge=False)
    if rated.pairs:
        raise TableError(f"{where.path!r} holds pairs of texts, for train and evaluate; compare needs ratings")
    needs_references = metrics is None or any(metric.needs_references for metric in chosen)
    extra = join(where, rated, system_column=system_column, by=by, scores=[*named], needs_references=needs_references)
    ratings = _ratings(rated)
    check_rated(ratings)
    if metrics is not None:
        check_metrics(chosen, extra.references)
    opened = [load_model(name) for name in models]
    judged, notes = _out_of_fold(where, rated.texts, options, opened, jobs, as_store(store), progress)
    return compare(
        rated.texts,
        ratings,
        None if metrics is None else chosen,
        extra,
        sources=rated.groups,
        lower=lower_scores,
        models=opened,
        out_of_fold=judged,
        jobs=jobs,
        notes=[*notes, *describe_reading(rated)[1:], *extra.notes],
        advance=progress,
    )


def _out_of_fold(
    where: Location,
    texts: Sequence[str],
    options: dict[str, Any],
    models: Sequence[NaturalnessModel],
    jobs: int,
    store: MeasurementStore | None,
    progress: Progress,
) -> tuple[OutOfFold, list[str]]:
    """Return the out-of-fold naturalness of the texts for the models whose training table this is, and notes on models
    that cannot be judged so.
    """
    out: dict[str, dict[str, float]] = {}
    notes = []
    for model in models:
        if where.is_stream:  # its texts cannot be read again with the options of the training
            seen = any(map(model.knows, texts))
            notes += [f"model {model.name!r} is not judged out of fold: a stream is read once; name a file"] * seen
            continue
        trained = model.saved.description
        rated = reread(where, trained, options)
        if rated is None or not any(map(model.knows, rated.texts)):
            continue
        measured = measure_rated(rated, trained.features, nlp=trained.nlp, store=store, progress=progress)
        data = measured.usable_data.with_columns(model.positions)
        try:
            recipe = recipe_of(model, data)
        except ModelError as error:  # such as for a model whose starting model is not here
            notes.append(f"model {model.name!r} is not judged out of fold: {error}")
            continue
        if recipe is not None:
            judged = judge_out_of_fold(data, model, recipe, n_jobs=jobs)
            out[model.name] = dict(zip(map(str.strip, data.texts), judged.naturalness.tolist(), strict=True))
    return out, notes


def _ratings(rated: RatedTexts) -> list[float]:
    """Return the ratings; if there are only labels, return their ranks from worst to best."""
    if any(rating == rating for rating in rated.ratings):
        return rated.ratings
    rank = {name: float(i) for i, name in enumerate(rated.classes)}
    return [rank[label] if label is not None else float("nan") for label in rated.labels]


def check_rated(ratings: Sequence[float]) -> None:
    """Raise an error if there are too few ratings for a correlation."""
    rated = sum(rating == rating for rating in ratings)
    if rated < MIN_ROWS:
        raise TrainingError(f"{rated} rated texts; a comparison needs {MIN_ROWS} or more: rate more texts")


def compare(
    texts: Sequence[str] | Sequence[Doc],
    ratings: Sequence[float],
    metrics: Sequence[Metric] | None = None,
    columns: Joined | None = None,
    *,
    sources: Sequence[Hashable] | None = None,
    lower: Collection[str] = (),
    models: Sequence[NaturalnessModel] = (),
    out_of_fold: OutOfFold | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    notes: Sequence[str] = (),
    advance: Progress = silent,
) -> Comparison:
    """Evaluate metrics by how well their scores agree with ratings.

    Texts of one source are resampled together. ``lower`` are the columns of scores for which lower is better; models
    and columns of scores are evaluated like metrics. A model has no score for a text that it was trained on, unless
    ``out_of_fold`` has one. ``metrics`` None means all metrics; those that are unavailable are then left out.
    ``advance`` is called with the stage, the number done and the total.
    """
    extra, how = columns or Joined(), resampling or Resampling()
    chosen = list(dict.fromkeys(resolve(metrics)))
    distinct = {model.name: model for model in models}
    names = Counter([*(metric.name for metric in chosen), *distinct, *extra.scores])
    if same := [name for name, n in names.items() if n > 1]:
        raise TableError(
            f"several metrics, models or columns of scores are named {same[0]!r}; leave one out or rename it"
        )
    systems = extra.systems and [system or None for system in extra.systems]
    parts = make_subsets(len(texts), systems, extra.by)
    docs = _parse(texts, advance)
    scored, left_out = score_metrics(chosen, docs, extra.references, strict=metrics is not None, advance=advance)
    for number, model in enumerate(distinct.values()):
        advance("models", number, len(distinct))
        refitted = (out_of_fold or {}).get(model.name, {})
        scored.append(score_model(model, docs, refitted))
    scored += score_columns(extra.scores, lower)
    if not scored:
        raise TrainingError("; ".join(["no metric is left to compare", *left_out]))
    rated = RatedRows(
        np.asarray(ratings, dtype=np.float64), group_numbers(sources, len(docs)), LENGTH.score(docs), systems
    )
    return Comparison(
        tuple(scored),
        tuple(judge_all(scored, rated, parts, how, jobs, advance)),
        tuple(compare_all({entry.name: entry.scores for entry in scored}, rated.ratings, rated.groups)),
        agreement=None if extra.singles is None else agree(extra.singles, extra.raters),
        n_texts=len(docs),
        n_sources=len(np.unique(rated.groups)),
        n_systems=len(set(systems or ()) - {None}),
        left_out=tuple(left_out),
        resamples=how.resamples,
        notes=tuple(notes),
    )


def _parse(texts: Sequence[str] | Sequence[Doc], advance: Progress) -> list[Doc]:
    """Parse texts and report progress; Docs are returned unchanged."""
    docs: list[Doc] = []
    for doc in parse_stream(texts) if isinstance(texts[0], str) else texts:
        docs.append(doc)
        if len(docs) % 64 == 0 or len(docs) == len(texts):
            advance("reading texts", len(docs), len(texts))
    return docs
