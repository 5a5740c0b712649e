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
from naturalness.reports.metrics.result import ComparisonSettings, Row
from naturalness.reports.metrics.scoring import Advance, Scored
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
from naturalness.text.view import Doc

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
    first, second = np.triu_indices(len(x), 1)
    signs = [np.sign(values[first] - values[second]) for values in (x, y)]
    free = np.sqrt((signs[0] ** 2).sum(axis=0) * (signs[1] ** 2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = np.where(free > 0, (signs[0] * signs[1]).sum(axis=0) / free, np.nan)
    statistics = {"pearson": r, "spearman": rank, "kendall": tau, "mse": (1 - r**2) * y.var(axis=0)}
    return {name: np.where(missing, np.nan, values) for name, values in statistics.items()}


def _pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    scale = np.sqrt((x * x).sum(axis=0) * (y * y).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(scale > 1e-15, (x * y).sum(axis=0) / scale, np.nan)


@dataclass(frozen=True, slots=True)
class RatedDocs:
    """Parsed texts with their ratings; arrays and sequences have one entry per text."""

    docs: list[Doc]
    ratings: FloatArray
    groups: IntArray
    """The index of each text's source; texts with the same index are resampled together."""
    lengths: FloatArray
    systems: tuple[str | None, ...] | None


def judge_all(
    scored: Sequence[Scored], known: RatedDocs, parts: Sequence[Subset], how: ComparisonSettings, advance: Advance
) -> Iterator[Row]:
    """Yield the rows of all metrics: on subsets, and over systems."""
    table = np.column_stack([entry.scores for entry in scored])
    resampling = Resampling(how.resamples, how.seed)

    def judge(part: Subset) -> list[Figures]:
        rows = part.rows
        if len(rows) < MIN_ROWS:
            return [Figures(len(rows), 0)] * table.shape[1]
        lengths = known.lengths[rows] if part.kind == GIVEN_LENGTH else None
        return intervals(table[rows], known.ratings[rows], known.groups[rows], resampling, covariate=lengths)

    # Threads suffice, because numpy releases the interpreter lock; results do not depend on the number of threads.
    with ThreadPoolExecutor(how.jobs) as pool:
        for number, (part, results) in enumerate(zip(parts, pool.map(judge, parts), strict=True), 1):
            sources = len(np.unique(known.groups[part.rows]))
            few = _few_sources(sources) if len(part.rows) >= MIN_ROWS else ""
            for entry, figures in zip(scored, results, strict=True):
                lacking = _lacking(figures, len(part.rows), sources, MIN_ROWS, "rows")
                note = _joined(lacking, entry.note if part.kind == ALL else "")
                yield Row(entry.name, part.name, part.kind, _enough(figures), note, part_note=_joined(part.note, few))
            advance("intervals", number, len(parts))
    yield from _over_systems(scored, table, known, resampling)


def _enough(figures: Figures) -> Figures:
    """Return the figures unchanged, or empty figures if the metric is defined on too few rows."""
    return figures if figures.n >= MIN_ROWS else Figures(figures.n, figures.left_out)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _few_sources(sources: int) -> str:
    """Return a note if there are too few sources for an interval; empty if there are enough."""
    few = too_few(sources)
    return f"{few}: no interval" if few else ""


def _lacking(figures: Figures, n: int, sources: int, least: int, what: str) -> str:
    """Return a note on why a metric lacks figures or an interval although the subset has enough rows (or systems)
    and sources; empty if it lacks nothing.
    """
    if figures.n < least <= n:
        return f"{figures.n} {what} with a value, fewer than {least}: no figures"
    return "" if figures.n < least or too_few(sources) else _few_sources(figures.sources)


def _over_systems(scored: Sequence[Scored], table: FloatArray, known: RatedDocs, how: Resampling) -> Iterator[Row]:
    if known.systems is None:
        return
    n_systems = len(set(known.systems) - {None})
    sources = len(np.unique(known.groups[[system is not None for system in known.systems]]))
    if n_systems < MIN_SYSTEMS:
        note = f"{n_systems} systems, fewer than {MIN_SYSTEMS}: no figures"
        results = [Figures(n_systems, 0)] * len(scored)
    else:
        note = _joined("means over the texts of each system; texts are resampled", _few_sources(sources))
        results = system_figures(table, known.ratings, known.systems, known.groups, how)
    for entry, figures in zip(scored, results, strict=True):
        lacking = _lacking(figures, n_systems, sources, MIN_SYSTEMS, "systems")
        yield Row(entry.name, MEANS, MEANS, figures, lacking, part_note=note)
