"""From calibrated numbers to naturalness and a label: one rule for every caller."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.logistic import sigmoid


def probabilities(log_odds: FloatArray) -> FloatArray:
    """Return probabilities, (n, n_classes); of several units each class's share of their sum."""
    share = sigmoid(log_odds)
    if log_odds.shape[1] == 1:
        return np.hstack([1.0 - share, share])
    total = share.sum(axis=1, keepdims=True)
    even = np.full_like(share, 1.0 / share.shape[1])
    return np.where(total == 0, even, share / np.where(total == 0, 1.0, total))


def graded(log_odds: FloatArray) -> FloatArray:
    """Return naturalness, 0..1, of log-odds: the probability of the best class; of several ordered
    classes the expected position between worst (0) and best (1).
    """
    share = probabilities(log_odds)
    positions = np.arange(share.shape[1]) / (share.shape[1] - 1)
    out: FloatArray = (share * positions).sum(axis=1)
    return out


def on_scale(ratings: FloatArray, low: float, high: float) -> FloatArray:
    """Return naturalness, 0..1, of predicted ratings: their position on the scale, cut at its ends."""
    out: FloatArray = np.clip((ratings - low) / (high - low), 0.0, 1.0)
    return out


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a model's numbers are read."""

    n_classes: int
    """Labels that it predicts; ratings are cut into two."""
    rates: bool
    """Whether its numbers are ratings; log-odds of classes otherwise."""
    threshold: float = 0.5
    """Naturalness from which on the better of two labels is predicted."""
    scale: tuple[float, float] = (0.0, 1.0)

    def naturalness(self, values: FloatArray) -> FloatArray:
        """Return naturalness, 0..1, of numbers of shape (n, n_units)."""
        return on_scale(values[:, 0], *self.scale) if self.rates else graded(values)

    def predictions(self, values: FloatArray, naturalness: FloatArray) -> IntArray:
        """Return the number of each predicted label among the classes, worst first."""
        if values.shape[1] > 1:
            return np.asarray(values.argmax(axis=1), dtype=np.int64)
        return np.asarray(naturalness >= self.threshold, dtype=np.int64)
