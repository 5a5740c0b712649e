"""A report on rated texts as one HTML page: its charts, its tables, and the texts that it lists.

`templates/report.html.j2` has the words. The page loads nothing, and the same report gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from naturalness.explaining.explanation import Contribution, Finding, Moved
from naturalness.explaining.shown import SHOWN, SURE, Piece, excerpt, strongest_causes
from naturalness.explaining.wording import feature_title
from naturalness.pages import charts
from naturalness.pages.charts import Estimate, histogram_rows
from naturalness.pages.formats import between, count, decimal, defined, percent
from naturalness.pages.svg import both
from naturalness.pages.templating import render
from naturalness.pipelines.summary import elimination_points
from naturalness.reports.raters.cases import Case
from naturalness.reports.raters.categories import BETTER, MIN_TEXTS, WORSE, Rate
from naturalness.reports.raters.figures import Curve, Histogram
from naturalness.reports.raters.importance import Importance, Missed
from naturalness.reports.raters.report import Listed, Report
from naturalness.reports.raters.wording import advice, headline
from naturalness.statistics.measures import wilson

if TYPE_CHECKING:
    from markupsafe import Markup

FIGURES = {"roc_auc": "ROC AUC", "spearman": "Spearman"}
DIMENSIONS = {
    "length": "Length",
    "clauses": "Clauses",
    "construction": "Construction",
    "writing": "Typing",
    "found": "What is odd in the text",
}
"""What the dimensions of categories are called; a column by its name."""
COLOURS = {WORSE: "learned", BETTER: "chosen", "": "plain"}
"""Of categories that differ from the rest."""
BELOW = "the numbers are in the table below"
MAX_CAUSES = 5
"""Causes of a text that are listed, the strongest."""
MAX_FINDINGS = 6
MAX_FEATURES = 3
"""Features of a text that are named, the strongest of all its causes."""


def make_page(report: Report) -> str:
    """Return the page of a report."""
    elimination = report.elimination
    return render(
        "report.html.j2",
        report=report,
        headline=headline(report),
        advice=advice(report),
        two_labels=len(report.classes) == 2,
        worst=report.classes[0],
        best=report.classes[-1],
        rates=_rates(report),
        total_rate=report.rates[0].rate,
        drawn=_draw_all(report),
        lists={
            name: list_cases(listed, report)
            for name, listed in (
                ("too_high", report.too_high),
                ("too_low", report.too_low),
                ("suspects", report.suspects),
            )
        },
        figure_titles=FIGURES,
        feature_title=feature_title,
        min_texts=MIN_TEXTS,
        sure=SURE,
        missed=[cause for cause in report.importances.missed if defined(cause.too_high) or defined(cause.too_low)],
        missed_cells=_missed_cells,
        bins=_bins,
        curve_rows=_curve_rows,
        importance_rows=_importance_rows,
        feature_rows=[
            [*cells, feature.cause, feature.meaning, feature.name]
            for feature, cells in zip(
                report.importances.features, _importance_rows(report.importances.features), strict=True
            )
        ],
        calibration_rows=[
            [count(part.texts), decimal(part.predicted), decimal(part.natural)] for part in report.calibration.parts
        ],
        learning_rows=[
            [count(step.texts), decimal(step.mean), decimal(step.deviation)]
            for step in (report.learning_curve.steps if report.learning_curve else ())
        ],
        elimination_rows=elimination_rows(elimination) if elimination else [],
    )


# Tables.


def _missed_cells(cause: Missed) -> list[Markup | str]:
    """Write how a cause differs where the model is wrong; bold where the interval leaves out 0."""
    from markupsafe import Markup

    cells: list[Markup | str] = []
    for value, low, high in (
        (cause.too_high, cause.too_high_low, cause.too_high_high),
        (cause.too_low, cause.too_low_low, cause.too_low_high),
    ):
        is_sure = defined(low) and defined(high) and not low <= 0 <= high
        cells.append(Markup("<strong>{}</strong>").format(decimal(value)) if is_sure else decimal(value))
        cells.append(between(low, high))
    return cells


def _bins(histograms: Sequence[Histogram]) -> list[list[str]]:
    """Return a row for each part of the scale, with a column for each histogram."""
    size = len(histograms[0].counts) if histograms else 0
    return [
        [f"{i / size:.2f} to {(i + 1) / size:.2f}", *(count(histogram.counts[i]) for histogram in histograms)]
        for i in range(size)
    ]


def _curve_rows(curve: Curve) -> list[list[str]]:
    points = zip(curve.threshold, curve.x, curve.y, strict=True)
    return [[decimal(number) for number in point] for point in points]


def _importance_rows(importances: Sequence[Importance]) -> list[list[str]]:
    return [[row.title, decimal(row.value), between(row.low, row.high)] for row in importances]


def elimination_rows(elimination: Mapping[str, Any]) -> list[list[str]]:
    """Return the numbers of the curve of elimination."""
    rows = zip(elimination["sizes"], elimination["means"], elimination["errors"], strict=True)
    return [[count(size), decimal(mean), decimal(error)] for size, mean, error in rows]


def _rates(report: Report) -> list[dict[str, Any]]:
    """Return error rates, dimension by dimension, each with its chart."""
    dimensions: dict[str, list[Rate]] = {}
    for rate in report.rates[1:]:
        dimensions.setdefault(rate.dimension, []).append(rate)
    titles = {name: DIMENSIONS.get(name, f"Column “{name}”") for name in dimensions}
    return [
        {"title": titles[name], "rows": rows, "chart": _draw_rates(titles[name], rows, report)}
        for name, rows in dimensions.items()
    ]


# Texts.


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A text as the page lists it."""

    case: Case
    pieces: list[Piece]
    causes: list[Contribution]
    """The strongest."""
    features: list[Moved]
    """The strongest of all causes."""
    findings: Sequence[Finding]
    other_label: str
    """Of a doubtful one: what may have been meant."""


