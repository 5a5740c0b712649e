"""Support vector machines with a Gaussian kernel, which is made as one product of matrices.

libsvm measures every distance by itself: with a thousand columns most of learning is spent on that.
What is learned is the same up to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray

WHOLE = "precomputed"
AT_ONCE = 8_000
"""Rows up to which the kernel is held whole, in half a gigabyte; for more libsvm makes it in parts.
"""


class Gaussian:
    """An estimator as scikit-learn's, over one of its machines."""

    def __init__(self, seed: int, *, classes: bool, gamma: float | str = "scale", **own: Any) -> None:
        from sklearn.svm import SVC, SVR

        self.gamma = gamma
        # Naming the kernel here refuses another one, as a name given twice.
        self._machine: Any = (
            SVC(kernel=WHOLE, cache_size=500, random_state=seed, **own)
            if classes
            else SVR(kernel=WHOLE, cache_size=500, **own)
        )

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> Gaussian:
        """Learn ratings, or classes 0 and 1."""
        # What scikit-learn calls "scale".
        self._gamma = 1.0 / (rows.shape[1] * (rows.var() or 1.0)) if self.gamma == "scale" else self.gamma
        whole = len(rows) <= AT_ONCE
        self._machine.set_params(kernel=WHOLE if whole else "rbf", gamma=self._gamma)
        given = self._kernel(rows, rows) if whole else rows
        self._machine.fit(given, target, sample_weight=sample_weight)
        self.support_vectors_ = rows[self._machine.support_]
        self.dual_coef_ = self._machine.dual_coef_
        self.intercept_ = self._machine.intercept_
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Margins, or standardised ratings."""
        near = self._kernel(rows, self.support_vectors_)
        return np.asarray(near @ self.dual_coef_[0] + self.intercept_[0], dtype=np.float64)

    def _kernel(self, rows: FloatArray, others: FloatArray) -> FloatArray:
        from sklearn.metrics.pairwise import rbf_kernel

        return np.asarray(rbf_kernel(rows, others, gamma=self._gamma), dtype=np.float64)
