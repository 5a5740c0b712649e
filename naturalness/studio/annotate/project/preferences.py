"""Compute a rating for each text from preferences between pairs of texts, after Bradley and Terry (1952)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naturalness.arrays import FloatArray

PRIOR_OUTCOMES = 0.5
"""Number of wins, and of losses, against a text of average strength that each text is given in addition.

Otherwise, a text that won all its pairs would be infinitely strong, and texts not linked by any chain of pairs could
not be compared.
"""
MAX_STEPS = 10_000
"""Maximum number of optimiser steps, far more than needed; further ones would only change the last digits."""


def preferred(texts: int, pairs: Sequence[tuple[int, int, float]]) -> FloatArray:
    """Return the probability that each text is preferred to one of average strength, (0, 1); higher is better.

    ``pairs`` hold two texts and the result for the first: 1 for a win, 0 for a loss, or 1/2 if neither was better.
    Texts in no pair get NaN. Bradley & Terry (1952), Biometrika 39: the most probable strengths given the pairs and
    `PRIOR_OUTCOMES`.
    *Shape:* (texts,)
    """
    if not pairs:
        return np.full(texts, np.nan)
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    first, second = (np.array([pair[side] for pair in pairs], dtype=np.intp) for side in (0, 1))
    share = np.array([pair[2] for pair in pairs], dtype=np.float64)

    def loss(strength: FloatArray) -> tuple[float, FloatArray]:
        """Return the negative log posterior and its gradient; it is convex."""
        apart = strength[first] - strength[second]
        likelihood = share @ log_expit(apart) + (1 - share) @ log_expit(-apart)
        prior = PRIOR_OUTCOMES * (log_expit(strength) + log_expit(-strength)).sum()
        over = expit(apart) - share
        slope = np.bincount(first, over, texts) - np.bincount(second, over, texts)
        return -float(likelihood + prior), slope + PRIOR_OUTCOMES * (2 * expit(strength) - 1)

    optimum = minimize(
        loss,
        np.zeros(texts),
        jac=True,
        method="L-BFGS-B",
        options={"ftol": 0.0, "gtol": 1e-8, "maxiter": MAX_STEPS, "maxfun": 2 * MAX_STEPS},
    )
    compared = np.bincount(first, minlength=texts) + np.bincount(second, minlength=texts) > 0
    return np.where(compared, expit(optimum.x), np.nan)
