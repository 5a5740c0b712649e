"""State the conclusions of a report in sentences (`templates/advice.txt.j2`), and the whole report as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from naturalness.pages.templating import render_lines
from naturalness.pipelines.summary import rounded
from naturalness.reports.raters.categories import BETTER, NO_FINDINGS, WORSE, Rate
from naturalness.reports.raters.report import RatersReport
from naturalness.statistics.bootstrap import too_few

MAX_NAMED = 4
"""The largest number of categories that a sentence names."""
MIN_ERROR_RATIO = 1.25
"""The smallest ratio between the numbers of the two kinds of errors at which one kind is said to prevail."""
MIN_ACCURACY_GAIN = 0.02
"""The smallest gain in accuracy at which another threshold is proposed."""


def headline(report: RatersReport) -> list[str]:
    """Return two sentences on how well the model and the raters agree."""
    return _sentences(report, "headline")


def advice(report: RatersReport) -> list[str]:
    """Return one or more conclusions, the most important first; each is one or two sentences."""
    return _sentences(report, "advice")


def conclusions(report: RatersReport) -> list[str]:
    """Return the sentences of `headline` and `advice`."""
    return [*headline(report), *advice(report)]


def _sentences(report: RatersReport, part: str) -> list[str]:
    def excess(rate: Rate) -> float:
        """Return how many more errors a category has than it would have at the average rate."""
        return (rate.rate - report.rates[0].rate) * rate.texts

    return render_lines(
        "advice.txt.j2",
        part=part,
        report=report,
        **{name: report.figures[name] for name in ("accuracy", "spearman", "pearson")},
        few=too_few(report.sources),
        worse=sorted((rate for rate in report.rates if rate.verdict == WORSE), key=excess, reverse=True),
        better=sorted((rate for rate in report.rates if rate.verdict == BETTER), key=excess),
        curve=report.learning_curve,
        name_of=_name,
        max_named=MAX_NAMED,
        min_error_ratio=MIN_ERROR_RATIO,
        min_accuracy_gain=MIN_ACCURACY_GAIN,
    )


def _name(rate: Rate) -> str:
    """Return the name of a category as used inside a sentence."""
    if rate.dimension == "length":
        return rate.name
    if rate.dimension in ("clauses", "writing"):
        return f"texts with {rate.name}"
    if rate.dimension == "found":
        return "texts without a finding" if rate.name == NO_FINDINGS else f"texts with a finding of {rate.name}"
    return f"{rate.dimension} {rate.name}"


def everything(report: RatersReport) -> dict[str, Any]:
    """Return a report as plain data; numbers have six significant digits, and undefined numbers are None."""
    data: dict[str, Any] = rounded({"headline": headline(report), "advice": advice(report), **asdict(report)})
    return data
