"""The counts of a report add up, and its sentences state its numbers."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from naturalness.reports.raters.categories import Rate
from naturalness.reports.raters.report import Listed, RatersReport, advice, everything, headline
from naturalness.statistics.bootstrap import Interval
from tests.support.pages import EVIL


def test_counts_add_up(report: RatersReport) -> None:
    """Confusion, lists and rates count the same texts; a column with one value is left out."""
    counts = np.array(report.confusion.counts)
    assert counts.sum() == report.labelled
    assert counts[0, 1] == report.too_high.total
    assert counts[1, 0] == report.too_low.total
    assert report.rates[0].errors == report.too_high.total + report.too_low.total
    for dimension in ("system", "length"):
        assert sum(row.texts for row in report.rates if row.dimension == dimension) == report.labelled
    assert {row.name for row in report.rates if row.dimension == "system"} == {"a", "", EVIL, "several"}
    assert "same" not in {row.dimension for row in report.rates}
    assert report.figures["accuracy"].value == pytest.approx(1 - report.rates[0].rate)
    json.dumps(everything(report), allow_nan=False)


def test_worst_errors_come_first(report: RatersReport) -> None:
    """Falsely natural texts start with the highest score, falsely unnatural ones with the lowest."""
    high, low = ([case.naturalness for case in listed.cases] for listed in (report.too_high, report.too_low))
    assert high == sorted(high, reverse=True) and low == sorted(low)
    for case in (*report.too_high.cases, *report.too_low.cases):
        assert case.predicted != case.label
        assert case.cause == "word order"
        assert len(case.single) == 3


def rate(name: str, verdict: str, value: float = 0.6, dimension: str = "length") -> Rate:
    """Return a category of fifty texts."""
    return Rate(dimension, name, 50, 30, value, 0.5, 0.7, 0.3, 0.3, 0.2, 0.01, verdict)


def test_headline_has_the_figures(report: RatersReport) -> None:
    """The headline states accuracy and ceiling; undefined figures and intervals are left out."""
    right = report.figures["accuracy"]
    first, second = headline(report)
    assert f"{right.value:.0%} of predicted labels match the raters’ ({right.low:.0%} to {right.high:.0%}" in first
    assert first.startswith(f"On {report.texts} texts that the model had not seen")
    assert "models of its kind" in headline(replace(report, how="out of fold"))[0]
    assert second
    assert "is unknown" in headline(replace(report, agreement=None))[1]
    bare = dict.fromkeys(report.figures, Interval())
    assert headline(replace(report, figures=bare))[0] == f"On {report.texts} texts that the model had not seen."
    few = {name: Interval(figure.value) for name, figure in report.figures.items()}
    first = headline(replace(report, figures=few, sources=8))[0]
    assert first.endswith("(Spearman); no intervals: 8 sources, fewer than 10.")


@pytest.mark.parametrize(
    ("high", "low", "sentence"),
    [
        (30, 10, "errs on the lenient side"),
        (10, 30, "errs on the strict side"),
        (20, 21, "Errors are balanced"),
        (0, 0, "Every predicted label matches"),
    ],
)
def test_direction_of_errors(report: RatersReport, high: int, low: int, sentence: str) -> None:
    """The first sentence states which errors prevail."""
    assert sentence in advice(replace(report, too_high=Listed(high, ()), too_low=Listed(low, ())))[0]


def test_categories_that_stand_out(report: RatersReport) -> None:
    """At most four categories are named, those with most additional errors first."""
    worse = [rate(f"band {i}", "worse", 0.5 + i / 20) for i in range(6)]
    better = [rate("", "better", 0.1, "genre"), rate("passive clauses", "better", 0.1, "clauses")]
    text = " ".join(advice(replace(report, rates=(rate("all", ""), *worse, *better))))
    assert "band 5 (75% wrong), band 4" in text and "and 2 more" in text
    assert "Clearly easier: genre (empty) (10% wrong) and texts with passive clauses (10% wrong)." in text
    even = advice(replace(report, rates=(rate("all", ""), rate("short", ""))))
    assert "No category of texts is clearly harder than the rest." in even