@dataclass(frozen=True, slots=True)
class CaseList:
    """Texts as the page lists them."""

    total: int
    rows: list[ListedCase]
    strongest: float
    """Size of the strongest contribution, that of a full bar."""
    rated: bool


def list_cases(listed: Listed, report: Report) -> CaseList:
    """Return a list of texts, each with what moved its score."""
    sizes = (abs(cause.value) for case in listed.cases for cause in case.explanation.contributions)
    return CaseList(
        listed.total,
        [show(case, report.classes) for case in listed.cases],
        max(sizes, default=0.0) or 1.0,
        any(defined(case.rating) for case in listed.cases),
    )


def show(case: Case, classes: Sequence[str]) -> ListedCase:
    """Return a text with its marks, causes, features and findings; ``classes`` are all labels, from the worst."""
    explanation = case.explanation
    findings = explanation.findings
    features = [
        feature for cause in explanation.contributions if abs(cause.value) >= SHOWN for feature in cause.features
    ]
    worse = classes[0] if len(classes) == 2 else f"not {classes[-1]}"
    return ListedCase(
        case,
        excerpt(case.text, [finding for finding in findings if finding.weight >= SURE] or findings[:1]),
        strongest_causes(explanation, most=MAX_CAUSES, least=SHOWN),
        sorted(features, key=lambda feature: -abs(feature.effect))[:MAX_FEATURES],
        findings[:MAX_FINDINGS],
        classes[-1] if case.label != classes[-1] else worse,
    )


# Charts.


def _draw_all(report: Report) -> dict[str, str]:
    """Return all charts but those of error rates, by name; empty where there is nothing to draw."""
    importances = report.importances
    ceilings = report.ceiling.figures if report.ceiling else {}
    return {
        "figures": _draw_figures(report),
        "calibration": _draw_calibration(report),
        "labels": _draw_histograms(report.labels, report, "label"),
        "systems": _draw_histograms(report.systems, report, "system"),
        "roc": _draw_roc(report),
        "precision_recall": _draw_precision_recall(report),
        "causes": _draw_importances(importances.causes, importances.unit, "cause"),
        "features": _draw_importances(importances.features, importances.unit, "feature"),
        "learning": _draw_learning(report, ceilings),
        "elimination": draw_elimination(report.elimination, ceilings) if report.elimination else "",
    }


def _draw_figures(report: Report) -> str:
    rows = [
        Estimate(figure.title, figure.value, figure.low, figure.high, "chosen", ceiling=figure.ceiling)
        for figure in report.figures
    ]
    description = f"Figures of agreement with 95 % intervals; {BELOW}"
    return both(lambda width: charts.forest(rows, width, title="figure", description=description))


def _draw_calibration(report: Report) -> str:
    parts, best = report.calibration.parts, report.classes[-1]
    if not parts:
        return ""
    points = [(part.predicted, part.natural, *wilson(part.natural * part.texts, part.texts)) for part in parts]
    titles = "predicted naturalness", f"share that is {best}"
    description = f"Predicted naturalness against the share that raters call {best}; {BELOW}"
    return both(lambda width: charts.reliability_plot(points, width, titles=titles, description=description))


def _draw_histograms(histograms: Sequence[Histogram], report: Report, what: str) -> str:
    panels = [
        charts.Histogram(row.name, _histogram_note(row, rated=what != "label"), row.counts, row.naturalness)
        for row in histograms
    ]
    if not panels:
        return ""
    threshold, title = report.confusion.threshold, "naturalness"
    description = f"Histograms of naturalness by {what}; {BELOW}"
    return both(lambda width: histogram_rows(panels, width, title=title, description=description, mark=threshold))


