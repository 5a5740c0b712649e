"""Rated sets with systems, sources and references, and figures of metrics on their rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from spacy.tokens import Doc

from benchmarks.leave_out.rated import LAU_SENTENCES
from naturalness.arrays import FloatArray, IntArray
from naturalness.metrics import Metric
from naturalness.metrics.base import check_available
from naturalness.statistics.bootstrap import Figures, Interval, Resampling, intervals
from naturalness.statistics.correlation import pearson
from naturalness.statistics.folds import group_numbers
from naturalness.statistics.significance import ALPHA, Test, williams
from naturalness_replication.metrics import metrics_named
from naturalness_replication.papers.significance import fisher_z, squared_errors, two_sample_t
from training.default_model.sets import read_rows

Row = Mapping[str, str]
TESTS: Mapping[str, Callable[[FloatArray, FloatArray, FloatArray], Test]] = {
    "z": lambda x1, x2, y: fisher_z(pearson(x1, y), len(y), pearson(x2, y), len(y)),
    "t": lambda x1, x2, y: two_sample_t(squared_errors(x1, y), squared_errors(x2, y)),
    "W": lambda x1, x2, y: williams(pearson(x1, y), pearson(x2, y), pearson(x1, x2), len(y)),
}
"""Fisher's z, the two-sample t, and Williams' test of Pearson correlations, of two metrics and ratings."""


def alone(row: Row, number: int) -> str:
    """Return a source of its own for every text."""
    return str(number)


@dataclass(frozen=True, slots=True)
class RatedFile:
    """A file of ratings, its rating column, and a function that gives a row's source."""

    file: str
    rating: str = "rating"
    source: Callable[[Row, int], str] = lambda row, number: row["source"]


ENTRIES: Mapping[str, RatedFile] = {
    "SFHOTEL": RatedFile("sfhot.naturalness.tsv"),
    "SFREST": RatedFile("sfres.naturalness.tsv"),
    "E2E": RatedFile("e2e.naturalness.tsv.gz", rating="rating_clean"),
    "GUG": RatedFile("gug.grammaticality.tsv", source=alone),
    "Lau BNC": RatedFile("lau2017_bnc_mop4.acceptability.tsv", source=lambda row, number: str(number % LAU_SENTENCES)),
    "style transfer": RatedFile(
        "styletransfer.naturalness.tsv",  # the number of the input
        source=lambda row, number: row["id"].rpartition("-")[2],
    ),
    "SFHOTEL, quality": RatedFile("sfhot.quality.tsv"),
    "SFREST, quality": RatedFile("sfres.quality.tsv"),
    "SummEval, fluency": RatedFile("summeval.fluency.tsv.gz", source=lambda row, number: row["id"].rpartition("-")[0]),
    "SummEval, coherence": RatedFile(
        "summeval.coherence.tsv.gz", source=lambda row, number: row["id"].rpartition("-")[0]
    ),
    "Newsroom, fluency": RatedFile("newsroom.fluency.tsv", source=lambda row, number: row["id"].partition("-")[0]),
    "Newsroom, coherence": RatedFile("newsroom.coherence.tsv", source=lambda row, number: row["id"].partition("-")[0]),
    "DialSummEval, fluency": RatedFile("dialsummeval.fluency.tsv"),
    "Topical-Chat": RatedFile("usr_topicalchat.naturalness.tsv"),
    "Persona-Chat": RatedFile("usr_personachat.naturalness.tsv"),
}
"""SFHOTEL and SFREST have medians of three judges alone. Of E2E the mean after clipping at 100 and
leaving out raters who answer the same throughout, since single magnitudes reach 111,111."""


@dataclass(frozen=True)
class ComparedTexts:
    """Rated texts; all have one entry per text."""

    texts: tuple[str, ...]
    ratings: FloatArray
    groups: IntArray
    """Sources: resampled as a whole, and never split."""
    systems: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    singles: tuple[tuple[float, ...], ...]

    def __len__(self) -> int:
        return len(self.texts)

    def part(self, rows: IntArray) -> ComparedTexts:
        """Return the selected rows."""
        columns = {
            name: tuple(getattr(self, name)[row] for row in rows.tolist())
            for name in ("texts", "systems", "references", "singles")
        }
        return replace(self, ratings=self.ratings[rows], groups=self.groups[rows], **columns)


