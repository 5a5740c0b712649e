"""ROC and precision against recall, held against definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.raters.curves import MOST, precision_recall, roc
from naturalness.statistics.measures import roc_auc


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
        assert len(curve.x) <= MOST
        assert (curve.x[0], curve.x[-1]) == (0.0, 1.0)
    assert roc(scores, positive).area == pytest.approx(roc_auc(scores, positive))


def test_one_label_alone_has_no_area() -> None:
    """Undefined, not 0 or 1."""
    assert math.isnan(roc(np.array([0.2, 0.4]), np.array([True, True])).area)
    assert math.isnan(precision_recall(np.array([0.2]), np.array([False])).area)
