"""Support vector machines with a Gaussian kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.shapley import Parts, by_row, distances
from naturalness.models.learners.units import MATRIX, POSITIVE, Form, margins, require_shapes

PRECOMPUTED = "precomputed"
MAX_KERNEL_ROWS = 8_000
"""Maximum number of rows for which the kernel is precomputed as one matrix (half a gigabyte); for more rows, libsvm
computes it in parts."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A sum over support vectors of ``dual * exp(-gamma * distance squared)``, plus an intercept."""

    kind: ClassVar[str] = "kernel"
    support: FloatArray = field(metadata=MATRIX)
    dual: FloatArray
    intercept: FloatArray
    gamma: FloatArray = field(metadata=POSITIVE)

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the margin or the standardised rating of each row."""
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            distance = ((self.support - row) ** 2).sum(axis=1)
            out[i] = (self.dual * np.exp(-self.gamma[0] * distance)).sum()
        return out + float(self.intercept[0])

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless shapes fit and each support vector has a dual coefficient."""
        require_shapes(self, name, intercept=(1,), gamma=(1,), support=(len(self.dual), width))

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values by quadrature.

        A Shapley value is an integral over ``t``, the probability that a part is in the coalition (the multilinear
        extension). Since the kernel is a product over parts, the integrand is a polynomial in ``t``, and Gauss-Legendre
        quadrature is exact with half as many nodes as there are parts.
        """
        nodes, weights = np.polynomial.legendre.leggauss(max(1, -(-len(parts) // 2)))
        nodes, weights = (nodes + 1) / 2, weights / 2

        def values(row: FloatArray) -> FloatArray:
            total = np.zeros(len(parts))
            near = np.exp(-self.gamma[0] * distances(self.support, row, parts))
            for other in background:
                far = np.exp(-self.gamma[0] * distances(self.support, other, parts))
                for t, weight in zip(nodes, weights, strict=True):
                    factors = t * near + (1 - t) * far
                    ones = np.ones((len(factors), 1))
                    before = np.cumprod(np.hstack([ones, factors[:, :-1]]), axis=1)
                    behind = np.cumprod(np.hstack([ones, factors[:, :0:-1]]), axis=1)[:, ::-1]
                    total += weight * ((near - far) * before * behind * self.dual[:, None]).sum(axis=0)
            return total / len(background)

        return by_row(values, rows, parts)


def compile_kernel(estimator: Any) -> Kernel:
    """Return the arrays of a fitted `Gaussian`, or of a scikit-learn support vector machine."""
    return Kernel(
        support=np.ascontiguousarray(estimator.support_vectors_, dtype=np.float64),
        dual=np.asarray(estimator.dual_coef_, dtype=np.float64).ravel(),
        intercept=np.atleast_1d(estimator.intercept_).astype(np.float64),
        gamma=np.array([float(estimator._gamma)]),
    )


KERNEL = Form(compile_kernel, margins)


class Gaussian:
    """A scikit-learn support vector machine whose kernel is computed as one matrix product.

    libsvm computes each distance separately, which takes most of the training time with a thousand columns. The result
    is the same up to rounding.
    """

    def __init__(self, random_state: int, *, classes: bool, gamma: float | str = "scale", **parameters: Any) -> None:
        from sklearn.svm import SVC, SVR

        self.gamma = gamma
        # A parameter ``kernel`` raises an error here, as a duplicate argument.
        self._machine: Any = (
            SVC(kernel=PRECOMPUTED, cache_size=500, random_state=random_state, **parameters)
            if classes
            else SVR(kernel=PRECOMPUTED, cache_size=500, **parameters)
        )

    def fit(self, rows: FloatArray, target: FloatArray | IntArray, sample_weight: FloatArray) -> Gaussian:
        """Fit ratings, or classes 0 and 1."""
        # "scale" means the same as in scikit-learn.
        self._gamma = 1.0 / (rows.shape[1] * (rows.var() or 1.0)) if self.gamma == "scale" else self.gamma
        precomputed = len(rows) <= MAX_KERNEL_ROWS
        self._machine.set_params(kernel=PRECOMPUTED if precomputed else "rbf", gamma=self._gamma)
        self._machine.fit(self._kernel(rows, rows) if precomputed else rows, target, sample_weight=sample_weight)
        self.support_vectors_ = rows[self._machine.support_]
        self.dual_coef_ = self._machine.dual_coef_
        self.intercept_ = self._machine.intercept_
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Return margins, or standardised ratings."""
        if not len(self.support_vectors_):  # such as for equal ratings
            return np.full(len(rows), self.intercept_[0])
        near = self._kernel(rows, self.support_vectors_)
        return np.asarray(near @ self.dual_coef_[0] + self.intercept_[0], dtype=np.float64)

    def _kernel(self, rows: FloatArray, others: FloatArray) -> FloatArray:
        from sklearn.metrics.pairwise import rbf_kernel

        return np.asarray(rbf_kernel(rows, others, gamma=self._gamma), dtype=np.float64)
