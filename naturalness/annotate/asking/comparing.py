"""Learning from pairs: a score whose differences tell which of two texts people find better.

Logistic regression on the difference of two texts' features, without an intercept (Bradley & Terry
1952, with features for strengths).
"""

from __future__ import annotations

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.models.learners.calibration import sigmoid

STEPS = 50
NEAR = 1e-8


def weights_of(apart: FloatArray, better: BoolArray, strength: float) -> FloatArray:
    """Weights of the columns, (d,); ``apart`` are first less second, ``better`` whether the first
    is; ``strength`` is the inverse of the penalty.

    Newton's method on a convex loss, by the number of pairs or of columns, whichever is smaller.
    """
    signed = np.where(better[:, None], apart, -apart)
    n, d = signed.shape
    if n < d:
        # The weights are a sum of rows, so only their products with each other matter.
        values, vectors = np.linalg.eigh(signed @ signed.T)
        roots = np.sqrt(np.clip(values, 0.0, None))
        inner = _newton(vectors * roots, 1.0 / strength)
        inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > NEAR * roots.max())
        out: FloatArray = signed.T @ (vectors @ (inverse * inner))
        return out
    return _newton(signed, 1.0 / strength)


def _newton(signed: FloatArray, penalty: float) -> FloatArray:
    at = np.zeros(signed.shape[1])

    def loss(point: FloatArray) -> float:
        return float(np.logaddexp(0.0, -(signed @ point)).sum()) + penalty / 2 * float(point @ point)

    for _ in range(STEPS):
        wrong = sigmoid(-(signed @ at))
        gradient = penalty * at - signed.T @ wrong
        curve = (signed * (wrong * (1 - wrong))[:, None]).T @ signed
        step = np.linalg.solve(curve + penalty * np.eye(len(at)), gradient)
        scale, now = 1.0, loss(at)
        while loss(at - scale * step) > now and scale > NEAR:
            scale /= 2
        at = at - scale * step
        if float(np.abs(step).max()) < NEAR:
            break
    return at
