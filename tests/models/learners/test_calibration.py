"""Calibration of decisions to probabilities and ratings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.learners.calibration import calibrate, fit_line, fit_sigmoid
from naturalness.models.learners.verdict import graded, on_scale, probabilities
from naturalness.statistics.logistic import sigmoid


def test_agrees_with_scikit_learn() -> None:
    """The fitted sigmoid equals scikit-learn's Platt calibration."""
    from sklearn.calibration import _SigmoidCalibration

    rng = np.random.default_rng(1)
    margins = rng.normal(size=60) * 3
    positive = (margins + rng.normal(size=60) * 3 > 0).astype(float)
    slope, offset = fit_sigmoid(margins, positive, np.ones(60))
    theirs = _SigmoidCalibration().fit(margins, positive).predict(margins)
    np.testing.assert_allclose(sigmoid(slope * margins + offset), theirs, atol=1e-4)


def test_reversed_rankings() -> None:
    """A reversed ranking gets a slope of 0 and an offset at the share of positives, or at the mean rating."""
    margins = np.array([3.0, 2.0, -2.0, -3.0])
    slope, offset = fit_sigmoid(margins, np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4))
    assert slope == 0.0
    assert abs(sigmoid(np.array([offset]))[0] - 0.5) < 1e-9
    assert fit_line(margins, np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4)) == (0.0, 2.5)


def test_minimum_slopes() -> None:
    """The minimum slope applies to standardised values and does not change a steeper slope; equal margins get none."""
    margins, target = np.array([3.0, 1.0, -1.0, -3.0]), np.array([1.0, 2.0, 3.0, 4.0])
    same = np.ones(4)
    slope, offset = fit_line(margins, target, same, 0.1)
    assert slope * margins.std() == pytest.approx(0.1 * target.std())
    assert offset == pytest.approx(2.5)
    assert fit_line(margins, -target, same, 0.1) == fit_line(margins, -target, same)
    assert fit_sigmoid(margins, target > 2.5, same, 0.1)[0] * margins.std() == pytest.approx(0.1)
    assert fit_line(same, target, same) == (0.0, 2.5)
    assert fit_sigmoid(same, target > 2.5, same) == pytest.approx((0.0, 0.0))


@pytest.mark.parametrize("target", [[0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 2.0, 2.0]])
def test_classes_have_their_own_sigmoids(target: list[float]) -> None:
    """Two classes share one unit, and three have one each."""
    units = np.array([[-1.0, 2.0, 0.5], [0.3, -1.0, 1.0], [2.0, 0.1, -2.0], [0.4, 1.0, 1.0]])
    classes = range(3) if 2 in target else [1]
    found = calibrate(units[:, : len(classes)], np.array(target), np.ones(4), len(set(target)), 0.1)
    expected = [fit_sigmoid(units[:, i], np.equal(target, c), np.ones(4), 0.1) for i, c in enumerate(classes)]
    np.testing.assert_array_equal(np.column_stack([found.slope, found.offset]), expected)


def test_lines_for_ratings() -> None:
    """Ratings are calibrated by the least-squares line; rows without out-of-fold decisions are ignored."""
    decisions = np.array([[0.0], [1.0], [2.0], [np.nan]])
    calibration = calibrate(decisions, np.array([1.0, 3.0, 5.0, 100.0]), np.ones(4), 0)
    np.testing.assert_allclose([calibration.slope[0], calibration.offset[0]], [2.0, 1.0])


@given(st.lists(st.floats(-50, 50), min_size=3, max_size=3))
def test_probabilities_are_shares(log_odds: list[float]) -> None:
    """Probabilities of two and three classes lie in 0..1 and sum to 1; naturalness lies in 0..1."""
    for values in (np.array([log_odds]), np.array([log_odds[:1]])):
        shares = probabilities(values)
        assert np.all((shares >= 0) & (shares <= 1))
        np.testing.assert_allclose(shares.sum(), 1.0)
        assert 0.0 <= graded(values)[0] <= 1.0


def test_naturalness_of_three_classes() -> None:
    """The naturalness of three classes is the expected position, where the middle class counts half."""
    certain = np.array([[-40.0, 40.0, -40.0], [-40.0, -40.0, 40.0], [40.0, -40.0, -40.0]])
    np.testing.assert_allclose(graded(certain), [0.5, 1.0, 0.0], atol=1e-9)
    assert on_scale(np.array([0.0, 1.0, 3.5, 9.0]), 1.0, 6.0).tolist() == [0.0, 0.0, 0.5, 1.0]
