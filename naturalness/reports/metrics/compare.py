"""Compare metrics with human ratings: correlate scores with ratings, on all texts and on subsets, and test the
differences between metrics.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import TableError, TrainingError
from naturalness.metrics import resolve
from naturalness.metrics.base import Metric, References
from naturalness.metrics.documents import LENGTH
from naturalness.reports.metrics.figures import RatedDocs, judge_all
from naturalness.reports.metrics.result import Comparison, ComparisonSettings, reasons_in_lines
from naturalness.reports.metrics.scoring import (
    SVR,
    SVR_PARTS,
    Advance,
    LeftOutMetric,
    OutOfFold,
    Scored,
    check_metrics,
    named_models,
    score_columns,
    score_metrics,
    score_model,
    score_svr,
)
from naturalness.reports.metrics.subsets import make_subsets
from naturalness.statistics.agreement import agree
from naturalness.statistics.bootstrap import MIN_RESAMPLES
from naturalness.statistics.correlation import MIN_ROWS
from naturalness.statistics.folds import group_numbers
from naturalness.statistics.significance import compare_all
from naturalness.text.parsing import as_docs, parse_stream

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.pipelines.scorer import NaturalnessModel

Texts = Sequence[str] | Sequence["Doc"]


@dataclass(frozen=True, slots=True)
class ComparisonColumns:
    """Optional columns, each with one entry per text; None or empty if there is no such column."""

    references: References | None = None
    """The references of each text; an empty list for a text without references."""
    systems: Sequence[str | None] | None = None
    """The system that wrote each text; None for a text without a system or with several systems."""
    by: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns to group texts by, keyed by column name; metrics are also evaluated on the texts of each group."""
    singles: Sequence[Sequence[float]] | None = None
    """The individual ratings of each text."""
    raters: Sequence[Sequence[Hashable]] | None = None
    """The raters who gave the individual ratings, in the same order."""
    sources: Sequence[Hashable] | None = None
    """The source of each text; texts of one source are resampled together and stay in one fold."""
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Precomputed scores for which higher is better, keyed by name; NaN for a text without a score."""
    lower_scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Precomputed scores for which lower is better, keyed by name."""

    def named(self) -> dict[str, Sequence[object] | None]:
        """Return all columns by name, so that their lengths can be checked."""
        return {
            "references": self.references,
            "systems": self.systems,
            "singles": self.singles,
            "raters": self.raters,
            "sources": self.sources,
            **self.by,
            **self.scores,
            **self.lower_scores,
        }


def compare(
    texts: Texts,
    ratings: Sequence[float],
    metrics: Sequence[str | Metric] | None = None,
    columns: ComparisonColumns | None = None,
    *,
    models: Sequence[NaturalnessModel] = (),
    settings: ComparisonSettings | None = None,
    out_of_fold: OutOfFold | None = None,
    advance: Advance = lambda stage, done, total: None,
) -> Comparison:
    """Evaluate metrics by how well their scores agree with ratings.

    ``metrics`` are names, including ``svr``, or objects; None means all available metrics. ``models`` and columns of
    scores are evaluated as well; a model has the name of its folder. Texts are parsed once, and each metric scores them
    once. A model has no score for a text that it was trained on, unless ``out_of_fold`` has one. ``advance`` is called
    with the stage, the number done and the total.
    """
    how, known_columns = settings or ComparisonSettings(), columns or ComparisonColumns()
    _check(texts, {"ratings": ratings, **known_columns.named()}, how)
    check_rated(ratings)
    y = np.asarray(ratings, dtype=np.float64)
    parts = make_subsets(y, known_columns.systems, known_columns.by, how.bands)
    chosen = _chosen(metrics)
    scored, left_out, known = _score_all(texts, y, metrics, chosen, models, known_columns, how, out_of_fold, advance)
    return Comparison(
        metrics=tuple(scored),
        rows=tuple(judge_all(scored, known, parts, how, advance)),
        pairs=tuple(compare_all({entry.name: entry.scores for entry in scored}, known.ratings)),
        agreement=None if known_columns.singles is None else agree(known_columns.singles, known_columns.raters),
        ratings=known.ratings,
        systems=known.systems,
        n_sources=len(np.unique(known.groups)),
        left_out=tuple(left_out),
        settings=how,
    )


