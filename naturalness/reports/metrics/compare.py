"""Metrics against human ratings: score once, correlate on all texts and on parts, test in pairs."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import TableError, TrainingError
from naturalness.metrics import resolve
from naturalness.metrics.base import Metric, References, Sources
from naturalness.metrics.documents import LENGTH
from naturalness.metrics.gruen import STEPS, GruenMetric
from naturalness.reports.metrics.figures import RatedDocs, judge_all
from naturalness.reports.metrics.paired import Pairs, PairStandings, judge_pairs
from naturalness.reports.metrics.result import Comparison, PartResult, Settings, reasons_in_lines
from naturalness.reports.metrics.scoring import (
    SVR,
    SVR_PARTS,
    TUNED,
    Advance,
    LeftOut,
    Scored,
    check_metrics,
    named_models,
    score_columns,
    score_metrics,
    score_models,
    score_svr,
    score_tuned,
    without_slow,
)
from naturalness.reports.metrics.subsets import ALL, GIVEN_LENGTH, SYSTEM, Subset, make_subsets
from naturalness.statistics.agreement import agree
from naturalness.statistics.bootstrap import MIN_RESAMPLES
from naturalness.statistics.correlation import MIN_ROWS
from naturalness.statistics.folds import group_numbers
from naturalness.statistics.significance import Pair, compare_all
from naturalness.text.parsing import as_docs, parse_stream

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.pipelines.scorer import NaturalnessModel

Texts = Sequence[str] | Sequence["Doc"]


@dataclass(frozen=True, slots=True)
class Columns:
    """What else is known of texts; each has one entry per text, None where it is not known."""

    references: References | None = None
    """For each text its references; an empty list where it has none."""
    systems: Sequence[str | None] | None = None
    """None among them: no one system, such as of a text that several wrote."""
    by: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Further columns by name; metrics are judged again on the rows of each value."""
    singles: Sequence[Sequence[float]] | None = None
    """Single ratings."""
    raters: Sequence[Sequence[Hashable]] | None = None
    """Who gave them."""
    sources: Sequence[Hashable] | None = None
    """What is resampled together, and never straddles a fold."""
    source_texts: Sources | None = None
    """What texts rewrite, for metrics that look at it."""
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Scores that are there already, by name; NaN where there is none."""
    lower_scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """The same, where lower is better."""

    def named(self) -> dict[str, Sequence[object] | None]:
        """Return all columns by name, for checks."""
        return {
            "references": self.references,
            "systems": self.systems,
            "singles": self.singles,
            "raters": self.raters,
            "sources": self.sources,
            "source texts": self.source_texts,
            **self.by,
            **self.scores,
            **self.lower_scores,
        }


def compare(
    texts: Texts,
    ratings: Sequence[float],
    metrics: Sequence[str | Metric] | None = None,
    columns: Columns | None = None,
    *,
    models: Sequence[NaturalnessModel] = (),
    settings: Settings | None = None,
    advance: Advance = lambda stage, done, total: None,
) -> Comparison:
    """Judge metrics (names, ``svr``, or objects; None: all available) by ratings.

    Beside them stand ``models``, each under the name of its folder, and the columns of scores.
    Texts are parsed once, and each metric scores them once. ``advance`` is called with stage, done and
    total.
    """
    how, known_columns = settings or Settings(), columns or Columns()
    _check(texts, {"ratings": ratings, **known_columns.named()}, how)
    check_rated(ratings)
    y = np.asarray(ratings, dtype=np.float64)
    parts = make_subsets(y, known_columns.systems, known_columns.by, known_columns.singles, how.bands)
    all_scores = _score_all(texts, y, metrics, models, known_columns, how, advance)
    scored, rated_docs = all_scores.scored, all_scores.known
    return Comparison(
        metrics=tuple(scored),
        rows=tuple(judge_all(scored, rated_docs, parts, how, advance, all_scores.metrics)),
        pairs=tuple(compare_all({entry.name: entry.scores for entry in scored}, rated_docs.ratings)),
        agreement=None if known_columns.singles is None else agree(known_columns.singles, known_columns.raters),
        ratings=rated_docs.ratings,
        systems=rated_docs.systems,
        lengths=rated_docs.lengths,
        n_sources=len(np.unique(rated_docs.groups)),
        left_out=tuple(all_scores.left_out),
        settings=how,
        parts=tuple(_parts(parts, scored, rated_docs.ratings, known_columns)),
    )


def compare_on_pairs(
    texts: Sequence[str],
    pairs: Pairs,
    metrics: Sequence[str | Metric] | None = None,
    *,
    models: Sequence[NaturalnessModel] = (),
    settings: Settings | None = None,
    advance: Advance = lambda stage, done, total: None,
) -> PairStandings:
    """Judge metrics, and ``models`` beside them, by which text of each pair people prefer."""
    unrated = np.full(len(texts), np.nan)
    all_scores = _score_all(texts, unrated, metrics, models, Columns(), settings or Settings(), advance)
    return judge_pairs(all_scores.scored, pairs, len(texts), all_scores.left_out)


@dataclass(frozen=True, slots=True)
class _Scores:
    """What all metrics, models and columns say of all texts."""

    scored: list[Scored]
    known: RatedDocs
    metrics: list[Metric]
    """Those that are compared by themselves."""
    left_out: list[LeftOut]


def _score_all(
    texts: Texts,
    ratings: FloatArray,
    metrics: Sequence[str | Metric] | None,
    models: Sequence[NaturalnessModel],
    columns: Columns,
    how: Settings,
    advance: Advance,
) -> _Scores:
    """Check the request, parse the texts, and score them."""
    chosen = _chosen(metrics)
    _check_metrics(metrics, chosen, columns, how)
    names = _names(metrics, chosen, how.tune)
    beside = named_models(models, names)
    _check_scores(columns, names, beside)
    known = _known(_parsed(texts, how, advance), ratings, columns)
    scored, left_out = _score(known, chosen, metrics, how, advance)
    scored += score_models(beside, known.docs, how.nlp, advance)
    scored += score_columns(columns.scores, columns.lower_scores)
    if not scored:
        lines = reasons_in_lines(left_out)
        raise TrainingError("; ".join(["no metric is left to compare", *lines]))
    return _Scores(scored, known, chosen, left_out)


def _parts(
    parts: Sequence[Subset], scored: Sequence[Scored], ratings: FloatArray, columns: Columns
) -> Iterator[PartResult]:
    """Yield the tests within each part, and agreement of raters on parts not chosen by ratings."""
    singles, raters = columns.singles, columns.raters
    for part in parts:
        rows = part.rows
        if part.kind in (ALL, GIVEN_LENGTH):
            continue
        pairs: list[Pair] = []
        if len(rows) >= MIN_ROWS:
            scores = {entry.name: entry.scores[rows] for entry in scored}
            pairs = compare_all(scores, ratings[rows], ranks_only=True)
        agreement = None
        if singles is not None and part.kind in (SYSTEM, *columns.by):
            raters_of_part = None if raters is None else [raters[row] for row in rows]
            agreement = agree([singles[row] for row in rows], raters_of_part)
        yield PartResult(part.name, tuple(pairs), agreement)


def _known(docs: list[Doc], ratings: FloatArray, columns: Columns) -> RatedDocs:
    """Return all that is known of texts, as arrays."""
    systems = columns.systems
    return RatedDocs(
        docs,
        ratings=ratings,
        groups=group_numbers(columns.sources, len(docs)),
        lengths=LENGTH.score(docs),
        systems=None if systems is None else tuple(s if s is None else str(s) for s in systems),
        references=columns.references if any(columns.references or ()) else None,
        sources=columns.source_texts if any(columns.source_texts or ()) else None,
    )


def _check(texts: Texts, columns: Mapping[str, Sequence[object] | None], how: Settings) -> None:
    """Refuse columns of different lengths, and too few resamples."""
    if how.resamples < MIN_RESAMPLES:
        raise ValueError(f"{how.resamples} resamples; an interval needs {MIN_RESAMPLES} or more")
    if isinstance(texts, str):
        raise TypeError("expected a list of texts, not a single string; use [text]")
    for name, column in columns.items():
        if column is not None and len(column) != len(texts):
            raise ValueError(f"{len(column)} {name} for {len(texts)} texts; give one for each")


def check_rated(ratings: Sequence[float]) -> None:
    """Refuse ratings that are too few to be correlated with anything."""
    rated = int((~np.isnan(np.asarray(ratings, dtype=np.float64))).sum())
    if rated < MIN_ROWS:
        raise TrainingError(f"{rated} rated texts; a comparison needs {MIN_ROWS} or more: rate more texts")


def _parsed(texts: Texts, how: Settings, advance: Advance) -> list[Doc]:
    """Return the Docs of texts, reporting progress; Docs pass through."""
    if not isinstance(texts[0], str):
        return as_docs(texts, nlp=how.nlp)
    docs: list[Doc] = []
    for doc in parse_stream([str(text) for text in texts], nlp=how.nlp):
        docs.append(doc)
        if len(docs) % 64 == 0 or len(docs) == len(texts):
            advance("reading texts", len(docs), len(texts))
    return docs


def _chosen(metrics: Sequence[str | Metric] | None) -> list[Metric]:
    """Return the metrics proper, each once: the SVR is made of two of them."""
    named = None if metrics is None else [name for name in metrics if name != SVR]
    chosen: list[Metric] = []
    for metric in resolve(named):
        if metric not in chosen:
            chosen.append(metric)
    return chosen


def _check_metrics(
    metrics: Sequence[str | Metric] | None, chosen: Sequence[Metric], columns: Columns, how: Settings
) -> None:
    """Refuse metrics that were named and are not available."""
    if how.tune and not any(isinstance(metric, GruenMetric) for metric in chosen):
        raise TrainingError(f"--tune fits GRUEN: name one of {', '.join(STEPS)} among the metrics")
    if metrics is not None:
        parts_too = resolve(SVR_PARTS if SVR in metrics else ())
        check_metrics([*chosen, *parts_too], columns.references, columns.source_texts)


def _names(metrics: Sequence[str | Metric] | None, chosen: Sequence[Metric], tune: bool) -> set[str]:
    """Return the names that metrics have in a comparison."""
    names = {metric.name for metric in chosen}
    if metrics is None or SVR in metrics:
        names.add(SVR)
    if tune:
        names |= {metric.name + TUNED for metric in chosen if isinstance(metric, GruenMetric)}
    return names


def _check_scores(columns: Columns, metrics: Collection[str], models: Collection[str]) -> None:
    """Refuse columns of scores whose names stand for something else, too."""
    for name in columns.scores:
        if name in columns.lower_scores:
            raise TableError(f"column {name!r} is among --scores and --lower-scores; choose one")
    for name in (*columns.scores, *columns.lower_scores):
        if name in metrics or name in models:
            kind, what = ("metric", "--metrics") if name in metrics else ("model", "--model")
            raise TableError(
                f"the column of scores {name!r} has the name of a {kind} that is compared, too; "
                f"rename the column, or name others with {what}"
            )


def _score(
    known: RatedDocs, chosen: Sequence[Metric], metrics: Sequence[str | Metric] | None, how: Settings, advance: Advance
) -> tuple[list[Scored], list[LeftOut]]:
    """Return all scores; ``svr`` learns from two metrics, which are scored for it if not asked for."""
    strict, inputs = metrics is not None, (known.docs, known.references, known.sources)
    slow: list[LeftOut] = []
    if not strict:
        chosen, slow = without_slow(chosen, known.docs)
    scored, lost = score_metrics(chosen, *inputs, strict=strict, advance=advance)
    left_out = [*slow, *lost]
    if metrics is None or SVR in metrics:
        have = {entry.name for entry in scored}
        lacking = resolve([name for name in SVR_PARTS if strict and name not in have])
        extra, _ = score_metrics(lacking, *inputs, strict=strict, advance=advance)
        parts = {entry.name: entry for entry in (*scored, *extra) if entry.name in SVR_PARTS}
        if len(parts) == len(SVR_PARTS):
            scored.append(score_svr(parts, known.ratings, known.groups, how.seed))
        else:
            details = f"it learns from {' and '.join(SVR_PARTS)}"
            why = [entry.reason for entry in left_out if entry.metric in SVR_PARTS]
            left_out.append(LeftOut(SVR, (why or [details])[0], details))
    if how.tune:
        scored += [
            score_tuned(metric, known.docs, known.ratings, known.groups, how.seed)
            for metric in chosen
            if isinstance(metric, GruenMetric)
        ]
    return scored, left_out
