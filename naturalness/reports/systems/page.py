"""Render a report on systems, or on two runs, as one self-contained HTML page.

`templates/systems.html.j2` contains the wording and the tables. The same report always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from naturalness import __version__
from naturalness.explaining.shown import SHOWN, SURE, excerpt, strongest_causes
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import defined, shade, shorten
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.reports.systems.answers import sure
from naturalness.reports.systems.causes import CauseShare
from naturalness.reports.systems.report import MIN_CHANGE, SystemsReport
from naturalness.statistics.bootstrap import MIN_SOURCES
from naturalness.statistics.significance import ALPHA, as_good_as_best

MAX_CAUSES = 5
"""The largest number of causes listed for a text."""
MAX_NAME_CHARACTERS = 24
"""The largest number of characters of a system's name beside its dot."""
BELOW = "the numbers are in the table below"


def make_page(report: SystemsReport, *, name: str) -> str:
    """Return the page of a report; ``name`` is the name of the table."""
    return render(
        "systems.html.j2",
        name=name,
        report=report,
        version=__version__,
        means=_draw_means(report),
        plane=_draw_plane(report),
        strongest=_strongest,
        shade=shade,
        pieces=lambda explanation: excerpt(explanation.text, sure(explanation)),
        causes_of=partial(strongest_causes, most=MAX_CAUSES, least=SHOWN),
        sure=SURE,
        min_change=MIN_CHANGE,
        alpha=ALPHA,
        min_texts=MIN_SOURCES,
    )


def _strongest(shares: Sequence[CauseShare]) -> float:
    """Return the absolute size of the largest difference in a cause or kind; its cell gets the strongest colour."""
    return max((abs(s.beyond.value) for s in shares if s.name and s.beyond.value == s.beyond.value), default=0.0)


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