def _histogram_note(histogram: Histogram, *, rated: bool) -> str:
    rating = f", rated {histogram.rating:.2f}" if rated and defined(histogram.rating) else ""
    return f"{histogram.texts:,} texts, mean {decimal(histogram.naturalness)[:-1]}{rating}"


def _draw_roc(report: Report) -> str:
    """Draw ROC, with that of a perfect judge and the point of the threshold."""
    truth, predicted = _label_counts(report)
    rest = report.classes[0] if len(report.classes) == 2 else "the rest"
    return _draw_threshold_curve(
        report.roc,
        report.ceiling.roc if report.ceiling else None,
        description=f"ROC curve; {BELOW}",
        titles=(f"share of {rest} called {report.classes[-1]}", f"share of {report.classes[-1]} found"),
        chance=((0, 0), (1, 1)),
        threshold=(predicted[0] / truth[0], predicted[1] / truth[1]) if len(truth) == 2 and all(truth) else None,
    )


def _draw_precision_recall(report: Report) -> str:
    """Draw precision against recall, with that of a perfect judge and the point of the threshold."""
    truth, predicted = _label_counts(report)
    best, curve = report.classes[-1], report.precision_recall
    usual = curve.y[-1] if curve else 0.0
    has_threshold = len(truth) == 2 and truth[1] and sum(predicted)
    return _draw_threshold_curve(
        curve,
        report.ceiling.precision_recall if report.ceiling else None,
        description=f"Precision against recall; {BELOW}",
        titles=(f"share of {best} found", f"share of “{best}” that is right"),
        chance=((0, usual), (1, usual)),
        threshold=(predicted[1] / truth[1], predicted[1] / sum(predicted)) if has_threshold else None,
    )


def _draw_threshold_curve(
    curve: Curve | None,
    ceiling: Curve | None,
    *,
    description: str,
    titles: tuple[str, str],
    chance: Sequence[tuple[float, float]],
    threshold: tuple[float, float] | None,
) -> str:
    if curve is None:
        return ""
    points, best_points = (list(zip(c.x, c.y, strict=True)) if c else [] for c in (curve, ceiling))
    return both(
        lambda width: charts.threshold_curve(
            points,
            width,
            titles=titles,
            description=description,
            chance=chance,
            ceiling=best_points,
            threshold=threshold,
        )
    )


def _label_counts(report: Report) -> tuple[list[int], list[int]]:
    """Return the texts of each label, and how many of them were predicted to have the best one."""
    counts = report.confusion.counts
    return [sum(row) for row in counts], [row[-1] for row in counts]


def _draw_rates(title: str, rates: Sequence[Rate], report: Report) -> str:
    """Draw the error rates of a dimension, beside the rate over all and the ceiling."""
    rows = [
        Estimate(
            rate.name or "(empty)", rate.rate, rate.low, rate.high, COLOURS[rate.verdict], note=f" of {rate.texts:,}"
        )
        for rate in rates
        if rate.texts >= MIN_TEXTS
    ]
    if not rows:
        return ""
    description = f"{title}: share of texts with a wrong prediction; {BELOW}"
    accuracy = report.ceiling and report.ceiling.figures.get("accuracy")
    return both(
        lambda width: charts.forest(
            rows,
            width,
            title="share of texts with a wrong prediction",
            description=description,
            number=percent,
            mark=report.rates[0].rate,
            ceiling=1 - accuracy if accuracy else None,
        )
    )


def _draw_importances(importances: Sequence[Importance], unit: str, what: str) -> str:
    rows = [Estimate(row.title, row.value, row.low, row.high, "chosen") for row in importances]
    if not rows:
        return ""
    description = f"Importance of each {what}; {BELOW}"
    title = f"mean size of its contribution, in {unit}"
    return both(lambda width: charts.forest(rows, width, title=title, description=description))


def _draw_learning(report: Report, ceilings: Mapping[str, float]) -> str:
    """Draw the learning curve with the ceiling; the band is one deviation wide to either side."""
    curve = report.learning_curve
    if curve is None or len(points := curve.points) < 2:
        return ""
    return _draw_curve(points, None, curve.figure, "number of texts to learn from", ceilings)


def draw_elimination(elimination: Mapping[str, Any], ceilings: Mapping[str, float]) -> str:
    """Draw the curve of the model's training: fewer and fewer features."""
    points = elimination_points(elimination)
    if not points:
        return ""
    return _draw_curve(points, elimination["chosen"], elimination["figure"], "number of features", ceilings)


def _draw_curve(
    points: Sequence[tuple[float, float, float]],
    chosen: float | None,
    figure: str,
    what: str,
    ceilings: Mapping[str, float],
) -> str:
    titles = f"{what} (log scale)", FIGURES[figure]
    description, ceiling = f"{FIGURES[figure]} by {what}; {BELOW}", ceilings.get(figure)
    return both(
        lambda width: charts.curve(points, chosen, width, titles=titles, description=description, ceiling=ceiling)
    )
