"""Compute figures for each metric: on subsets of the texts, and over systems.

Figures over systems correlate the mean scores of systems with their mean ratings, and so show whether metrics rank
systems as people do. Texts (or sources) are resampled but systems are not, so an interval shows how much the figure
depends on the rated texts, not how it would differ for other systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.progress import Progress
from naturalness.reports.metrics.result import Row
from naturalness.reports.metrics.scoring import Scored
from naturalness.reports.metrics.subsets import ALL, GIVEN_LENGTH, MEANS, Subset
from naturalness.statistics.bootstrap import (
    STATISTICS,
    Figures,
    Replicates,
    Resampling,
    ends,
    intervals,
    replicates,
    too_few,
)
from naturalness.statistics.correlation import MIN_ROWS

MIN_SYSTEMS = 3


def system_figures(
    scores: FloatArray, ratings: FloatArray, systems: Sequence[str | None], groups: IntArray, how: Resampling
) -> list[Figures]:
    """Return the figures over systems for each metric (a column of ``scores``); their `n` is the number of systems.

    Rows whose system is None are left out.
    """
    has_system = np.array([system is not None for system in systems], dtype=bool)
    names = np.array([system for system in systems if system is not None])
    member = (names[None, :] == np.unique(names)[:, None]).astype(np.float64)
    y, groups, table = ratings[has_system], groups[has_system], scores[has_system]
    # Means are rounded, whatever the unit of the scores.
    largest = np.fmax.reduce(np.abs(table), axis=0, initial=0)
    table = table / np.where(largest > 0, largest, 1)
    known = ~(np.isnan(table) | np.isnan(y)[:, None])
    n_systems = (member @ known > 0).sum(axis=0)
    ranked = np.flatnonzero(n_systems >= MIN_SYSTEMS).tolist()
    out = [
        Figures(int(many), len(ratings) - int(usable.sum()), sources=len(np.unique(groups[usable])))
        for many, usable in zip(n_systems, known.T, strict=True)
    ]
    if not ranked:
        return out

    def measure(weights: FloatArray, taus: int) -> Replicates:
        reached = []
        for metric in ranked:
            inside = member * known[:, metric]
            inside = inside[inside.sum(axis=1) > 0]
            reached.append(across(*(_means(inside, v, weights) for v in (table[:, metric], y))))
        return {name: np.array([statistics[name] for statistics in reached]) for name in STATISTICS}

    whole, drawn, left = replicates(measure, groups, how, how.resamples)
    for number, metric in enumerate(ranked):
        sure = not too_few(out[metric].sources)
        many = how.resamples if sure else 0
        figures = ends(whole, drawn if sure else {}, left, number, how.resamples)
        out[metric] = replace(out[metric], **figures, resamples=many, kendall_resamples=many)  # type: ignore[arg-type]
    return out


def _means(member: FloatArray, values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the mean of each system in each resample, (n_systems, n_weights); NaN for a system without texts."""
    n_texts = member @ weights
    sums = (member * np.nan_to_num(values)) @ weights
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(n_texts > 0, sums / n_texts, np.nan)
    # Rounded, because equal means may differ in their last digits, which would affect ranks.
    return np.asarray(np.round(means, 12), dtype=np.float64)


def across(x: FloatArray, y: FloatArray) -> dict[str, FloatArray]:
    """Return statistics of the agreement between each column of x and the same column of y, keyed by name; NaN if
    undefined.

    Both arrays have the shape (n_systems, n_columns).
    """
    from scipy.stats import rankdata

    r = _pearson(x, y)
    missing = np.isnan(x).any(axis=0) | np.isnan(y).any(axis=0)
    rank = _pearson(rankdata(x, axis=0), rankdata(y, axis=0))
    agreed, *apart = np.zeros((3, x.shape[1]))
    for row in range(len(x) - 1):  # all pairs at once would take too much memory
        signs = [np.sign(values[row] - values[row + 1 :]) for values in (x, y)]
        agreed += (signs[0] * signs[1]).sum(axis=0)
        for count, sign in zip(apart, signs, strict=True):
            count += (sign**2).sum(axis=0)
    free = np.sqrt(apart[0] * apart[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = np.where(free > 0, agreed / free, np.nan)
    statistics = {"pearson": r, "spearman": rank, "kendall": tau, "mse": (1 - r**2) * y.var(axis=0)}
    return {name: np.where(missing, np.nan, values) for name, values in statistics.items()}


def _pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    scale = np.sqrt((x * x).sum(axis=0) * (y * y).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(scale > 1e-15, (x * y).sum(axis=0) / scale, np.nan)


@dataclass(frozen=True, slots=True)
class RatedRows:
    """The ratings of texts, with their sources, lengths and systems; one entry per text."""

    ratings: FloatArray
    groups: IntArray
    """The index of each text's source; texts with the same index are resampled together."""
    lengths: FloatArray
    systems: Sequence[str | None] | None
    """The system that wrote each text; None for a text by several systems or an unknown one. The field is None if all
    systems are unknown."""


def judge_all(
    scored: Sequence[Scored], rated: RatedRows, parts: Sequence[Subset], how: Resampling, jobs: int, advance: Progress
) -> Iterator[Row]:
    """Yield the rows of all metrics: on subsets, and over systems. ``jobs`` is the number of threads."""
    table = np.column_stack([entry.scores for entry in scored])

    def judge(part: Subset) -> list[Figures]:
        rows = part.rows
        if len(rows) < MIN_ROWS:
            return [Figures(len(rows), 0)] * table.shape[1]
        lengths = rated.lengths[rows] if part.kind == GIVEN_LENGTH else None
        return intervals(table[rows], rated.ratings[rows], rated.groups[rows], how, covariate=lengths)

    # Threads suffice, because numpy releases the interpreter lock; results do not depend on the number of threads.
    with ThreadPoolExecutor(jobs) as pool:
        for number, (part, results) in enumerate(zip(parts, pool.map(judge, parts), strict=True), 1):
            for entry, figures in zip(scored, results, strict=True):
                few = figures.n < MIN_ROWS
                known = Figures(figures.n, figures.left_out) if few else figures
                notes = filter(None, (_lacking(figures, MIN_ROWS, "rows"), entry.note * (part.kind == ALL)))
                yield Row(entry.name, part.name, part.kind, known, "; ".join(notes))
            advance("intervals", number, len(parts))
    if rated.systems is not None:
        results = system_figures(table, rated.ratings, rated.systems, rated.groups, how)
        for entry, figures in zip(scored, results, strict=True):
            yield Row(entry.name, MEANS, MEANS, figures, _lacking(figures, MIN_SYSTEMS, "systems"))


def _lacking(figures: Figures, least: int, what: str) -> str:
    """Return a note on why a metric lacks figures or an interval; empty if it lacks nothing."""
    if figures.n < least:
        return f"{figures.n} {what} with a value, fewer than {least}: no figures"
    few = too_few(figures.sources)
    return f"{few}: no interval" if few else ""
