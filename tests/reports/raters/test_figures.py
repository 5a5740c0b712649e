"""Figures, confusion and calibration, calculated by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.raters.figures import find_calibration, find_confusion, share_of, with_intervals
from naturalness.statistics.measures import wilson
from tests.support.rater_reports import judged


@pytest.mark.slow
def test_intervals_of_figures() -> None:
    """An interval encloses its value; there is none for fewer than ten sources, and no figure without texts."""
    scores, labels = [0.1, 0.3, 0.4, 0.7, 0.8, 0.9], [0, 0, 1, 0, 1, 1]
    accuracy = with_intervals(judged(scores * 5, labels * 5))["accuracy"]
    assert accuracy.value == pytest.approx(4 / 6)
    assert accuracy.low < accuracy.value < accuracy.high
    few = with_intervals(judged(scores, labels))["accuracy"]
    assert few.value > 0 and np.isnan([few.low, few.high]).all()
    assert math.isnan(with_intervals(judged([], []))["accuracy"].value)


def test_share_of_pairs() -> None:
    """Independent pairs have Wilson's interval; twelve sources of two equal pairs count as twelve pairs."""
    alone = np.arange(48).reshape(24, 2)
    share = share_of(np.array([1.0] * 15 + [0.0] * 5 + [np.nan] * 4), alone)
    assert (share.value, share.pairs, share.sources) == (0.75, 20, 20)
    assert (share.low, share.high) == pytest.approx(wilson(15, 20))
    assert math.isnan(share_of(np.full(24, np.nan), alone).value)
    together = share_of(np.repeat([1.0, 1.0, 1.0, 0.0] * 3, 2), alone // 4)
    assert (together.low, together.high) == pytest.approx(wilson(9, 12))
    one_text = share_of(np.ones(24), np.stack([np.zeros(24, dtype=np.int64), np.arange(1, 25)], axis=1))
    assert one_text.sources == 1 and math.isnan(one_text.low)


def test_labels_that_are_all_right() -> None:
    """Resamples of right labels are all right, too: the accuracy has the interval of a share, other figures none."""
    figures = with_intervals(judged([0.9, 0.1] * 20, [1, 0] * 20))
    accuracy, auc = figures["accuracy"], figures["roc_auc"]
    assert (accuracy.value, accuracy.low, accuracy.high) == pytest.approx((1, *wilson(40, 40)))
    assert auc.value == 1 and math.isnan(auc.low)


def test_confusion_and_best_threshold() -> None:
    """Rows are the raters' labels and columns the predicted ones; unlabelled texts are not counted."""
    confusion = find_confusion(judged([0.9, 0.4, 0.45, 0.1, 0.99], [1, 1, 0, 0, -1]))
    assert confusion.counts == ((2, 0), (1, 1))
    assert (confusion.threshold, confusion.usual) == (0.5, 0.5)
    assert confusion.accuracy == 0.75
    several = judged([0.9, 0.5, 0.2], [2, 1, 0], predicted=[2, 0, 0], classes=("bad", "so-so", "good"))
    assert find_confusion(several).counts == ((1, 0, 0), (1, 0, 0), (0, 0, 1))
    assert math.isnan(find_confusion(several).threshold)


def test_calibration() -> None:
    """The calibration error is the distance between predictions and shares."""
    calibration = find_calibration(judged([0.7] * 10, [1] * 5 + [0] * 5))
    assert [part.texts for part in calibration.parts] == [10]
    assert calibration.error == pytest.approx(0.2)
    assert math.isnan(find_calibration(judged([0.7], [-1])).error)
