"""Ridge and logistic regression that are drawn towards another model's weights instead of to zero.

The weights are ``c * start + change``: how far the start is followed, ``c``, is free, and only the
change is penalised. With a few ratings the start decides, with many the ratings do. The idea is
the regularised adaptation of Chelba and Acero (2004), with the scale of the start left open.
"""

from __future__ import annotations

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.calibration import sigmoid

STEPS = 50
CLOSE = 1e-8
LOOSE = 1e-3
"""Penalty of what is free: so small that it decides nothing, and no system is singular."""


class Adapted:
    """An estimator as scikit-learn's; ``start`` is set before it is fitted, or it starts at 0."""

    def __init__(self, *, classes: bool, alpha: float) -> None:
        self.classes = classes
        self.alpha = alpha
        self.start: FloatArray | None = None

    def fit(self, rows: FloatArray, target: FloatArray, sample_weight: FloatArray) -> Adapted:
        """Learn ratings, or classes 0 and 1."""
        start = np.zeros(rows.shape[1]) if self.start is None else self.start
        told = rows @ start
        spread = float(told.std())
        start = start * (1.0 / spread if spread > 0 else 0.0)
        design = np.column_stack([rows, rows @ start, np.ones(len(rows))])
        penalty = np.full(design.shape[1], self.alpha)
        penalty[-2:] = LOOSE
        weight = sample_weight * len(rows) / sample_weight.sum()
        solve = _logistic if self.classes else _squares
        found = solve(design, np.asarray(target, dtype=np.float64), weight, penalty)
        self.coef_ = found[:-2] + found[-2] * start
        self.intercept_ = found[-1:]
        return self

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Margins, or standardised ratings."""
        out: FloatArray = rows @ self.coef_ + self.intercept_[0]
        return out


def _squares(design: FloatArray, target: FloatArray, weight: FloatArray, penalty: FloatArray) -> FloatArray:
    """Weighted least squares."""
    weighted = design * weight[:, None]
    found = np.linalg.solve(weighted.T @ design + np.diag(penalty), weighted.T @ target)
    return np.asarray(found, dtype=np.float64)


def _logistic(design: FloatArray, target: FloatArray, weight: FloatArray, penalty: FloatArray) -> FloatArray:
    """Maximum likelihood by Newton's method; a step is halved while it makes things worse."""
    at = np.zeros(design.shape[1])

    def loss(point: FloatArray) -> float:
        value = design @ point
        return float(weight @ (np.logaddexp(0, value) - target * value) + 0.5 * penalty @ point**2)

    now = loss(at)
    for _ in range(STEPS):
        p = sigmoid(design @ at)
        gradient = design.T @ (weight * (p - target)) + penalty * at
        curve = (design * (weight * p * (1 - p))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curve, gradient)
        scale = 1.0
        while (then := loss(at - scale * step)) > now and scale > CLOSE:
            scale /= 2
        if then > now:
            break
        at, gained, now = at - scale * step, now - then, then
        if gained <= CLOSE * max(now, 1.0):
            break
    return at
