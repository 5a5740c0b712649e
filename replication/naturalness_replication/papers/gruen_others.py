"""Compare GRUEN with reference metrics: Williams' test, numbers of references, bands of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.tokens import Doc

from benchmarks.report import by_name, markdown_table
from naturalness.arrays import FloatArray
from naturalness.metrics.rouge import norm_of
from naturalness.reports.metrics.subsets import Subset
from naturalness.statistics.correlation import spearman
from naturalness.statistics.significance import Pair, compare_all
from naturalness_replication.papers.compared import ComparedTexts, as_data, figures, scored, shown
from naturalness_replication.papers.slor_learned import PageSection

GRUEN_FAST = "gruen-fast"
METRICS: Mapping[str, tuple[str, ...]] = {
    "SFHOTEL": (
        "bleu-1",
        "bleu-2",
        "bleu-3",
        "bleu",
        "nist",
        "rouge-1",
        "rouge-2",
        "rouge-3",
        "rouge-4",
        "rouge-l",
        "rouge-w",
        "meteor",
        "ter",
        "cider",
        "chrf",
        "vecsim",
        "wmd",
        "smd",
        "s+wmd",
        "slor",
        "length",
    ),
    "SummEval": ("bleu", "rouge-1", "rouge-2", "rouge-l", "meteor", "vecsim", "slor", "length"),
}
"""Metrics compared with GRUEN: all families on short texts, the fast ones on long texts."""
SHORT = ("SFHOTEL", "SFREST")
BY_REFERENCES = ("bleu", "rouge-2", "rouge-l", "meteor", "vecsim")
BANDS = 4
REFERENCE_COUNTS = (1, 2, 3, 5, 10, 20, 50)
"""The numbers of references with which metrics are evaluated, in addition to all references."""
PAPER_BEST = {"SFHOTEL": "SUM-QE .23 (Pearson .30)", "SFREST": "SUM-QE .09 (Pearson .11)"}
"""The paper's best other metric for naturalness."""
Scores = dict[str, FloatArray]


def beside(
    name: str, rated: Mapping[str, ComparedTexts], docs: Sequence[Doc], gruen: FloatArray, resamples: int
) -> PageSection:
    """Return the tables of a set; metrics are scored once for all its ratings."""
    first = next(iter(rated.values()))
    names = METRICS["SFHOTEL" if name in SHORT else "SummEval"]
    scores = {GRUEN_FAST: gruen} | scored(names, docs, first.references)
    text = [f"## {name}: beside other metrics\n"]
    data: dict[str, Any] = {"set": name, "ratings": {}}
    for aspect, some in rated.items():
        by_metric = figures(scores, some, resamples, 0)
        pairs = {pair.second: pair for pair in compare_all(scores, some.ratings) if pair.first == GRUEN_FAST}
        rows, figures_of = [], {}
        order = sorted(by_metric, key=lambda n: -np.nan_to_num(by_metric[n].spearman.value, nan=-2))
        for metric in order:
            p = p_of(pairs.get(metric))
            by_rank, by_value = map(as_data, (by_metric[metric].spearman, by_metric[metric].pearson))
            rows.append([f"`{metric}`", shown(by_rank), shown(by_value), verdict(pairs.get(metric))])
            figures_of[metric] = {"spearman": by_rank, "pearson": by_value[0], "williams": p}
        paper = PAPER_BEST.get(aspect)
        note = f"The best other metric in the paper: {paper}.\n" if paper else ""
        header = ["metric", "Spearman", "Pearson", f"against `{GRUEN_FAST}` (Williams on ranks)"]
        text += [f"### {aspect}\n", note, markdown_table(header, rows)]
        data["ratings"][aspect] = figures_of
    if reference_sizes(first.references):
        fewer = by_references(first, docs, scores)
        text += [
            "### By number of references, Spearman\n\nThe first 1, 2, … references; texts "
            "with fewer references use all of them.\n",
            by_name("metric", {f"`{metric}`": row for metric, row in fewer.items()}),
        ]
        data["references"] = fewer
    bands = by_rating(first, scores)
    text += [
        "### Mean score by band of ratings\n\nIn standard deviations from the mean of all texts.\n",
        band_table(bands),
    ]
    data["bands"] = bands
    return PageSection("\n".join(part for part in text if part), data)


