"""Figures of every metric on every part of the texts, and why some are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.metrics.base import Metric, References, Sources
from naturalness.reports.metrics.result import Row, Settings
from naturalness.reports.metrics.scoring import SLOW, Advance, Scored, score_metric
from naturalness.reports.metrics.subsets import ALL, GIVEN_LENGTH, MEANS, Subset, reference_sizes
from naturalness.reports.metrics.systems import FEWEST_SYSTEMS, system_figures
from naturalness.statistics.bootstrap import FEWEST_SOURCES, Figures, Resampling, intervals
from naturalness.statistics.correlation import FEWEST

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class Judged:
    """Rated texts; all have one entry per text."""

    docs: list[Doc]
    ratings: FloatArray
    groups: IntArray
    """What is resampled together."""
    lengths: FloatArray
    systems: tuple[str | None, ...] | None
    references: References | None
    sources: Sources | None = None
    """What texts rewrite."""


def judge_all(
    scored: Sequence[Scored],
    known: Judged,
    parts: Sequence[Subset],
    how: Settings,
    advance: Advance,
    metrics: Sequence[Metric],
) -> Iterator[Row]:
    """Rows of all metrics: on parts, over systems, and with fewer references."""
    table = np.column_stack([entry.scores for entry in scored])
    resampling = Resampling(how.resamples, how.seed)

    def judge(part: Subset) -> list[Figures]:
        rows = part.rows
        if len(rows) < FEWEST:
            return [Figures(len(rows), 0)] * table.shape[1]
        given = known.lengths[rows] if part.kind == GIVEN_LENGTH else None
        return intervals(table[rows], known.ratings[rows], known.groups[rows], resampling, given=given)

    # Threads: the work is numpy's, which lets others run; results do not depend on their number.
    with ThreadPoolExecutor(how.jobs) as pool:
        for number, (part, found) in enumerate(zip(parts, pool.map(judge, parts), strict=True), 1):
            sources = len(np.unique(known.groups[part.rows]))
            few = _few_sources(sources) if len(part.rows) >= FEWEST else ""
            for entry, figures in zip(scored, found, strict=True):
                own = entry.note if part.kind == ALL else ""
                yield Row(
                    entry.name,
                    part.name,
                    part.kind,
                    _enough(figures),
                    _joined(_lacking(figures, len(part.rows), sources), own),
                    part_note=_joined(part.note, few),
                )
            advance("intervals", number, len(parts))
    yield from _over_systems(scored, table, known, resampling)
    yield from _by_references(metrics, scored, known, resampling, advance)


def _enough(figures: Figures) -> Figures:
    """The figures, or none where a metric is defined on too few rows."""
    return figures if figures.n >= FEWEST else Figures(figures.n, figures.left_out)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _few_sources(sources: int) -> str:
    """Why there is no interval; empty where there is one."""
    if sources >= FEWEST_SOURCES:
        return ""
    return f"{sources} source{'s'[: sources != 1]}, fewer than {FEWEST_SOURCES}: no interval"


def _lacking(figures: Figures, n_rows: int, sources: int) -> str:
    """What a metric lacks where the part it is judged on has enough."""
    if figures.n < FEWEST <= n_rows:
        return f"{figures.n} rows with a value, fewer than {FEWEST}: no figures"
    if figures.n < FEWEST or sources < FEWEST_SOURCES:
        return ""
    return _few_sources(figures.sources)


def _over_systems(scored: Sequence[Scored], table: FloatArray, known: Judged, how: Resampling) -> Iterator[Row]:
    if known.systems is None:
        return
    many = len(set(known.systems) - {None})
    rows = np.flatnonzero([system is not None for system in known.systems])
    sources = len(np.unique(known.groups[rows]))
    note = "means over the texts of each system; texts are resampled"
    if many < FEWEST_SYSTEMS:
        note = f"{many} systems, fewer than {FEWEST_SYSTEMS}: no figures"
        found = [Figures(many, 0)] * len(scored)
    else:
        note = _joined(note, _few_sources(sources))
        found = system_figures(table, known.ratings, known.systems, known.groups, how)
    for entry, figures in zip(scored, found, strict=True):
        own = ""
        if figures.n < FEWEST_SYSTEMS <= many:
            own = f"{figures.n} systems with a value, fewer than {FEWEST_SYSTEMS}: no figures"
        elif many >= FEWEST_SYSTEMS and sources >= FEWEST_SOURCES:
            own = _few_sources(figures.sources)
        yield Row(entry.name, MEANS, MEANS, figures, own, part_note=note)


def _by_references(
    metrics: Sequence[Metric], scored: Sequence[Scored], known: Judged, how: Resampling, advance: Advance
) -> Iterator[Row]:
    """Metrics that need references, with the first 1, 2, … of them; slow ones are not repeated."""
    full = {entry.name: entry.scores for entry in scored if entry.needs_references}
    chosen = [metric for metric in metrics if metric.name in full and metric.name not in SLOW]
    if known.references is None or not chosen:
        return
    sizes = reference_sizes(known.references)
    for number, size in enumerate(sizes, 1):
        table = np.column_stack([_with_fewer(m, full[m.name], known, size) for m in chosen])
        name = f"first {size} references" if size > 1 else "first reference"
        note = f"texts with fewer than {size} keep what they have" if size > 1 else ""
        found = intervals(table, known.ratings, known.groups, how)
        for metric, figures in zip(chosen, found, strict=True):
            few = _few_sources(figures.sources) if figures.n >= FEWEST else ""
            yield Row(metric.name, name, "references", _enough(figures), few, size, note)
        advance("fewer references", number, len(sizes))


def _with_fewer(metric: Metric, full: FloatArray, known: Judged, size: int) -> FloatArray:
    """Scores with the first references; only texts that lose some are scored again."""
    references = known.references or ()
    changed = [i for i, row in enumerate(references) if metric.set_dependent or len(row) > size]
    docs, few = [known.docs[i] for i in changed], [references[i][:size] for i in changed]
    sources = None if known.sources is None else [known.sources[i] for i in changed]
    out = full.copy()
    out[changed] = score_metric(metric, docs, few, sources).scores
    return out
