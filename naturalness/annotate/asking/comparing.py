"""Learning from pairs: a score whose differences tell which of two texts people find better.

Logistic regression on the difference of two texts' features, without an intercept (Bradley & Terry
1952, with features for strengths).
"""

from __future__ import annotations

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.statistics.logistic import fit_logistic

MIN_STEP = 1e-8


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
        inner = _fit(vectors * roots, 1.0 / strength)
        inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > MIN_STEP * roots.max())
        out: FloatArray = signed.T @ (vectors @ (inverse * inner))
        return out
    return _fit(signed, 1.0 / strength)


def _fit(signed: FloatArray, penalty: float) -> FloatArray:
    n, d = signed.shape
    return fit_logistic(signed, np.ones(n), np.ones(n), np.full(d, penalty), min_step=MIN_STEP)
