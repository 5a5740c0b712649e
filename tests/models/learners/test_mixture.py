"""The mean of two regressions, and its arrays."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.mixture import WEIGHTS, Mixture, compile_mixture
from naturalness.models.learners.units import margins

RNG = np.random.default_rng(0)
ROWS, NEW = RNG.normal(size=(120, 6)), RNG.normal(size=(200, 6))
START = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def bent(rows: np.ndarray) -> np.ndarray:
    """A target with a part that no weighted sum of the columns can follow."""
    return np.asarray(rows[:, 0] + 1.5 * np.abs(rows[:, 1]))


def mixture(target: np.ndarray, start: np.ndarray | None = START) -> Mixture:
    """A mixture fitted to a target of the rows."""
    estimator = Mixture(0)
    estimator.start = start
    return estimator.fit(ROWS, target, np.ones(len(ROWS)))


def test_it_is_the_weighted_mean_of_its_parts() -> None:
    """As estimator and as arrays; the same seed gives the same numbers."""
    estimator = mixture(bent(ROWS))
    expected = sum(w * margins(part, NEW) for w, part in zip(WEIGHTS, estimator.parts_, strict=True))
    np.testing.assert_allclose(estimator.decision_function(NEW), expected)
    unit = compile_mixture(estimator)
    assert unit.kind == "blend(linear,trees)"
    np.testing.assert_allclose(unit.decide(NEW), expected, rtol=1e-5, atol=1e-5)
    assert mixture(bent(ROWS)).decision_function(NEW).tolist() == estimator.decision_function(NEW).tolist()


def test_it_needs_neither_a_start_nor_different_targets() -> None:
    """Constant ratings give constant scores."""
    assert np.ptp(mixture(np.full(len(ROWS), 3.0), None).decision_function(NEW)) == pytest.approx(0, abs=1e-9)