def _score_all(
    texts: Texts,
    ratings: FloatArray,
    metrics: Sequence[str | Metric] | None,
    chosen: Sequence[Metric],
    models: Sequence[NaturalnessModel],
    columns: ComparisonColumns,
    how: ComparisonSettings,
    out_of_fold: OutOfFold | None,
    advance: Advance,
) -> tuple[list[Scored], list[LeftOutMetric], RatedDocs]:
    """Check the request, parse the texts and score them.

    Return the scores, the metrics that were left out, and the parsed texts.
    """
    svr = metrics is None or SVR in metrics
    if metrics is not None:
        check_metrics([*chosen, *resolve(SVR_PARTS if svr else ())], columns.references)
    names = {metric.name for metric in chosen} | ({SVR} if svr else set())
    named = named_models(models, names)
    _check_scores(columns, names, named)
    docs = _parsed(texts, how, advance)
    known = RatedDocs(
        docs,
        ratings=ratings,
        groups=group_numbers(columns.sources, len(docs)),
        lengths=LENGTH.score(docs),
        systems=None if columns.systems is None else tuple(s if s is None else str(s) for s in columns.systems),
    )
    references = columns.references if any(columns.references or ()) else None
    scored, left_out = _score(known, references, chosen, how, advance, strict=metrics is not None, svr=svr)
    for number, (name, model) in enumerate(named.items()):
        advance("models", number, len(named))
        refitted = (out_of_fold or {}).get(model.name, {})
        scored.append(score_model(model, docs, how.nlp, name=name, out_of_fold=refitted))
    scored += score_columns(columns.scores, columns.lower_scores)
    if not scored:
        raise TrainingError("; ".join(["no metric is left to compare", *reasons_in_lines(left_out)]))
    return scored, left_out, known


def _check(texts: Texts, columns: Mapping[str, Sequence[object] | None], how: ComparisonSettings) -> None:
    """Raise an error if a column and the texts differ in length, or if there are too few resamples."""
    if how.resamples < MIN_RESAMPLES:
        raise ValueError(f"{how.resamples} resamples; an interval needs {MIN_RESAMPLES} or more")
    if isinstance(texts, str):
        raise TypeError("expected a list of texts, not a single string; use [text]")
    for name, column in columns.items():
        if column is not None and len(column) != len(texts):
            raise ValueError(f"{len(column)} {name} for {len(texts)} texts; give one for each")


def check_rated(ratings: Sequence[float]) -> None:
    """Raise an error if there are too few ratings for a correlation."""
    rated = int((~np.isnan(np.asarray(ratings, dtype=np.float64))).sum())
    if rated < MIN_ROWS:
        raise TrainingError(f"{rated} rated texts; a comparison needs {MIN_ROWS} or more: rate more texts")


def _parsed(texts: Texts, how: ComparisonSettings, advance: Advance) -> list[Doc]:
    """Parse texts and report progress; texts that are already parsed are returned unchanged."""
    if not isinstance(texts[0], str):
        return as_docs(texts, nlp=how.nlp)
    docs: list[Doc] = []
    for doc in parse_stream([str(text) for text in texts], nlp=how.nlp):
        docs.append(doc)
        if len(docs) % 64 == 0 or len(docs) == len(texts):
            advance("reading texts", len(docs), len(texts))
    return docs


def _chosen(metrics: Sequence[str | Metric] | None) -> list[Metric]:
    """Return the distinct requested metrics, except the SVR, which is computed from two other metrics."""
    chosen: list[Metric] = []
    for metric in resolve(None if metrics is None else [name for name in metrics if name != SVR]):
        if metric not in chosen:
            chosen.append(metric)
    return chosen


def _check_scores(columns: ComparisonColumns, metrics: Collection[str], models: Collection[str]) -> None:
    """Raise an error if a column of scores has the same name as another such column, a metric or a model."""
    for name in columns.scores:
        if name in columns.lower_scores:
            raise TableError(f"column {name!r} is among `scores` and `lower_scores`; choose one")
    for name in (*columns.scores, *columns.lower_scores):
        if name in metrics or name in models:
            kind, what = ("metric", "`metrics`") if name in metrics else ("model", "`model`")
            raise TableError(
                f"the column of scores {name!r} has the name of a {kind} that is compared, too; "
                f"rename the column, or name others with {what}"
            )


def _score(
    known: RatedDocs,
    references: References | None,
    chosen: Sequence[Metric],
    how: ComparisonSettings,
    advance: Advance,
    *,
    strict: bool,
    svr: bool,
) -> tuple[list[Scored], list[LeftOutMetric]]:
    """Return the scores of metrics, including ``svr`` if requested, and the metrics left out.

    ``strict`` tells whether the user named the metrics. The two metrics that ``svr`` learns from are scored for it even
    if they were not requested.
    """
    inputs = known.docs, references
    scored, left_out = score_metrics(chosen, *inputs, strict=strict, advance=advance)
    if svr:
        have = {entry.name for entry in scored}
        lacking = resolve([name for name in SVR_PARTS if strict and name not in have])
        extra, _ = score_metrics(lacking, *inputs, strict=strict, advance=advance)
        parts = {entry.name: entry for entry in (*scored, *extra) if entry.name in SVR_PARTS}
        if len(parts) == len(SVR_PARTS):
            scored.append(score_svr(parts, known.ratings, known.groups, how.seed))
        else:
            details = f"it learns from {' and '.join(SVR_PARTS)}"
            why = [entry.reason for entry in left_out if entry.metric in SVR_PARTS]
            left_out.append(LeftOutMetric(SVR, (why or [details])[0], details))
    return scored, left_out
