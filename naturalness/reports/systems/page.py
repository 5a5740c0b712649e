"""A report of systems, or of two runs, as one HTML page.

Plain data is put in the order of reading here; `templates/systems.html.j2` has the words, `plots`
the drawings. The page loads nothing, and the same report gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from naturalness import __version__
from naturalness.pages.charts import Histogram
from naturalness.pages.formats import Format, between, change, decimal, defined, p_value, share
from naturalness.pages.templating import render
from naturalness.reports.systems import plots
from naturalness.reports.systems.causes import Share
from naturalness.reports.systems.changes import SAME
from naturalness.reports.systems.report import SystemsReport
from naturalness.reports.systems.runs import Moved, Runs
from naturalness.reports.systems.shown import shown_change, shown_worst
from naturalness.reports.systems.standings import BINS
from naturalness.statistics.bootstrap import FEWEST_SOURCES, Interval
from naturalness.statistics.significance import ALPHA

if TYPE_CHECKING:
    from markupsafe import Markup

STRONG = 45
"""Per cent of colour in a cell of a coloured table that is as strong as it gets."""


def make_page(report: SystemsReport, *, name: str, before: str = "") -> str:
    """The page of a report; ``name`` is that of the table, ``before`` that of the older one."""
    threshold = report.judge.threshold
    histograms = [plots.panel(one.system, one.histogram) for one in report.standings]
    runs = report.runs
    return render(
        "systems.html.j2",
        name=name,
        before=before,
        report=report,
        version=__version__,
        means=plots.draw_means(report),
        standings=_standings(report),
        reasons=[(one.system, one.reasons) for one in report.standings if one.reasons],
        matrix=plots.draw_pairs(report),
        pairs=_pairs(report),
        causes=_heat(report, [*report.causes, *report.totals], rates=False),
        cause_rows=_share_rows([*report.causes, *report.totals]),
        kinds=_heat(report, report.kinds, rates=True),
        kind_rows=_share_rows(report.kinds),
        histograms=plots.draw_histograms(histograms, threshold),
        bins=_bins(histograms),
        lengths=_lengths(report),
        worst=[(s, [shown_worst(one) for one in report.worst[s]]) for s in report.systems],
        runs=None if runs is None else _runs(runs, report),
        alpha=ALPHA,
        fewest=FEWEST_SOURCES,
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
            one.system,
            f"{one.n_texts:,}",
            with_ends(one.mean),
            decimal(one.median),
            with_ends(one.below, share),
            share(one.unlike.value),
            tenths(one.words),
            f"{one.n_texts - one.n_scored:,}",
        ]
        for one in report.standings
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


def _heat(report: SystemsReport, shares: Sequence[Share], *, rates: bool) -> list[dict[str, Any]]:
    """Rows of a coloured table: a cause or kind each, a cell per system.

    Blue is better than the other systems, brown worse; of rates more is worse. What may be chance
    has no colour.
    """
    most = max((abs(s.beyond.value) for s in shares if s.name and s.beyond.value == s.beyond.value), default=0.0)
    rows: dict[str, dict[str, Any]] = {}
    for one in shares:
        row = rows.setdefault(one.name, {"title": one.title, "cells": [], "whole": not one.name})
        beyond = one.beyond.value
        good = (beyond < 0) if rates else (beyond > 0)
        strength = STRONG * min(abs(beyond) / most, 1) if one.stands_out else 0
        row["cells"].append(
            {
                "value": f"{one.value:.1f}" if rates else change(beyond),
                "kind": "up" if good else "down",
                "strength": round(strength),
                "sure": one.stands_out,
            }
        )
    return list(rows.values())


def _share_rows(shares: Sequence[Share]) -> list[list[str]]:
    return [
        [one.title, one.system, decimal(one.value), with_ends(one.beyond, change), p_value(one.corrected)]
        for one in shares
    ]


def _bins(histograms: Sequence[Histogram]) -> list[list[str]]:
    return [
        [f"{place / BINS:.2f} to {(place + 1) / BINS:.2f}", *(f"{panel.counts[place]:,}" for panel in histograms)]
        for place in range(BINS)
    ]


def _lengths(report: SystemsReport) -> list[list[str]]:
    return [
        [
            one.system,
            with_ends(one.words, tenths),
            decimal(standing.mean.value),
            with_ends(one.given_length),
            change(one.moved),
        ]
        for one, standing in zip(report.lengths, report.standings, strict=True)
    ]


def _runs(runs: Runs, report: SystemsReport) -> dict[str, Any]:
    old, new = (plots.panel(name, counts) for name, counts in zip(("before", "now"), runs.histograms, strict=True))
    causes, kinds = (_most_changed(rows) for rows in (runs.causes, runs.kinds))
    kinds = [row for row in kinds if row.new or row.gone or abs(row.change.value) > 1e-9]
    drawing = plots.draw_histograms([new], report.judge.threshold, earlier=old)[0]
    return {
        "found": runs,
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
        "causes": plots.draw_moved(causes, report.judge.unit),
        "cause_rows": [[row.title, *_moved(row), p_value(row.corrected)] for row in causes],
        "kind_rows": [
            [row.title, *_moved(row, tenths, change_in_tenths), f"{row.new:,}", f"{row.gone:,}", p_value(row.corrected)]
            for row in kinds
        ],
        "same_kinds": len(runs.kinds) - len(kinds),
        "system_rows": [[row.title, *_moved(row), p_value(row.corrected)] for row in runs.systems],
        "fell": [shown_change(one) for one in runs.fell],
        "rose": [shown_change(one) for one in runs.rose],
        "same": SAME,
    }


def _most_changed(rows: Sequence[Moved]) -> list[Moved]:
    known = [row for row in rows if not math.isnan(row.change.value)]
    return sorted(known, key=lambda row: -abs(row.change.value))


def _hundredfold(row: Moved) -> Moved:
    """A share in per cent."""
    ends = (100 * end for end in (row.change.value, row.change.low, row.change.high))
    return replace(row, before=100 * row.before, after=100 * row.after, change=Interval(*ends))


def _moved(row: Moved, number: Format = decimal, difference: Format = change) -> list[str]:
    """Return the change with its interval, before and now."""
    return [with_ends(row.change, difference), number(row.before), number(row.after)]
