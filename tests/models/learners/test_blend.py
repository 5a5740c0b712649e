"""Blends, norms and the mixture of an adapted model with trees."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.blend import WEIGHTS, AdaptedForest, Blend, Norms, compile_mixture
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.units import ForgedArrays, margins


def test_hand_worked_blend() -> None:
    """A blend outputs the weighted sum of the outputs of its parts."""
    row = np.array([[1.0, 2.0]])
    linear = Linear(np.array([3.0, -1.0]), np.array([0.5]))
    other = Linear(np.array([0.0, 0.5]), np.array([-0.5]))
    blend = Blend(np.array([0.5, 2.0]), (linear, other))
    assert blend.decide(row).tolist() == [0.5 * 1.5 + 2.0 * 0.5]
    assert blend.decide(row[:0]).tolist() == []


NORMS = Norms(
    usual=np.array([1.0, 0.0]), spread=np.array([2.0, 0.5]), along=np.array([0.5, 0.0]), apart=np.array([0.0, 3.0])
)


def test_hand_worked_norms() -> None:
    """Norms add gains and subtract costs; deviations are clipped at 4."""
    rows = np.array([[5.0, 0.0], [1.0, 0.5], [1.0, -0.5], [1e9, -1e9]])
    np.testing.assert_allclose(NORMS.decide(rows), [1.0, -3.0, -3.0, 0.5 * 4 - 3 * 4])


def test_forged_norms_are_refused() -> None:
    """Negative costs and arrays of the wrong length are refused."""
    NORMS.check("unit0", 2)
    with pytest.raises(ForgedArrays, match="apart"):
        Norms(NORMS.usual, NORMS.spread, NORMS.along, np.array([0.0, -1.0])).check("unit0", 2)
    with pytest.raises(ForgedArrays, match="shape"):
        NORMS.check("unit0", 3)


RNG = np.random.default_rng(0)
ROWS, NEW = RNG.normal(size=(120, 6)), RNG.normal(size=(200, 6))
START = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def bent(rows: np.ndarray) -> np.ndarray:
    """Return a target that is not linear in the columns."""
    return np.asarray(rows[:, 0] + 1.5 * np.abs(rows[:, 1]))


def mixture(target: np.ndarray, start: np.ndarray | None = START) -> AdaptedForest:
    """Return a mixture fitted to a target."""
    estimator = AdaptedForest(0)
    estimator.start = start
    return estimator.fit(ROWS, target, np.ones(len(ROWS)))


def test_mixture() -> None:
    """The estimator and its compiled unit output the weighted mean of both parts, reproducibly."""
    estimator = mixture(bent(ROWS))
    expected = sum(w * margins(part, NEW) for w, part in zip(WEIGHTS, estimator.parts_, strict=True))
    np.testing.assert_allclose(estimator.decision_function(NEW), expected)
    unit = compile_mixture(estimator)
    assert unit.kind == "blend(linear,trees)"
    np.testing.assert_allclose(unit.decide(NEW), expected, rtol=1e-5, atol=1e-5)
    assert mixture(bent(ROWS)).decision_function(NEW).tolist() == estimator.decision_function(NEW).tolist()


def test_constant_ratings() -> None:
    """Constant ratings give constant scores, even without a model to start from."""
    assert np.ptp(mixture(np.full(len(ROWS), 3.0), None).decision_function(NEW)) == pytest.approx(0, abs=1e-9)
