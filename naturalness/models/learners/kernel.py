"""Support vector machines with a Gaussian kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.units import MATRIX, POSITIVE, Form, Parts, by_row, margins, require_shapes


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
            near = np.exp(-self.gamma[0] * _distances(self.support, row, parts))
            for other in background:
                far = np.exp(-self.gamma[0] * _distances(self.support, other, parts))
                for t, weight in zip(nodes, weights, strict=True):
                    factors = t * near + (1 - t) * far
                    ones = np.ones((len(factors), 1))
                    before = np.cumprod(np.hstack([ones, factors[:, :-1]]), axis=1)
                    behind = np.cumprod(np.hstack([ones, factors[:, :0:-1]]), axis=1)[:, ::-1]
                    total += weight * ((near - far) * before * behind * self.dual[:, None]).sum(axis=0)
            return total / len(background)

        return by_row(values, rows, parts)


def _distances(points: FloatArray, row: FloatArray, parts: Parts) -> FloatArray:
    """Return the squared distances between points and a row within the columns of each part, (n_points, n_parts)."""
    squared = (points - row) ** 2
    return np.column_stack([squared[:, part].sum(axis=1) for part in parts])


def compile_kernel(estimator: Any) -> Kernel:
    """Return the arrays of a fitted scikit-learn support vector machine."""
    return Kernel(
        support=np.ascontiguousarray(estimator.support_vectors_, dtype=np.float64),
        dual=np.asarray(estimator.dual_coef_, dtype=np.float64).ravel(),
        intercept=np.atleast_1d(estimator.intercept_).astype(np.float64),
        gamma=np.array([float(estimator._gamma)]),
    )


KERNEL = Form(compile_kernel, margins)
