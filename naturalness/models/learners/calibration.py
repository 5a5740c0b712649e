"""Calibration: a linear map from margins to log-odds, or from predictions to ratings, fitted on out-of-fold outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.statistics.logistic import fit_logistic

RIDGE = 2e-6
"""Ridge penalty, too small to affect the result; if it were 0, margins that separate the classes perfectly would have
no finite optimal slope."""
MIN_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class Calibration:
    """The map ``slope * margin + offset`` of each unit; for classes, a sigmoid turns its result into a probability.

    *Shapes:* ``slope`` and ``offset`` are (n_units,).
    """

    slope: FloatArray
    offset: FloatArray

    def apply(self, decisions: FloatArray) -> FloatArray:
        """Return log-odds, or ratings, of shape (n, n_units)."""
        return decisions * self.slope + self.offset


def fit_sigmoid(
    margins: FloatArray, positive: FloatArray, weight: FloatArray, least: float = 0.0
) -> tuple[float, float]:
    """Return the slope and the offset, fitted by the method of Platt (1999) with his smoothed targets.

    ``least`` is the minimum slope per standard deviation of the margins. The slope is thus never negative: a map that
    reversed the ranking would hide that nothing was learned. If the slope is 0, every row gets the share of positives.
    """
    n_positive, n_negative = float(weight @ positive), float(weight @ (1 - positive))
    high, low = (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2)
    target = np.where(positive > 0, high, low)
    spread = float(np.std(margins)) or 1.0
    centre = float(np.mean(margins))
    z = (margins - centre) / spread
    design = np.column_stack([z, np.ones_like(z)])
    slope, offset = map(float, fit_logistic(design, target, weight, np.full(2, RIDGE)))
    if slope < least:
        share = float(np.average(target, weights=weight))
        slope, offset = least, float(np.log(share / (1 - share)))
    return slope / spread, offset - slope * centre / spread


def fit_line(decisions: FloatArray, target: FloatArray, weight: FloatArray, least: float = 0.0) -> tuple[float, float]:
    """Return the slope and the offset of the least-squares line; as in `fit_sigmoid`, the slope is never negative.

    ``least`` is the minimum slope after both variables are scaled to a standard deviation of 1.
    """
    x = decisions - np.average(decisions, weights=weight)
    centre = float(np.average(target, weights=weight))
    spread = float(weight @ x**2)
    if spread <= MIN_SPREAD:
        return 0.0, centre
    y = target - centre
    slope = max(least * float(np.sqrt(weight @ y**2 / spread)), float(weight @ (x * y)) / spread)
    return slope, centre - slope * float(np.average(decisions, weights=weight))


def calibrate(
    decisions: FloatArray, target: FloatArray, weight: FloatArray, n_classes: int, least: float = 0.0
) -> Calibration:
    """Return the calibration for out-of-fold decisions, (n, n_units); rows that have none (NaN) are ignored.

    ``least`` is the minimum slope, as in `fit_sigmoid` and `fit_line`; it is for learners that start from another
    model.
    """
    tested = ~np.isnan(decisions).any(axis=1)
    decisions, target, weight = decisions[tested], target[tested], weight[tested]
    if not n_classes:
        pairs = [fit_line(decisions[:, 0], target, weight, least)]
    elif decisions.shape[1] == 1:
        pairs = [fit_sigmoid(decisions[:, 0], (target == 1).astype(np.float64), weight, least)]
    else:
        pairs = [
            fit_sigmoid(decisions[:, c], (target == c).astype(np.float64), weight, least) for c in range(n_classes)
        ]
    slope, offset = np.array(pairs).T
    return Calibration(np.ascontiguousarray(slope), np.ascontiguousarray(offset))
