"""Linear learners: a weighted sum of the columns, or two such sums, one of which applies to each row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.units import (
    INTEGERS,
    MATRIX,
    Form,
    Parts,
    by_row,
    margins,
    require_indices,
    require_shapes,
)
from naturalness.statistics.logistic import fit_logistic, sigmoid

MIN_GAIN = 1e-8
"""Minimum relative decrease of the loss in a step of fitting `AdaptedRidge`; below it, fitting stops."""
ROWS = 100
"""Number of rows for which the penalty is ``alpha``; for other numbers it is scaled."""
FALLS, FALLS_TO = 1.5, 400
"""Exponent of the power law by which the penalty decreases with the number of rows, and the number of rows at which it
stops decreasing; both were fitted to the best penalties found in `benchmarks.small_data`."""
TRUSTED_ROWS, TRUSTED_SLOPE = 25, 0.5
"""Total weight, in rows, of the artificial rows that pull `AdaptedRidge` towards its start, and the slope of
their targets. They are needed because 50 ratings may contradict the start by chance."""
NEAREST = 1e-3
"""Minimum distance of a class's share from 0 and 1: shares are clipped before their log-odds are computed."""
FREE_PENALTY = 1e-3
"""Penalty on the start's scale and on the intercept: too small to affect the result, but it keeps the equations
solvable."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The linear function ``row . coef + intercept``."""

    kind: ClassVar[str] = "linear"
    coef: FloatArray
    intercept: FloatArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the margin or the standardised rating of each row."""
        sums = np.array([(row * self.coef).sum() for row in rows], dtype=np.float64)
        return sums + float(self.intercept[0])

    def usual(self, rows: FloatArray) -> FloatArray:
        """Return the weights of the columns, (p,); they are the same for all rows."""
        return self.coef

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless there is one weight per column."""
        require_shapes(self, name, intercept=(1,), coef=(width,))

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values; a part's value is the sum over its columns of ``coef * (value - background mean)``."""

        def values(row: FloatArray) -> FloatArray:
            moved = self.coef * (row - background.mean(axis=0))
            return np.array([moved[part].sum() for part in parts])

        return by_row(values, rows, parts)


@dataclass(frozen=True, slots=True)
class Switching:
    """Switching regression: one linear function for rows up to a limit in one column, another for rows above it.

    *Shapes:* ``coef`` (2, p), for p columns; ``intercept`` (2,); ``column`` and ``limit`` (1,).
    """

    kind: ClassVar[str] = "switching"
    coef: FloatArray = field(metadata=MATRIX)
    intercept: FloatArray
    column: IntArray = field(metadata=INTEGERS)
    limit: FloatArray

    def above(self, rows: FloatArray) -> BoolArray:
        """Return whether the second function applies to each row."""
        above: BoolArray = rows[:, self.column[0]] > self.limit[0]
        return above

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the margin of each row."""
        which = self.above(rows).astype(int)
        sums = np.array([(row * self.coef[i]).sum() for row, i in zip(rows, which, strict=True)], dtype=np.float64)
        margins: FloatArray = sums + self.intercept[which]
        return margins

    def usual(self, rows: FloatArray) -> FloatArray:
        """Return the weights that most of the rows get, (p,)."""
        weights: FloatArray = self.coef[int(self.above(rows).mean() > 0.5)]
        return weights

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless each function has one weight per column, and the column exists."""
        require_shapes(self, name, coef=(2, width), intercept=(2,), column=(1,), limit=(1,))
        require_indices(self.column, width, f"{name}.column")

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values.

        In half of all orders, a part joins after the part that has the column of the limit, and gains what the row's
        own function gives it; in the other half, it gains the mean over the functions of the background rows. The part
        that has the column of the limit gets the rest.
        """
        functions = self.coef[self.above(background).astype(int)]
        usual, product, mean = functions.mean(axis=0), (functions * background).mean(axis=0), background.mean(axis=0)
        base = self.decide(background).mean()
        (switch,) = (i for i, part in enumerate(parts) if self.column[0] in part)

        def values(row: FloatArray) -> FloatArray:
            (second,) = self.above(row[None])
            moved = (self.coef[int(second)] * (row - mean) + usual * row - product) / 2
            each = np.array([moved[part].sum() for part in parts])
            each[switch] += self.decide(row[None])[0] - base - each.sum()
            return each

        return by_row(values, rows, parts)


def compile_linear(estimator: Any) -> Linear:
    """Return the unit of a fitted scikit-learn linear model, or of a fitted `AdaptedRidge`."""
    return Linear(
        coef=np.asarray(estimator.coef_, dtype=np.float64).ravel(),
        intercept=np.atleast_1d(estimator.intercept_).astype(np.float64),
    )


LINEAR = Form(compile_linear, margins)


class AdaptedRidge:
    """Ridge or logistic regression whose weights are shrunk towards another model's weights instead of zero.

    The weights are ``c * start + change``. The penalty on the change is ``alpha`` for `ROWS` rows and decreases as the
    number of rows grows, up to `FALLS_TO`. The scale of the start, ``c``, is almost unpenalised. Instead, artificial
    rows with a total weight of `TRUSTED_ROWS` pull it towards a slope of `TRUSTED_SLOPE`: half of them lie one standard
    deviation of the start's margins above the mean margin, and half below. If there are few ratings, the start
    dominates; if there are many, the ratings do. This is the regularised adaptation of Chelba and Acero (2004), except
    that the scale of the start is free. Set ``start`` before fitting; None means a start of zero.
    """

    def __init__(self, *, classes: bool, alpha: float) -> None:
        self.classes = classes
        self.alpha = alpha
        self.start: FloatArray | None = None
        self.rises = True
        """Whether the target can be assumed to increase with the start; it cannot if the task is to tell one of several
        classes from the rest."""

    def fit(self, rows: FloatArray, target: FloatArray, sample_weight: FloatArray) -> AdaptedRidge:
        """Fit ratings, or classes 0 and 1."""
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
        """Return the targets of the two artificial rows: the mean target, minus and plus the slope."""
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
