"""Figures, confusion, calibration, curves and histograms are those that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.raters.figures import (
    MAX_POINTS,
    by_label,
    by_system,
    find_calibration,
    find_confusion,
    find_figures,
    precision_recall,
    roc,
)
from naturalness.statistics.measures import roc_auc
from tests.support.rater_reports import judged


@pytest.mark.slow
def test_figures_with_ends_and_ceilings() -> None:
    """Three of four labels are right; the interval holds the value."""
    some = judged([0.9, 0.8, 0.6, 0.1] * 10, [1, 1, 0, 0] * 10, ratings=[5, 4, 2, 1] * 10)
    figures = {one.name: one for one in find_figures(some, {"accuracy": 0.9})}
    assert figures["accuracy"].value == 0.75
    assert figures["accuracy"].low < 0.75 < figures["accuracy"].high
    assert figures["accuracy"].ceiling == 0.9
    assert figures["spearman"].value == pytest.approx(1.0)
    assert math.isnan(figures["spearman"].ceiling)


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
    assert high.rating == 4.5
    systems = by_system(some, ["b", "a", "b", None])
    assert [(one.name, one.texts) for one in systems] == [("a", 1), ("b", 2)]
    assert systems[1].natural == 0.5
    assert by_system(some, ["a"] * 4) == ()


def test_roc_by_hand() -> None:
    """Three steps: one natural text found, one unnatural called natural, the other found."""
    curve = roc(np.array([0.9, 0.6, 0.3, 0.1]), np.array([True, False, True, False]))
    assert curve.x == (0.0, 0.0, 0.5, 0.5, 1.0)
    assert curve.y == (0.0, 0.5, 0.5, 1.0, 1.0)
    assert math.isnan(curve.threshold[0])
    assert curve.threshold[1:] == (0.9, 0.6, 0.3, 0.1)
    assert curve.area == 0.75


def test_precision_by_hand() -> None:
    """Average precision: each natural text's share of right ones among those above it."""
    curve = precision_recall(np.array([0.9, 0.6, 0.3, 0.1]), np.array([True, False, True, False]))
    assert curve.x == (0.0, 0.5, 0.5, 1.0, 1.0)
    assert curve.y == pytest.approx((1.0, 1.0, 0.5, 2 / 3, 0.5))
    assert curve.area == pytest.approx((1.0 + 2 / 3) / 2)


def test_ties_pass_a_threshold_together() -> None:
    """The area is that of pairs, ties by half; so it agrees with `measures.roc_auc`."""
    rng = np.random.default_rng(3)
    scores, positive = rng.integers(0, 9, 400) / 8, rng.random(400) < 0.4
    curve = roc(scores, positive)
    assert len(curve.x) == 10
    assert curve.area == pytest.approx(roc_auc(scores, positive))


def test_few_points_are_kept_and_both_ends() -> None:
    """The area is of all points."""
    rng = np.random.default_rng(4)
    positive = rng.random(5000) < 0.5
    scores = rng.normal(size=5000) + positive
    for curve in (roc(scores, positive), precision_recall(scores, positive)):
        assert len(curve.x) <= MAX_POINTS
        assert (curve.x[0], curve.x[-1]) == (0.0, 1.0)
    assert roc(scores, positive).area == pytest.approx(roc_auc(scores, positive))


def test_one_label_alone_has_no_area() -> None:
    """Undefined, not 0 or 1."""
    assert math.isnan(roc(np.array([0.2, 0.4]), np.array([True, True])).area)
    assert math.isnan(precision_recall(np.array([0.2]), np.array([False])).area)