def read(ratings: Path, name: str) -> ComparedTexts:
    """Return a set by name, without unrated rows."""
    entry = ENTRIES[name]
    numbered = enumerate(read_rows(ratings / entry.file))
    rows = [(n, row) for n, row in numbered if row[entry.rating] and row["text"].strip()]
    sources = [entry.source(row, n) for n, row in rows]
    return ComparedTexts(
        texts=tuple(row["text"] for _, row in rows),
        ratings=np.array([float(row[entry.rating]) for _, row in rows]),
        groups=group_numbers(sources, len(rows)),
        systems=tuple(row["system"] for _, row in rows),
        references=tuple(tuple(json.loads(row["references"] or "[]")) for _, row in rows),
        singles=tuple(tuple(map(float, json.loads(row["ratings"] or "[]"))) for _, row in rows),
    )


def together(first: ComparedTexts, second: ComparedTexts) -> ComparedTexts:
    """Join two sets and keep their sources apart."""
    return ComparedTexts(
        first.texts + second.texts,
        np.concatenate([first.ratings, second.ratings]),
        np.concatenate([first.groups, second.groups + first.groups.max() + 1]),
        first.systems + second.systems,
        first.references + second.references,
        first.singles + second.singles,
    )


def evenly(n: int, most: int) -> IntArray:
    """Return evenly spaced numbers below ``n``."""
    return np.linspace(0, n - 1, most).round().astype(np.int64)


def thinned(rated: ComparedTexts, most: int) -> ComparedTexts:
    """Return at most ``most`` evenly spaced rows."""
    return rated if len(rated) <= most else rated.part(evenly(len(rated), most))


def whole_sources(rated: ComparedTexts, most: int) -> ComparedTexts:
    """Return about ``most`` rows: evenly spaced sources with all their rows."""
    names = np.unique(rated.groups)
    many = min(len(names), round(most * len(names) / len(rated)))
    sampled = names[evenly(len(names), many)]
    return rated.part(np.flatnonzero(np.isin(rated.groups, sampled)))


def figures(
    scores: Mapping[str, FloatArray], rated: ComparedTexts, resamples: int, seed: int, control: FloatArray | None = None
) -> dict[str, Figures]:
    """Return figures of each metric, with intervals over sources."""
    table = np.column_stack(list(scores.values()))
    how = Resampling(resamples, seed)
    bounds = intervals(table, rated.ratings, rated.groups, how, covariate=control)
    return dict(zip(scores, bounds, strict=True))


def scored(
    names: Sequence[str | Metric], docs: Sequence[Doc], references: Sequence[Sequence[str]] | None
) -> dict[str, FloatArray]:
    """Return metrics by name, negated where lower is better."""
    metrics = metrics_named(names)
    for metric in metrics:
        check_available(metric)
    return {metric.name: (1 if metric.higher_is_better else -1) * metric.score(docs, references) for metric in metrics}


def worse_by(scores: Mapping[str, FloatArray], ratings: FloatArray, best: str, other: str) -> str:
    """Return the letters of the tests by which a metric is worse than the best."""
    if other == best:
        return ""
    return " ".join(letter for letter in TESTS if p_worse(scores[best], scores[other], ratings, letter) < ALPHA)


def p_worse(best: FloatArray, other: FloatArray, ratings: FloatArray, letter: str) -> float:
    """Return the one-tailed p of "best is better than other" from a test, on the rows for which both are defined."""
    known = ~(np.isnan(best) | np.isnan(other) | np.isnan(ratings))
    return TESTS[letter](best[known], other[known], ratings[known]).p_greater


def as_data(value: Interval) -> list[float | None]:
    """Return value, lower and upper end; None where undefined."""
    numbers = (value.value, value.low, value.high)
    return [round(number, 4) if number == number else None for number in numbers]


def shown(values: Sequence[float | None] | None) -> str:
    """``0.45 (0.41 to 0.49)`` of what `as_data` gives; empty where undefined."""
    if values is None or values[0] is None:
        return ""
    value, low, high = values
    ends = f" ({low:.2f} to {high:.2f})" if low is not None and high is not None else ""
    return f"{value:.2f}{ends}"
