"""Logistic regression by Newton's method."""

from __future__ import annotations

import math

import numpy as np

from naturalness.arrays import FloatArray

MAX_STEPS = 100
MIN_SCALE = 1e-12
"""A Newton step is halved no further once it is at most this fraction of its original size."""


def sigmoid(values: FloatArray) -> FloatArray:
    """Return ``1 / (1 + exp(-values))``, computed so that it does not overflow."""
    small = np.exp(-np.abs(values))
    return np.where(values >= 0, 1.0, small) / (1.0 + small)


def fit_logistic(
    design: FloatArray,
    target: FloatArray,
    weight: FloatArray,
    penalty: FloatArray,
    *,
    min_step: float = 1e-12,
    min_gain: float = -math.inf,
) -> FloatArray:
    """Return the coefficients (d,) that maximise the penalised likelihood of targets in 0..1.

    ``design`` is (n, d), ``weight`` is the weight of each row, and ``penalty * coefficient**2 / 2`` is added to the
    loss for each coefficient. A Newton step is halved as long as it raises the loss. The iteration stops when a step
    moves every coefficient by less than ``min_step``, or lowers the loss by at most ``min_gain`` times the loss.
    """
    coefficients = np.zeros(design.shape[1])

    def loss(point: FloatArray) -> float:
        margins = design @ point
        return float(weight @ (np.logaddexp(0, margins) - target * margins) + 0.5 * penalty @ point**2)

    current = loss(coefficients)
    for _ in range(MAX_STEPS):
        p = sigmoid(design @ coefficients)
        gradient = design.T @ (weight * (p - target)) + penalty * coefficients
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design + np.diag(penalty)
        step, scale = np.linalg.solve(hessian, gradient), 1.0
        while (new := loss(coefficients - scale * step)) > current and scale > MIN_SCALE:
            scale /= 2
        if new > current:
            break
        coefficients = coefficients - scale * step
        gain, current = current - new, new
        if float(np.abs(scale * step).max()) < min_step or gain <= min_gain * max(current, 1.0):
            break
    return coefficients
