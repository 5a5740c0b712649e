"""What a report comes to, in sentences that fit its numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from naturalness.reports.raters.categories import Rate
from naturalness.reports.raters.figures import Figure
from naturalness.reports.raters.report import Listed, Report
from naturalness.reports.raters.wording import advice, headline


def rate(name: str, verdict: str, value: float = 0.6, dimension: str = "length") -> Rate:
    """A category of fifty texts."""
    return Rate(dimension, name, 50, 30, value, 0.5, 0.7, 0.3, 0.3, 0.2, 0.01, verdict)


def test_headline_has_the_figures(report: Report) -> None:
    """Accuracy with its interval, Spearman, and the ceiling."""
    right = next(one for one in report.figures if one.name == "accuracy")
    first, second = headline(report)
    assert f"{right.value:.0%} of predicted labels match the raters’ ({right.low:.0%} to {right.high:.0%}" in first
    assert first.startswith(f"On {report.texts} texts that the model had not seen")
    assert "models of its kind" in headline(replace(report, how="out of fold"))[0]
    assert second
    assert "is unknown" in headline(replace(report, agreement=None))[1]


def test_undefined_figures_are_not_told(report: Report) -> None:
    """Without labels and ratings nothing is claimed."""
    nan = math.nan
    bare = tuple(Figure(one.name, one.title, nan, nan, nan) for one in report.figures)
    first = headline(replace(report, figures=bare))[0]
    assert first == f"On {report.texts} texts that the model had not seen."


def test_few_texts_have_no_intervals(report: Report) -> None:
    """Of fewer than ten sources: figures without ends, and why."""
    bare = tuple(replace(one, low=math.nan, high=math.nan) for one in report.figures)
    first = headline(replace(report, figures=bare, sources=8))[0]
    assert "match the raters’ (always predicting the most frequent label: " in first
    assert first.endswith("(Spearman); no intervals: 8 sources, fewer than 10.")


@pytest.mark.parametrize(
    ("high", "low", "said"),
    [
        (30, 10, "errs on the lenient side"),
        (10, 30, "errs on the strict side"),
        (20, 21, "Errors are balanced"),
        (0, 0, "Every predicted label matches"),
    ],
)
def test_direction(report: Report, high: int, low: int, said: str) -> None:
    """Which errors prevail."""
    some = replace(report, too_high=Listed(high, ()), too_low=Listed(low, ()))
    assert said in advice(some)[0]


def test_weak_spots(report: Report) -> None:
    """Those with most errors beyond the usual are named, four at most."""
    worse = [rate(f"band {i}", "worse", 0.5 + i / 20) for i in range(6)]
    better = [rate("short", "better", 0.1), rate("contractions", "better", 0.1, "writing")]
    better += [rate("x", "better", 0.1, "system")]
    text = " ".join(advice(replace(report, rates=(rate("all", ""), *worse, *better))))
    assert "band 5 (75% wrong), band 4" in text
    assert "and 2 more" in text
    assert "Clearly easier: short (10% wrong), texts with contractions (10% wrong) and system x (10% wrong)." in text
    found = [rate(name, "better", 0.0, "found") for name in ("word order", "nothing found")]
    text = " ".join(advice(replace(report, rates=(rate("all", ""), *found))))
    assert "texts with a finding of word order (0% wrong) and texts without a finding (0% wrong)." in text
    plain = replace(report, rates=(rate("all", ""), rate("short", "")))
    assert "No category of texts is clearly harder" in " ".join(advice(plain))
