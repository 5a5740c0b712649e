"""Render a report on rated texts as one self-contained HTML page, with charts and lists of texts.

`templates/report.html.j2` contains the wording and the tables. The same report always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from naturalness.explaining.shown import SHOWN, SURE, excerpt, strongest_causes
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import percent
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.pipelines.evaluation import FIGURE_TITLES
from naturalness.reports.raters.categories import BETTER, DIMENSIONS, MIN_TEXTS, WORSE, Rate
from naturalness.reports.raters.learning_curve import LearningCurve
from naturalness.reports.raters.report import RatersReport, advice, headline
from naturalness.statistics.measures import wilson

COLOURS = {WORSE: "learned", BETTER: "chosen", "": "plain"}
"""The colour class of a category, keyed by its verdict (see `Rate.verdict`)."""
BELOW = "the numbers are in the table below"
MAX_CAUSES = 5
"""The largest number of causes listed for a text."""


def make_page(report: RatersReport) -> str:
    """Return the page of a report."""
    return render(
        "report.html.j2",
        report=report,
        headline=headline(report),
        advice=advice(report),
        two_labels=len(report.classes) == 2,
        worst=report.classes[0],
        best=report.classes[-1],
        rates=_rates(report),
        calibration=_draw_calibration(report),
        curve_chart=_draw_curve(report.learning_curve),
        pieces=lambda it: excerpt(it.text, [finding for finding in it.findings if finding.weight >= SURE]),
        causes_of=partial(strongest_causes, most=MAX_CAUSES, least=SHOWN),
        titles=FIGURE_TITLES,
        min_texts=MIN_TEXTS,
        sure=SURE,
    )


def _rates(report: RatersReport) -> list[dict[str, Any]]:
    """Return the error rates of each dimension, with a chart of them."""
    dimensions: dict[str, list[Rate]] = {}
    for rate in report.rates[1:]:
        dimensions.setdefault(DIMENSIONS.get(rate.dimension, f"Column “{rate.dimension}”"), []).append(rate)
    return [
        {"title": title, "rows": rows, "chart": _draw_rates(title, rows, report)} for title, rows in dimensions.items()
    ]


# Charts.


def _draw_rates(title: str, rates: Sequence[Rate], report: RatersReport) -> str:
    """Draw the error rates of the categories in a dimension, with a line at the overall error rate."""
    rows = [
        Estimate(
            rate.name or "(empty)", rate.rate, rate.low, rate.high, COLOURS[rate.verdict], note=f" of {rate.texts:,}"
        )
        for rate in rates
        if rate.texts >= MIN_TEXTS
    ]
    what = "share of texts with a wrong prediction"
    if not rows:
        return ""
    description, mark = f"{title}: {what}; {BELOW}", report.rates[0].rate
    return both(partial(charts.forest, rows, title=what, description=description, number=percent, mark=mark))


def _draw_calibration(report: RatersReport) -> str:
    parts, best = report.calibration.parts, report.classes[-1]
    if not parts:
        return ""
    points = [(part.predicted, part.natural, *wilson(part.natural * part.texts, part.texts)) for part in parts]
    titles = "predicted naturalness", f"share that is {best}"
    description = f"Predicted naturalness against the share that raters call {best}; {BELOW}"
    return both(partial(charts.reliability_plot, points, titles=titles, description=description))


def _draw_curve(curve: LearningCurve | None) -> str:
    """Draw the learning curve with a band of one standard deviation to either side; empty if there is no curve to
    draw.
    """
    if curve is None or len(curve.points) < 2:
        return ""
    what = "number of texts to learn from"
    titles = f"{what} (log scale)", FIGURE_TITLES[curve.figure]
    description = f"{FIGURE_TITLES[curve.figure]} by {what}; {BELOW}"
    return both(partial(charts.curve, curve.points, titles=titles, description=description))
