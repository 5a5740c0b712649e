"""From margins to probabilities, and from predictions to ratings: one map, learned out of fold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray

STEPS = 100
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Calibration:
    """``slope * margin + offset`` per unit, for classes through a sigmoid.

    *Shapes:* both (n_units,).
    """

    slope: FloatArray
    offset: FloatArray

    def apply(self, decisions: FloatArray) -> FloatArray:
        """Log-odds, or ratings, of shape (n, n_units)."""
        out: FloatArray = decisions * self.slope + self.offset
        return out


def sigmoid(values: FloatArray) -> FloatArray:
    """``1 / (1 + exp(-values))`` without overflow."""
    small = np.exp(-np.abs(values))
    out: FloatArray = np.where(values >= 0, 1.0, small) / (1.0 + small)
    return out


def probabilities(log_odds: FloatArray) -> FloatArray:
    """Per class, of shape (n, n_classes); with several units each class's share of their sum."""
    share = sigmoid(log_odds)
    if log_odds.shape[1] == 1:
        return np.hstack([1.0 - share, share])
    total = share.sum(axis=1, keepdims=True)
    even = np.full_like(share, 1.0 / share.shape[1])
    return np.where(total == 0, even, share / np.where(total == 0, 1.0, total))


def graded(log_odds: FloatArray) -> FloatArray:
    """Naturalness, 0..1, of log-odds: the probability of the best class; of several ordered
    classes the expected place between worst (0) and best (1).
    """
    share = probabilities(log_odds)
    places = np.arange(share.shape[1]) / (share.shape[1] - 1)
    out: FloatArray = (share * places).sum(axis=1)
    return out


def on_scale(ratings: FloatArray, low: float, high: float) -> FloatArray:
    """Naturalness, 0..1, of predicted ratings: their place on the scale, cut at its ends."""
    out: FloatArray = np.clip((ratings - low) / (high - low), 0.0, 1.0)
    return out


def fit_sigmoid(margins: FloatArray, positive: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Slope and offset of Platt (1999), targets drawn in as he proposes so that none is 0 or 1.

    The slope is never negative: a map that turned a ranking round would hide that nothing was
    learned; then all rows get the share of positives.
    """
    n_positive, n_negative = float(weight @ positive), float(weight @ (1 - positive))
    high, low = (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2)
    target = np.where(positive > 0, high, low)
    spread = float(np.std(margins)) or 1.0
    centre = float(np.mean(margins))
    z = (margins - centre) / spread
    slope, offset = _newton(z, target, weight)
    if slope < 0:
        share = float(np.average(target, weights=weight))
        return 0.0, float(np.log(share / (1 - share)))
    return slope / spread, offset - slope * centre / spread


def _newton(z: FloatArray, target: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Maximum likelihood of a one-column logistic model, with a very small ridge."""
    design = np.column_stack([z, np.ones_like(z)])
    at = np.zeros(2)

    def loss(point: FloatArray) -> float:
        value = design @ point
        return float(weight @ (np.logaddexp(0, value) - target * value)) + 1e-6 * float(point @ point)

    for _ in range(STEPS):
        p = sigmoid(design @ at)
        gradient = design.T @ (weight * (p - target)) + 2e-6 * at
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design + 2e-6 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        scale, now = 1.0, loss(at)
        while loss(at - scale * step) > now and scale > TINY:
            scale /= 2
        at = at - scale * step
        if float(np.abs(scale * step).max()) < TINY:
            break
    return float(at[0]), float(at[1])


def fit_line(decisions: FloatArray, target: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Slope and offset of the least-squares line; never falling, for the same reason as above."""
    x = decisions - np.average(decisions, weights=weight)
    centre = float(np.average(target, weights=weight))
    spread = float(weight @ x**2)
    slope = max(0.0, float(weight @ (x * (target - centre))) / spread) if spread > TINY else 0.0
    return slope, centre - slope * float(np.average(decisions, weights=weight))


def calibrate(decisions: FloatArray, target: FloatArray, weight: FloatArray, n_classes: int) -> Calibration:
    """The map of out-of-fold decisions of shape (n, n_units); rows without one are left out."""
    tested = ~np.isnan(decisions).any(axis=1)
    decisions, target, weight = decisions[tested], target[tested], weight[tested]
    if not n_classes:
        pairs = [fit_line(decisions[:, 0], target, weight)]
    elif decisions.shape[1] == 1:
        pairs = [fit_sigmoid(decisions[:, 0], (target == 1).astype(np.float64), weight)]
    else:
        pairs = [fit_sigmoid(decisions[:, c], (target == c).astype(np.float64), weight) for c in range(n_classes)]
    slope, offset = np.array(pairs).T
    return Calibration(np.ascontiguousarray(slope), np.ascontiguousarray(offset))
