"""Render a comparison of metrics as one self-contained HTML page.

The page contains none of the compared texts. `templates/compare.html.j2` contains its wording and tables. The same
comparison always gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from naturalness import __version__
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import enumeration, shade
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.reports.metrics.result import Comparison, reasons_in_lines
from naturalness.reports.metrics.scoring import Scored
from naturalness.reports.metrics.subsets import ALL, GIVEN_LENGTH, MEANS
from naturalness.statistics.bootstrap import MIN_SOURCES, Figures
from naturalness.statistics.significance import ALPHA

FULL_COLOUR_CORRELATION = 0.7
"""The correlation at which a cell reaches the strongest colour."""


def make_page(result: Comparison, *, name: str) -> str:
    """Return the page that shows a comparison on the table ``name``."""
    order, best = result.ranking(), result.as_good_as_best()
    means = [row.figures.spearman.value for row in result.rows if row.kind == MEANS]
    return render(
        "compare.html.j2",
        name=name,
        result=result,
        version=__version__,
        order=order,
        best=best,
        scored=_scored(result, order),
        given_length=GIVEN_LENGTH,
        means=MEANS,
        forest=_draw_forest(result, order, best),
        heat=heat_map(result, order),
        tests=[pair for pair in result.pairs if not math.isnan(pair.holm_spearman)],
        ranked=not all(map(math.isnan, means)),
        notes=part_notes(result),
        left_out=reasons_in_lines(result.left_out),
        kendall=max(row.figures.kendall_resamples for row in result.rows if row.subset == ALL),
        alpha=ALPHA,
        min_sources=MIN_SOURCES,
    )


def _scored(result: Comparison, order: Sequence[str]) -> list[Scored]:
    """Return the metrics in the order of these names."""
    entries = {entry.name: entry for entry in result.metrics}
    return [entries[name] for name in order]


def _colour(entry: Scored, best: Sequence[str]) -> str:
    return "learned" if entry.learned else "chosen" if entry.name in best else "plain"


def _draw_forest(result: Comparison, order: Sequence[str], best: Sequence[str]) -> str:
    """Draw each metric's Spearman correlation with its interval, and its partial correlation given length as a
    hollow dot.
    """
    rows = []
    for entry in _scored(result, order):
        partial_figures = result.find(entry.name, GIVEN_LENGTH)
        beside = partial_figures.spearman.value if partial_figures else math.nan
        figure = result.row(entry.name).figures.spearman
        rows.append(Estimate.of(entry.name, figure, _colour(entry, best), beside=beside))
    description = "Spearman correlation of each metric with ratings, with 95 % intervals"
    return both(partial(charts.forest, rows, title="Spearman", description=description, bold=True))


def heat_map(result: Comparison, order: Sequence[str]) -> dict[str, Any]:
    """Return the Spearman correlation of each metric on each subset; subsets without figures are left out."""
    cells = {part: [result.find(metric, part) for metric in order] for part in result.subsets}
    cells = {
        part: column for part, column in cells.items() if any(c and not math.isnan(c.spearman.value) for c in column)
    }
    return {
        "parts": [(part, max(figures.n if figures else 0 for figures in column)) for part, column in cells.items()],
        "rows": [(metric, [_cell(column[i]) for column in cells.values()]) for i, metric in enumerate(order)],
    }


def _cell(figures: Figures | None) -> dict[str, Any]:
    if figures is None or math.isnan(figures.spearman.value):
        return {"value": math.nan, "share": 0, "kind": "none", "sure": False}
    interval = figures.spearman
    return {
        "value": interval.value,
        "share": shade(interval.value, FULL_COLOUR_CORRELATION),
        "kind": "up" if interval.value > 0 else "down",
        "sure": interval.low > 0 or interval.high < 0,
    }


def part_notes(result: Comparison) -> list[tuple[str, str]]:
    """Return the notes on each subset, then the notes on single metrics in a subset, each with the names of its subset
    and metrics.

    For the set of all texts, notes on single metrics appear below the table of standings instead.
    """
    of_parts: dict[tuple[str, str], None] = {}
    metrics_of: dict[tuple[str, str], list[str]] = {}
    for row in result.rows:
        if row.part_note:
            of_parts[row.subset, row.part_note] = None
        if row.note and row.subset != ALL:
            metrics_of.setdefault((row.subset, row.note), []).append(row.metric)
    of_metrics = [(f"{part}, {enumeration(names)}", note) for (part, note), names in metrics_of.items()]
    return [*of_parts, *of_metrics]
