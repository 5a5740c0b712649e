"""Contributions of groups of features to a score: Shapley values in the unit in which the score is additive.

Models of two labels are additive in log-odds, and models of ratings in rating points. A model of several labels has
log-odds for each label, and naturalness is not a sum over these. The log-odds of each label are therefore attributed
exactly, and then weighted by the mean slope of the log-odds of naturalness along the straight line from the background
to the text (Aumann & Shapley 1974).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.units import Parts
from naturalness.models.learners.verdict import graded
from naturalness.statistics.logistic import sigmoid

SURE = 1e-9
"""How close naturalness may come to 0 or 1: it is clipped before its log-odds are computed."""
NODES = 64
"""The number of quadrature nodes for the integral along the line."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Contributions by row and part, and the base to which they are added. *Shapes:* ``base`` (n,), ``values`` (n,
    parts).
    """

    base: FloatArray
    values: FloatArray

    @property
    def total(self) -> FloatArray:
        """The log-odds of naturalness, or the predicted rating, of each row, (n,)."""
        out: FloatArray = self.base + self.values.sum(axis=1)
        return out


def share_out(compiled: Compiled, rows: FloatArray, background: FloatArray, parts: Parts) -> Shares:
    """Attribute the scores of prepared rows (n, p) to parts, relative to a prepared ``background`` (b, p)."""
    slope, offset = compiled.calibration.slope, compiled.calibration.offset
    means = np.array([unit.decide(background).mean() for unit in compiled.units])
    base = slope * means + offset
    values = np.stack(
        [slope[i] * unit.shapley(rows, background, parts) for i, unit in enumerate(compiled.units)], axis=1
    )
    if len(compiled.units) == 1:
        return Shares(np.full(len(rows), base[0]), values[:, 0])
    ends = base + values.sum(axis=2)
    weights = np.array([_mean_slopes(base, end) for end in ends]).reshape(values.shape[:2])
    joint = (values * weights[:, :, None]).sum(axis=1)
    return Shares(np.full(len(rows), _log_odds(base)), joint)


def _log_odds(units: FloatArray) -> float:
    """Return the log-odds of naturalness, given the calibrated log-odds of several labels."""
    naturalness = float(np.clip(graded(units[None, :])[0], SURE, 1 - SURE))
    return float(np.log(naturalness) - np.log1p(-naturalness))


def _mean_slopes(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the mean slopes of the log-odds of naturalness with respect to each label's log-odds, on the line
    between two points.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    line = start + ((nodes + 1) / 2)[:, None] * (end - start)
    share = sigmoid(line)
    total = share.sum(axis=1, keepdims=True)
    grade = np.arange(len(start)) / (len(start) - 1)
    naturalness = (share * grade).sum(axis=1, keepdims=True) / total
    steep = share * (1 - share) * (grade - naturalness) / total
    slopes = steep / np.clip(naturalness * (1 - naturalness), SURE, None)
    mean: FloatArray = (weights[:, None] / 2 * slopes).sum(axis=0)
    return mean


def effects(compiled: Compiled, row: FloatArray, background: FloatArray, columns: Sequence[int]) -> FloatArray:
    """Return the effect of each of the given columns on the score of one prepared row (p,), with shape (n_columns,).

    The effect is the score minus the score that the row gets when the column is set to its background mean. Effects are
    exact for linear models. For other models, the effects of a cause's columns need not add up to the cause's
    contribution, because columns interact.
    """
    typical = np.repeat(row[None, :], len(columns), axis=0)
    typical[np.arange(len(columns)), columns] = background.mean(axis=0)[list(columns)]
    both = np.vstack([row[None, :], typical])
    units = compiled.calibration.apply(np.column_stack([u.decide(both) for u in compiled.units]))
    if units.shape[1] == 1:
        out: FloatArray = units[0, 0] - units[1:, 0]
        return out
    odds = np.array([_log_odds(label_odds) for label_odds in units])
    differences: FloatArray = odds[0] - odds[1:]
    return differences
