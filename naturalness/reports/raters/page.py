"""Render a report on rated texts as one self-contained HTML page, with charts and lists of texts.

`templates/report.html.j2` contains the wording and the tables. The same report always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from naturalness.explaining.explanation import Contribution, Finding, MovedFeature
from naturalness.explaining.shown import SHOWN, SURE, Piece, excerpt, strongest_causes
from naturalness.explaining.wording import feature_title
from naturalness.pages import charts
from naturalness.pages.charts import Estimate
from naturalness.pages.formats import decimal, percent
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.reports.raters.cases import Case
from naturalness.reports.raters.categories import BETTER, DIMENSIONS, MIN_TEXTS, WORSE, Rate
from naturalness.reports.raters.figures import TITLES
from naturalness.reports.raters.learning_curve import LearningCurve
from naturalness.reports.raters.report import Listed, RatersReport
from naturalness.reports.raters.wording import advice, headline
from naturalness.statistics.measures import wilson

FIGURES = {"roc_auc": "ROC AUC", "spearman": "Spearman", "mean_order": "Order overall and within sources"}
COLOURS = {WORSE: "learned", BETTER: "chosen", "": "plain"}
"""The colour class of a category, keyed by its verdict (see `Rate.verdict`)."""
BELOW = "the numbers are in the table below"
MAX_CAUSES = 5
"""The largest number of causes listed for a text."""
MAX_FINDINGS = 6
MAX_FEATURES = 3
"""The largest number of features named for a text, counted over all its causes."""


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
        figures=_draw_figures(report),
        histograms=_draw_histograms(report),
        curve_chart=_draw_curve(report.learning_curve),
        lists={name: list_cases(getattr(report, name)) for name in ("too_high", "too_low")},
        titles=TITLES,
        figure_titles=FIGURES,
        feature_title=feature_title,
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


# Texts.


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A listed text with everything that the page shows about it."""

    case: Case
    pieces: list[Piece]
    causes: list[Contribution]
    """The causes that affect the score most."""
    features: list[MovedFeature]
    """The features that affect the score most, from all causes."""
    findings: Sequence[Finding]


def list_cases(listed: Listed) -> list[ListedCase]:
    """Return the texts of a list, each with its marks, and the causes and features that affect its score most."""
    return list(map(_show, listed.cases))


def _show(case: Case) -> ListedCase:
    explanation = case.explanation
    findings = explanation.findings
    features = [
        feature for cause in explanation.contributions if abs(cause.value) >= SHOWN for feature in cause.features
    ]
    return ListedCase(
        case,
        excerpt(case.text, [finding for finding in findings if finding.weight >= SURE] or findings[:1]),
        strongest_causes(explanation, most=MAX_CAUSES, least=SHOWN),
        sorted(features, key=lambda feature: -abs(feature.effect))[:MAX_FEATURES],
        findings[:MAX_FINDINGS],
    )


# Charts.


def _forest(rows: Sequence[Estimate], title: str, description: str, **options: Any) -> str:
    if not rows:
        return ""
    return both(partial(charts.forest, rows, title=title, description=f"{description}; {BELOW}", **options))


def _draw_figures(report: RatersReport) -> str:
    """Draw a row for each figure of agreement with its interval."""
    rows = [Estimate.of(TITLES[name], figure, "chosen") for name, figure in report.figures.items()]
    return _forest(rows, "figure", "Figures of agreement with 95 % intervals")


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
    return _forest(rows, what, f"{title}: {what}", number=percent, mark=report.rates[0].rate)


def _draw_calibration(report: RatersReport) -> str:
    parts, best = report.calibration.parts, report.classes[-1]
    if not parts:
        return ""
    points = [(part.predicted, part.natural, *wilson(part.natural * part.texts, part.texts)) for part in parts]
    titles = "predicted naturalness", f"share that is {best}"
    description = f"Predicted naturalness against the share that raters call {best}; {BELOW}"
    return both(partial(charts.reliability_plot, points, titles=titles, description=description))


def _draw_histograms(report: RatersReport) -> list[str]:
    panels = [
        charts.Histogram(row.name, f"{row.texts:,} texts, mean {decimal(row.naturalness)[:-1]}", row.counts)
        for row in report.labels
    ]
    return charts.histogram_cells(panels, description="Histogram of naturalness", mark=report.confusion.threshold)


def _draw_curve(curve: LearningCurve | None) -> str:
    """Draw the learning curve with a band of one standard deviation to either side; empty if there is no curve to
    draw.
    """
    if curve is None or len(curve.points) < 2:
        return ""
    what = "number of texts to learn from"
    titles = f"{what} (log scale)", FIGURES[curve.figure]
    description = f"{FIGURES[curve.figure]} by {what}; {BELOW}"
    return both(partial(charts.curve, curve.points, None, titles=titles, description=description))
