"""Linear learners: a weighted sum of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.shapley import Parts, by_row
from naturalness.models.learners.units import Form, margins, require_shapes
from naturalness.statistics.logistic import fit_logistic, sigmoid

MIN_GAIN = 1e-8
"""Share of the loss that a step of `Adapted` has to gain."""
ROWS = 100
"""Rows for which the penalty of a change is stated."""
FALLS, FALLS_TO = 1.5, 400
"""The power of the number of rows with which it falls, and from how many on it stays; so does the best
(`benchmarks.small_data`)."""
TRUSTED_ROWS, TRUSTED_SLOPE = 25, 0.5
"""As many rows' worth of trust that a start is right, and by how much: 50 ratings may disagree with it by chance."""
NEAREST = 1e-3
"""Share of a class that its log-odds are taken of at the least."""
FREE_PENALTY = 1e-3
"""Penalty of what is free: so small that it decides nothing, and no system is singular."""


@dataclass(frozen=True, slots=True)
class Linear:
    """``row . coef + intercept``."""

    kind: ClassVar[str] = "linear"
    coef: FloatArray
    intercept: FloatArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return margins."""
        sums = np.array([(row * self.coef).sum() for row in rows], dtype=np.float64)
        return sums + float(self.intercept[0])

    def check(self, name: str, width: int) -> None:
        """Require a weight for each column."""
        require_shapes(self, name, intercept=(1,), coef=(width,))

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return the sum over each part's columns of ``coef * (value - background mean)``."""

        def values(row: FloatArray) -> FloatArray:
            moved = self.coef * (row - background.mean(axis=0))
            return np.array([moved[part].sum() for part in parts])

        return by_row(values, rows, parts)


def compile_linear(estimator: Any) -> Linear:
    """Return the arrays of a linear model of scikit-learn, or of `Adapted`."""
    return Linear(
        coef=np.asarray(estimator.coef_, dtype=np.float64).ravel(),
        intercept=np.atleast_1d(estimator.intercept_).astype(np.float64),
    )


LINEAR = Form(compile_linear, margins)


class Adapted:
    """Ridge or logistic regression that is drawn towards another model's weights instead of to zero.

    The weights are ``c * start + change``. The change is penalised: by ``alpha`` for `ROWS` rows, by less for more, up
    to `FALLS_TO`. How far the start is followed, ``c``, is nearly free: `TRUSTED_ROWS` made-up rows, half of them a
    deviation above the mean of the start and half below, have targets by a slope of `TRUSTED_SLOPE`. With a few
    ratings the start decides, with many the ratings do. The idea is the regularised adaptation of Chelba and Acero
    (2004), with the scale of the start left open. ``start`` is set before fitting; without one learning starts at 0.
    """

    def __init__(self, *, classes: bool, alpha: float) -> None:
        self.classes = classes
        self.alpha = alpha
        self.start: FloatArray | None = None
        self.rises = True
        """Whether the target rises with the start; one class of several against the rest may do either."""

    def fit(self, rows: FloatArray, target: FloatArray, sample_weight: FloatArray) -> Adapted:
        """Learn ratings, or classes 0 and 1."""
        start = np.zeros(rows.shape[1]) if self.start is None else self.start
        spread = float((rows @ start).std())
        start = start * (1.0 / spread if spread > 0 else 0.0)
        target = np.asarray(target, dtype=np.float64)
        weight = sample_weight * len(rows) / sample_weight.sum()
        margins = rows @ start
        middle = float(np.average(margins, weights=weight))
        design = np.column_stack([rows, margins - middle, np.ones(len(rows))])
        penalty = np.full(design.shape[1], self.alpha * (ROWS / min(len(rows), FALLS_TO)) ** FALLS)
        penalty[-2:] = FREE_PENALTY
        if self.rises and spread > 0:
            trusted = np.zeros((2, design.shape[1]))
            trusted[:, -2:] = [[-1, 1], [1, 1]]
            design = np.vstack([design, trusted])
            target = np.append(target, self._trusted(target, weight))
            weight = np.append(weight, np.full(2, TRUSTED_ROWS / 2))
        if self.classes:
            weights = fit_logistic(design, target, weight, penalty, min_step=0.0, min_gain=MIN_GAIN)
        else:
            weighted = design * weight[:, None]
            weights = np.linalg.solve(weighted.T @ design + np.diag(penalty), weighted.T @ target)
        self.coef_ = weights[:-2] + weights[-2] * start
        self.intercept_ = weights[-1:] - weights[-2] * middle
        return self

    def _trusted(self, target: FloatArray, weight: FloatArray) -> FloatArray:
        """Targets of the two made-up rows: by the slope, on either side of the mean of the others."""
        mean = float(np.average(target, weights=weight))
        slope = np.array([-TRUSTED_SLOPE, TRUSTED_SLOPE])
        if not self.classes:
            return mean + slope
        inside = min(max(mean, NEAREST), 1 - NEAREST)
        return sigmoid(np.log(inside / (1 - inside)) + 2 * slope)

    def decision_function(self, rows: FloatArray) -> FloatArray:
        """Return margins, or standardised ratings."""
        out: FloatArray = rows @ self.coef_ + self.intercept_[0]
        return out
