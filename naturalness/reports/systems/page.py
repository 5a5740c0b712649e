"""Render a report on systems, or on two runs, as one self-contained HTML page.

`templates/systems.html.j2` contains the wording and the tables. The same report always gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from naturalness import __version__
from naturalness.explaining.shown import SHOWN, SURE, excerpt, strongest_causes
from naturalness.explaining.wording import beside
from naturalness.pages import charts
from naturalness.pages.charts import Estimate, Histogram
from naturalness.pages.formats import defined, shade, shorten
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.reports.systems.answers import sure
from naturalness.reports.systems.causes import CauseShare
from naturalness.reports.systems.report import SystemsReport
from naturalness.reports.systems.runs import MIN_CHANGE, FigureChange, Runs
from naturalness.statistics.bootstrap import MIN_SOURCES, Interval
from naturalness.statistics.significance import ALPHA, as_good_as_best

MAX_CAUSES = 5
"""The largest number of causes listed for a text."""
MAX_NAME_CHARACTERS = 24
"""The largest number of characters of a system's name beside its dot."""
BELOW = "the numbers are in the table below"


def make_page(report: SystemsReport, *, name: str, before: str = "") -> str:
    """Return the page of a report; ``name`` is the name of the table, and ``before`` the name of the older table, if
    any.
    """
    panels = [_histogram(standing.system, standing.histogram) for standing in report.standings]
    return render(
        "systems.html.j2",
        name=name,
        before=before,
        report=report,
        version=__version__,
        means=_draw_means(report),
        plane=_draw_plane(report),
        strongest=_strongest,
        shade=shade,
        histograms=_draw_histograms(panels, report.judge.threshold),
        panels=panels,
        pieces=lambda explanation: excerpt(explanation.text, sure(explanation)),
        causes_of=partial(strongest_causes, most=MAX_CAUSES, least=SHOWN),
        beside=beside,
        sure=SURE,
        runs=None if report.runs is None else _runs(report.runs, report),
        alpha=ALPHA,
        min_texts=MIN_SOURCES,
    )


def _strongest(shares: Sequence[CauseShare]) -> float:
    """Return the absolute size of the largest difference in a cause or kind; its cell gets the strongest colour."""
    return max((abs(s.beyond.value) for s in shares if s.name and s.beyond.value == s.beyond.value), default=0.0)


def _runs(runs: Runs, report: SystemsReport) -> dict[str, Any]:
    panels = list(map(_histogram, ("before", "now"), runs.histograms))
    causes, kinds = (_most_changed(rows) for rows in (runs.causes, runs.kinds))
    ends = (100 * end for end in (runs.below.change.value, runs.below.change.low, runs.below.change.high))
    return {
        "moves": runs,
        "histogram": _draw_histograms(panels[1:], report.judge.threshold, earlier=panels[0])[0],
        "panels": panels,
        "below": replace(
            runs.below, before=100 * runs.below.before, after=100 * runs.below.after, change=Interval(*ends)
        ),
        "drawn_causes": _draw_moved(causes, report.judge.unit),
        "causes": causes,
        "kinds": [row for row in kinds if row.new or row.gone or abs(row.change.value) > 1e-9],
        "fell": [(moved, _listed(moved.causes)) for moved in runs.fell],
        "rose": [(moved, _listed(moved.causes)) for moved in runs.rose],
        "same": MIN_CHANGE,
    }


def _most_changed(rows: Sequence[FigureChange]) -> list[FigureChange]:
    known = [row for row in rows if not math.isnan(row.change.value)]
    return sorted(known, key=lambda row: -abs(row.change.value))


def _listed(causes: Sequence[tuple[str, float]]) -> list[dict[str, Any]]:
    """Return the causes whose contributions differ most between two versions of a text."""
    return [{"title": title, "value": value} for title, value in causes if abs(value) >= SHOWN][:MAX_CAUSES]


def _colours(report: SystemsReport) -> dict[str, str]:
    """Return the colour class of each system: another one for the best, and those that do not differ from it."""
    means = {standing.system: standing.mean.value for standing in report.standings}
    best = as_good_as_best(means, report.pairs) if report.several else []
    return dict.fromkeys(means, "plain") | dict.fromkeys(best, "chosen")


def _draw_plane(report: SystemsReport) -> str:
    """Draw the mean naturalness and voice of each system; empty unless two systems have both."""
    colours = _colours(report)
    points = [
        (Estimate.of(shorten(it.system, MAX_NAME_CHARACTERS), it.mean, colours[it.system]), Estimate.of("", it.voice))
        for it in report.standings
        if defined(it.mean.value) and defined(it.voice.value)
    ]
    titles = "mean naturalness", "mean voice"
    description = f"Mean naturalness and mean voice of each system with 95 % intervals; {BELOW}"
    return both(partial(charts.plane, points, titles=titles, description=description)) if len(points) > 1 else ""


def _draw_means(report: SystemsReport) -> str:
    """Draw the mean of each system with its interval."""
    colours = _colours(report)
    rows = [Estimate.of(it.system, it.mean, colours[it.system]) for it in report.standings]
    description = f"Mean naturalness of each system with 95 % intervals; {BELOW}"
    title = "mean naturalness (line: threshold)"
    return both(
        partial(charts.forest, rows, title=title, description=description, base=report.judge.threshold, bold=True)
    )


def _draw_moved(rows: Sequence[FigureChange], unit: str) -> str:
    """Draw the change in each cause's contribution, with intervals; empty if there are no causes."""
    if not rows:
        return ""
    estimates = [Estimate.of(row.title, row.change, _colour(row)) for row in rows]
    description = f"Change of what each cause adds, with 95 % intervals; {BELOW}"
    return both(partial(charts.forest, estimates, title=f"change, {unit}", description=description, bold=True))


def _colour(row: FigureChange) -> str:
    if not row.differs:
        return "plain"
    return "chosen" if row.change.value > 0 else "learned"


def _histogram(name: str, counts: Sequence[int]) -> Histogram:
    """Return a histogram with the number of texts as its note."""
    return Histogram(name, f"n = {sum(counts):,}", tuple(counts))


def _draw_histograms(panels: Sequence[Histogram], threshold: float, *, earlier: Histogram | None = None) -> list[str]:
    """Draw histograms on one scale; the ``earlier`` histogram is drawn over each of them as a line."""
    return charts.histogram_cells(panels, description="Histogram of naturalness", mark=threshold, earlier=earlier)
