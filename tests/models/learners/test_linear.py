"""Linear learners that start from another model's weights."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.models.learners.linear import FALLS, ROWS, TRUSTED_ROWS, TRUSTED_SLOPE, AdaptedRidge
from naturalness.models.learners.table import AUTO, AUTO_MIN_TEXTS, QUICK, learners_named

EVEN = np.ones(200)


def rows_of(n: int = 200, d: int = 5) -> FloatArray:
    """Return standardised rows."""
    return np.random.default_rng(3).normal(size=(n, d))


@pytest.mark.parametrize("classes", [False, True])
def test_the_strongest_penalty_leaves_the_start_alone(classes: bool) -> None:
    """Under a strong penalty, the weights stay proportional to the start, and only their scale is learned."""
    rows, start = rows_of(), np.array([1.0, -2.0, 0.0, 0.5, 0.0])
    hidden = rows @ start + rows[:, 2]
    target = (hidden > 0).astype(np.float64) if classes else 3.0 * hidden + 1.0
    model = AdaptedRidge(classes=classes, alpha=1e6)
    model.start = start
    model.fit(rows, target, EVEN)
    assert model.coef_[0] > 0
    np.testing.assert_allclose(model.coef_ / model.coef_[0], start, atol=0.01)


def few(slope: float) -> tuple[FloatArray, FloatArray]:
    """Return fifty rows of one column with mean 10 and deviation 2, and a target with this slope per deviation."""
    deviations = np.tile([-1.0, 1.0], 25)
    return 10.0 + 2.0 * deviations[:, None], slope * deviations


def test_trust_in_the_start() -> None:
    """50 rows have a slope of -.1 and 25 artificial rows .5, so the slope is (50 * -.1 + 25 * .5) / 75."""
    rows, target = few(-0.1)
    model = AdaptedRidge(classes=False, alpha=1e9)
    model.start = np.array([3.0])
    model.fit(rows, target, np.ones(50))
    assert (TRUSTED_ROWS, TRUSTED_SLOPE) == (25, 0.5)
    assert model.coef_[0] * 2 == pytest.approx((50 * -0.1 + 25 * 0.5) / 75, abs=1e-4)
    assert model.decision_function(rows).mean() == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("rises", [True, False])
def test_labels_that_contradict_the_start(rises: bool) -> None:
    """The slope stays positive, unless one class is separated from several others."""
    rows, disagreeing = few(-1.0)
    target = np.where(np.arange(50) < 28, disagreeing > 0, disagreeing < 0).astype(np.float64)
    assert np.corrcoef(rows[:, 0], target)[0, 1] < 0
    model = AdaptedRidge(classes=True, alpha=1e9)
    model.start, model.rises = np.array([1.0]), rises
    model.fit(rows, target, np.ones(50))
    assert (model.coef_[0] > 0) == rises


def test_ridge_without_a_start() -> None:
    """Two rows, x = -1, 1 with y = -1, 1, and a penalty of 2 give a weight of 2 / (2 + 2)."""
    model = AdaptedRidge(classes=False, alpha=2.0 * (2 / ROWS) ** FALLS)
    model.fit(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), np.ones(2))
    assert model.coef_[0] == pytest.approx(0.5)
    assert model.intercept_[0] == pytest.approx(0.0)


def test_auto() -> None:
    """`auto` takes the adapted model for few pairs, the mixture for few texts, and compares several for many texts."""
    assert learners_named(AUTO, classes=False, n_rows=AUTO_MIN_TEXTS - 1) == ["mixture"]
    assert learners_named(AUTO, classes=True, n_rows=AUTO_MIN_TEXTS - 1, pairs=True) == ["adapted"]
    assert learners_named(AUTO, classes=False, n_rows=9, versions=True) == ["mixture", "within-sources"]
    assert learners_named(AUTO, classes=False, n_rows=AUTO_MIN_TEXTS) == list(QUICK)
    assert "adapted" not in learners_named(AUTO, classes=False, starts=False, n_rows=AUTO_MIN_TEXTS - 1)