def p_of(pair: Pair | None) -> float | None:
    """Return the p of Williams' test, corrected over all pairs of metrics in the table."""
    if pair is None or pair.corrected != pair.corrected:
        return None
    return round(pair.corrected, 4)


def verdict(pair: Pair | None) -> str:
    """Return which metric is better, after Holm's correction over all pairs of metrics."""
    if pair is None:
        return ""
    better = {GRUEN_FAST: "worse", "": "no difference"}.get(pair.winner(), "better")
    return f"{better} (p = {pair.corrected:.2g})"


def reference_sizes(references: Sequence[Sequence[str]]) -> list[int]:
    """Return the members of `REFERENCE_COUNTS` to evaluate; at least ten texts must have more references."""
    counts = [len(row) for row in references]
    return [size for size in REFERENCE_COUNTS if sum(count > size for count in counts) >= 10]


def by_references(rated: ComparedTexts, docs: Sequence[Doc], full: Scores) -> dict[str, dict[str, float]]:
    """Return Spearman with the first references only; GRUEN needs none."""
    figures_of: dict[str, dict[str, float]] = {name: {} for name in (GRUEN_FAST, *BY_REFERENCES)}
    sizes = reference_sizes(rated.references)
    for size in sizes:
        few = scored(BY_REFERENCES, docs, [row[:size] for row in rated.references])
        for name in BY_REFERENCES:
            figures_of[name][str(size)] = rank(few[name], rated.ratings)
    for name in figures_of:
        if name == GRUEN_FAST:
            figures_of[name] = dict.fromkeys(map(str, sizes), rank(full[name], rated.ratings))
        figures_of[name]["all"] = rank(full[name], rated.ratings)
    return figures_of


def rank(scores: FloatArray, ratings: FloatArray) -> float:
    """Return Spearman over the texts with a score."""
    known = ~np.isnan(scores)
    return round(spearman(scores[known], ratings[known]), 4)


def by_band(ratings: FloatArray, bands: int) -> list[Subset]:
    """Split the texts into bands of about equal size, from the lowest ratings to the highest.

    Texts with equal ratings stay in one band, so bands may differ in size, and there may be fewer than requested.
    """
    known = np.sort(ratings[~np.isnan(ratings)])
    values, first = np.unique(known, return_index=True)
    if len(values) < 2:
        return []
    # Move each target to the nearest boundary between two different ratings.
    targets = np.arange(1, bands) * len(known) / bands
    cuts = sorted({1 + int(np.abs(first[1:] - at).argmin()) for at in targets})
    ends = [0, *cuts, len(values)]
    parts = []
    for number, (start, stop) in enumerate(pairwise(ends), 1):
        low, high = values[start], values[stop - 1]
        span = f"{low:.3g} to {high:.3g}" if low < high else f"{low:.3g}"
        rows = np.flatnonzero((ratings >= low) & (ratings <= high))
        parts.append(Subset(f"band {number}/{len(ends) - 1} ({span})", "band", rows))
    return parts


def by_rating(rated: ComparedTexts, scores: Scores) -> dict[str, Any]:
    """Return the mean z-score of each metric within bands of ratings."""
    parts = by_band(rated.ratings, BANDS)
    bands: dict[str, Any] = {"bands": [part.name for part in parts]}
    bands["texts"] = [len(part.rows) for part in parts]
    for name, values in scores.items():
        known = ~np.isnan(values)
        z = np.full(len(values), np.nan)
        z[known] = norm_of(values[known]).z(values[known])
        bands[name] = [round(float(np.nanmean(z[part.rows])), 3) for part in parts]
    return bands


def band_table(bands: Mapping[str, Sequence[Any]]) -> str:
    """Return a table with a row for each metric, bands from lowest to highest rating."""
    names = [name for name in bands if name not in ("bands", "texts")]
    rows: list[list[Any]] = [[f"`{name}`", *map(float, bands[name])] for name in names]
    header = [f"{band}, {n:,} texts" for band, n in zip(bands["bands"], bands["texts"], strict=True)]
    return markdown_table(["metric", *header], rows)
