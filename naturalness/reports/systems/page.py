"""A report of systems, or of two runs, as one HTML page.

`templates/systems.html.j2` has the words. The page loads nothing, and the same report gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from naturalness import __version__
from naturalness.explaining.explanation import Explanation
from naturalness.explaining.shown import SHOWN, SURE, Piece, excerpt, strongest_causes
from naturalness.explaining.wording import beside
from naturalness.pages import charts
from naturalness.pages.charts import Estimate, Histogram, short_names
from naturalness.pages.formats import Format, between, change, decimal, defined, p_value, shade, share
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.reports.systems.answers import sure
from naturalness.reports.systems.causes import Share
from naturalness.reports.systems.pairs import groups_of
from naturalness.reports.systems.report import SystemsReport
from naturalness.reports.systems.runs import MIN_CHANGE, Change, Moved, Runs
from naturalness.reports.systems.standings import BINS
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval
from naturalness.statistics.significance import ALPHA

if TYPE_CHECKING:
    from markupsafe import Markup

MAX_CAUSES = 5
"""Causes of a text that are listed, the strongest."""
MIN_SYSTEMS = 4
"""Systems from which on a matrix shows which differ; of fewer a table does."""


def make_page(report: SystemsReport, *, name: str, before: str = "") -> str:
    """Return the page of a report; ``name`` is that of the table, ``before`` that of the older one."""
    threshold = report.judge.threshold
    histograms = [_histogram(standing.system, standing.histogram) for standing in report.standings]
    runs = report.runs
    return render(
        "systems.html.j2",
        name=name,
        before=before,
        report=report,
        version=__version__,
        means=_draw_means(report),
        standings=_standings(report),
        axes=report.axes,
        reasons=[(standing.system, standing.reasons) for standing in report.standings if standing.reasons],
        matrix=_draw_pairs(report),
        pairs=_pairs(report),
        causes=_heat([*report.causes, *report.totals], rates=False),
        cause_rows=_share_rows([*report.causes, *report.totals]),
        kinds=_heat(report.kinds, rates=True),
        kind_rows=_share_rows(report.kinds),
        histograms=_draw_histograms(histograms, threshold),
        bins=_bins(histograms),
        lengths=_lengths(report),
        worst=[
            (name, [(text, _shown(text.answer.explanation)) for text in report.worst[name]]) for name in report.systems
        ],
        shown=_shown,
        sure=SURE,
        runs=None if runs is None else _runs(runs, report),
        alpha=ALPHA,
        min_texts=MIN_SOURCES,
    )


def with_ends(figure: Interval, number: Format = decimal) -> Markup:
    """Write a figure, and smaller below it the ends of its interval."""
    from markupsafe import Markup

    value, below = number(figure.value), between(figure.low, figure.high, number) if defined(figure.low) else ""
    return Markup("{} <span class=soft-n>{}</span>" if below else "{}").format(value, below)


def tenths(value: float | None) -> str:
    """Write a number with one decimal."""
    return decimal(value, 1)


def change_in_tenths(value: float | None) -> str:
    """Write a difference with one decimal and its sign."""
    return change(value, 1)


def _standings(report: SystemsReport) -> list[list[str]]:
    return [
        [
            standing.system,
            f"{standing.n_texts:,}",
            with_ends(standing.mean),
            *(with_ends(standing.axes[axis]) if axis in standing.axes else "–" for axis in report.axes),
            decimal(standing.median),
            with_ends(standing.below, share),
            share(standing.unlike.value),
            tenths(standing.words),
            f"{standing.n_texts - standing.n_scored:,}",
        ]
        for standing in report.standings
    ]


def _pairs(report: SystemsReport) -> list[list[str]]:
    return [
        [
            pair.first,
            pair.second,
            with_ends(pair.difference, change),
            p_value(pair.p),
            p_value(pair.corrected),
            "yes" if pair.differs else "–" if math.isnan(pair.p) else "no",
            f"{pair.n_shared:,} shared inputs" if pair.n_shared else "all texts",
        ]
        for pair in report.pairs
    ]


def _heat(shares: Sequence[Share], *, rates: bool) -> list[dict[str, Any]]:
    """Return the rows of a coloured table: a cause or kind each, a cell per system.

    Blue is better than the other systems, brown worse; of rates more is worse. What may be chance
    has no colour.
    """
    strongest = max((abs(s.beyond.value) for s in shares if s.name and s.beyond.value == s.beyond.value), default=0.0)
    rows: dict[str, dict[str, Any]] = {}
    for entry in shares:
        row = rows.setdefault(entry.name, {"title": entry.title, "cells": [], "total": not entry.name})
        beyond = entry.beyond.value
        good = (beyond < 0) if rates else (beyond > 0)

        row["cells"].append(
            {
                "value": f"{entry.value:.1f}" if rates else change(beyond),
                "kind": "up" if good else "down",
                "strength": shade(beyond, strongest) if entry.stands_out else 0,
                "sure": entry.stands_out,
            }
        )
    return list(rows.values())


def _share_rows(shares: Sequence[Share]) -> list[list[str]]:
    return [
        [entry.title, entry.system, decimal(entry.value), with_ends(entry.beyond, change), p_value(entry.corrected)]
        for entry in shares
    ]


def _bins(histograms: Sequence[Histogram]) -> list[list[str]]:
    return [
        [f"{number / BINS:.2f} to {(number + 1) / BINS:.2f}", *(f"{panel.counts[number]:,}" for panel in histograms)]
        for number in range(BINS)
    ]


def _lengths(report: SystemsReport) -> list[list[str]]:
    return [
        [
            length.system,
            with_ends(length.words, tenths),
            decimal(standing.mean.value),
            with_ends(length.at_equal_length),
            change(length.moved),
        ]
        for length, standing in zip(report.lengths, report.standings, strict=True)
    ]


def _runs(runs: Runs, report: SystemsReport) -> dict[str, Any]:
    old, new = (_histogram(name, counts) for name, counts in zip(("before", "now"), runs.histograms, strict=True))
    causes, kinds = (_most_changed(rows) for rows in (runs.causes, runs.kinds))
    kinds = [row for row in kinds if row.new or row.gone or abs(row.change.value) > 1e-9]
    drawing = _draw_histograms([new], report.judge.threshold, earlier=old)[0]
    return {
        "moves": runs,
        "histogram": drawing,
        "bins": _bins([old, new]),
        "rows": [
            ["mean naturalness", *_moved(runs.mean)],
            [
                f"per cent below {report.judge.threshold:.3f}",
                *_moved(_hundredfold(runs.below), tenths, change_in_tenths),
            ],
            ["words per text", *_moved(runs.words, tenths, change_in_tenths)],
        ],
        "causes": _draw_moved(causes, report.judge.unit),
        "cause_rows": [[row.title, *_moved(row), p_value(row.corrected)] for row in causes],
        "kind_rows": [
            [row.title, *_moved(row, tenths, change_in_tenths), f"{row.new:,}", f"{row.gone:,}", p_value(row.corrected)]
            for row in kinds
        ],
        "same_kinds": len(runs.kinds) - len(kinds),
        "system_rows": [[row.title, *_moved(row), p_value(row.corrected)] for row in runs.systems],
        "fell": [(moved, _cause_changes(moved)) for moved in runs.fell],
        "rose": [(moved, _cause_changes(moved)) for moved in runs.rose],
        "same": MIN_CHANGE,
    }


def _most_changed(rows: Sequence[Moved]) -> list[Moved]:
    known = [row for row in rows if not math.isnan(row.change.value)]
    return sorted(known, key=lambda row: -abs(row.change.value))


def _hundredfold(row: Moved) -> Moved:
    """Return a share in per cent."""
    ends = (100 * end for end in (row.change.value, row.change.low, row.change.high))
    return replace(row, before=100 * row.before, after=100 * row.after, change=Interval(*ends))


def _moved(row: Moved, number: Format = decimal, difference: Format = change) -> list[str]:
    """Return the change with its interval, before and now."""
    return [with_ends(row.change, difference), number(row.before), number(row.after)]


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text as the page shows it."""

    explanation: Explanation
    pieces: list[Piece]
    causes: list[tuple[str, float]]
    """Titles and contributions, the strongest first."""
    beside: list[str]
    """Where the score stands in its register, and both axes."""


