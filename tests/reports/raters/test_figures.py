"""Figures, confusion, calibration and histograms are those that can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from naturalness.reports.raters.figures import by_label, find_calibration, find_confusion, find_figures
from tests.support.rater_reports import judged


@pytest.mark.slow
def test_figures_with_ends() -> None:
    """Three of four labels are right; the interval holds the value."""
    some = judged([0.9, 0.8, 0.6, 0.1] * 10, [1, 1, 0, 0] * 10, ratings=[5, 4, 2, 1] * 10)
    figures = {one.name: one for one in find_figures(some)}
    assert figures["accuracy"].value == 0.75
    assert figures["accuracy"].low < 0.75 < figures["accuracy"].high
    assert figures["spearman"].value == pytest.approx(1.0)


def test_confusion_and_another_threshold() -> None:
    """Rows are the raters', columns the model's; unlabelled texts are in none."""
    confusion = find_confusion(judged([0.9, 0.4, 0.45, 0.1, 0.99], [1, 1, 0, 0, -1]))
    assert confusion.counts == ((2, 0), (1, 1))
    assert (confusion.threshold, confusion.usual) == (0.5, 0.5)
    assert confusion.accuracy == 0.75
    several = judged([0.9, 0.5, 0.2], [2, 1, 0], predicted=[2, 0, 0], classes=("bad", "so-so", "good"))
    assert find_confusion(several).counts == ((1, 0, 0), (1, 0, 0), (0, 0, 1))
    assert math.isnan(find_confusion(several).threshold)


def test_calibration() -> None:
    """What is told is .2 above what is so."""
    calibration = find_calibration(judged([0.7] * 10, [1] * 5 + [0] * 5))
    assert [part.texts for part in calibration.parts] == [10]
    assert calibration.error == pytest.approx(0.2)
    assert math.isnan(find_calibration(judged([0.7], [-1])).error)


def test_histograms() -> None:
    """Every text is counted once, 1 in the last part."""
    some = judged([0.0, 0.04, 0.5, 1.0], [0, 0, 1, 1], ratings=[1, 2, 4, 5])
    low, high = by_label(some)
    assert (low.name, low.counts[0], sum(low.counts)) == ("unnatural", 2, 2)
    assert (high.counts[10], high.counts[-1]) == (1, 1)
