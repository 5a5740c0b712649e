"""Probabilities computed for many events at once equal those of the package's back-off."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.parsers.generative.backoff import Backoff
from training.constituency.generative_counts import Events, fit

RADIX = (3, 4)
OUTCOMES = 5
FLOOR = 1 / OUTCOMES


def drawn(n: int, seed: int) -> Events:
    """Return events whose outcomes depend on partly unknown contexts."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 3, n), rng.integers(-1, 4, n)
    outcomes = (first + rng.integers(0, 3, n)) % OUTCOMES
    return Events(np.stack([first, second], 1), outcomes, rng.integers(1, 4, n))


def everything() -> tuple[np.ndarray, np.ndarray]:
    """Return all contexts with all outcomes."""
    grid = np.indices((*RADIX, OUTCOMES)).reshape(3, -1).T
    return grid[:, :2], grid[:, 2]


@pytest.mark.parametrize("least", [(1, 1, 1), (1, 3, 6)])
def test_probabilities_equal_those_of_the_package(least: tuple[int, ...]) -> None:
    """Probabilities of seen and new contexts equal those of the package, and sum to 1."""
    held_out = Events(*everything(), np.ones(np.prod((*RADIX, OUTCOMES)), np.int64))
    fitted = fit(
        drawn(60, 1),
        held_out,
        np.full(len(held_out.outcomes), FLOOR),
        radix=RADIX,
        outcomes=OUTCOMES,
        unit=2,
        least=least,
    )
    table = Backoff(RADIX, fitted.counts)
    expected = [
        table.prob(context, outcome, FLOOR)
        for context, outcome in zip(held_out.contexts.tolist(), held_out.outcomes.tolist(), strict=True)
    ]
    np.testing.assert_allclose(fitted.probs, expected, rtol=1e-12)
    np.testing.assert_allclose(fitted.probs.reshape(-1, OUTCOMES).sum(1), 1)