def _shown(explanation: Explanation) -> ShownText:
    causes = strongest_causes(explanation, most=MAX_CAUSES, least=SHOWN)
    return ShownText(
        explanation,
        excerpt(explanation.text, sure(explanation)),
        [(cause.title, cause.value) for cause in causes],
        beside(explanation.standing, explanation.axes),
    )


def _cause_changes(moved: Change) -> list[tuple[str, float]]:
    """Return the causes that changed most between two texts."""
    return [(title, value) for title, value in moved.causes if abs(value) >= SHOWN][:MAX_CAUSES]


def _draw_means(report: SystemsReport) -> str:
    """Draw each system's mean with its interval; hollow the mean at equal length."""
    best = set(groups_of(report.systems, report.pairs)[0]) if report.several else set()
    rows = [
        Estimate(
            standing.system,
            standing.mean.value,
            standing.mean.low,
            standing.mean.high,
            "chosen" if standing.system in best else "plain",
            beside=length.at_equal_length.value if report.several else math.nan,
        )
        for standing, length in zip(report.standings, report.lengths, strict=True)
    ]
    description = "Mean naturalness of each system with 95 % intervals; the numbers are in the table below"
    title, base = "mean naturalness (line: threshold)", report.judge.threshold
    return both(lambda width: charts.forest(rows, width, title=title, description=description, base=base, bold=True))


