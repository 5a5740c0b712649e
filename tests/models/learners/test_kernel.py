"""Support vector machines with a precomputed kernel."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC, SVR

from naturalness.models.learners import kernel as module
from naturalness.models.learners.kernel import KERNEL, Gaussian

RNG = np.random.default_rng(0)
ROWS, NEW = RNG.normal(size=(120, 9)), RNG.normal(size=(30, 9))
RATINGS = np.tanh(ROWS[:, 0]) + 0.5 * ROWS[:, 1] ** 2
WEIGHTS = RNG.uniform(0.5, 2.0, size=120)


@pytest.mark.parametrize("gamma", [0.05, "scale"])
@pytest.mark.parametrize("at_once", [8_000, 50])
@pytest.mark.parametrize("classes", [True, False])
def test_it_learns_what_scikit_learn_does(
    classes: bool, at_once: int, gamma: float | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decisions equal scikit-learn's, with and without a precomputed kernel, and as compiled arrays."""
    monkeypatch.setattr(module, "MAX_KERNEL_ROWS", at_once)
    target = (RATINGS > 0.4).astype(np.int64) if classes else RATINGS
    theirs = SVC(gamma=gamma, C=0.7) if classes else SVR(gamma=gamma, C=0.7)
    theirs.fit(ROWS, target, sample_weight=WEIGHTS)
    expected = theirs.decision_function(NEW) if classes else theirs.predict(NEW)
    ours = Gaussian(0, classes=classes, gamma=gamma, C=0.7).fit(ROWS, target, WEIGHTS)
    np.testing.assert_allclose(ours.decision_function(NEW), expected, atol=2e-3)
    np.testing.assert_allclose(KERNEL.decide(ours, NEW), ours.decision_function(NEW), rtol=1e-12)
    np.testing.assert_allclose(KERNEL.compile(ours).decide(NEW), KERNEL.decide(ours, NEW), atol=1e-9)