def _draw_pairs(report: SystemsReport) -> str:
    """Draw who sounds more natural than whom; nothing of fewer than `MIN_SYSTEMS`."""
    if len(report.systems) < MIN_SYSTEMS:
        return ""
    names = short_names(report.systems)
    kinds: dict[tuple[str, str], str] = {}
    for pair in report.pairs:
        if pair.differs:
            kinds[names[pair.first], names[pair.second]] = "better"
            kinds[names[pair.second], names[pair.first]] = "worse"
    description = "Which system sounds more natural than which; the numbers are in the table below"
    return charts.pair_matrix(list(names.values()), kinds, description=description)


def _draw_moved(rows: Sequence[Moved], unit: str) -> str:
    """Draw what each cause adds now less what it added, with intervals; nothing of no causes."""
    estimates = [
        Estimate(row.title, row.change.value, row.change.low, row.change.high, _colour(row))
        for row in rows
        if not math.isnan(row.change.value)
    ]
    if not estimates:
        return ""
    description = "Change of what each cause adds, with 95 % intervals; the numbers are in the table below"
    title = f"change, {unit}"
    return both(lambda width: charts.forest(estimates, width, title=title, description=description, bold=True))


def _colour(row: Moved) -> str:
    if not row.differs:
        return "plain"
    return "chosen" if row.change.value > 0 else "learned"


def _histogram(name: str, counts: Sequence[int]) -> Histogram:
    """Return a histogram with the number of its texts."""
    return Histogram(name, f"n = {sum(counts):,}", tuple(counts))


def _draw_histograms(panels: Sequence[Histogram], threshold: float, *, earlier: Histogram | None = None) -> list[str]:
    """Draw a histogram each, all on one scale; ``earlier`` is drawn over them as a line."""
    return charts.histogram_cells(panels, description="Histogram of naturalness", mark=threshold, earlier=earlier)
