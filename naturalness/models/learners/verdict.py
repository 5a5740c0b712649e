"""Rules that convert calibrated outputs to naturalness and predicted labels; all callers share them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.statistics.logistic import sigmoid


def probabilities(log_odds: FloatArray) -> FloatArray:
    """Return class probabilities, (n, n_classes); with several units, the sigmoid of each, divided by their sum."""
    share = sigmoid(log_odds)
    if log_odds.shape[1] == 1:
        return np.hstack([1.0 - share, share])
    total = share.sum(axis=1, keepdims=True)
    even = np.full_like(share, 1.0 / share.shape[1])
    return np.where(total == 0, even, share / np.where(total == 0, 1.0, total))


def graded(log_odds: FloatArray) -> FloatArray:
    """Return naturalness, 0..1, from log-odds.

    With two classes, it is the probability of the better class; with more, the expected position on a scale from the
    worst class (0) to the best (1).
    """
    share = probabilities(log_odds)
    positions = np.arange(share.shape[1]) / (share.shape[1] - 1)
    out: FloatArray = (share * positions).sum(axis=1)
    return out


def on_scale(ratings: FloatArray, low: float, high: float) -> FloatArray:
    """Return naturalness, 0..1, from predicted ratings: their position on the rating scale, clipped to its ends."""
    return np.clip((ratings - low) / (high - low), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How a model's calibrated outputs are interpreted."""

    n_classes: int
    """Number of labels that the model predicts."""
    rates: bool
    """Whether the model's outputs are ratings; otherwise they are log-odds of classes."""
    threshold: float = 0.5
    """Minimum naturalness, 0 to 1, at which the better of two labels is predicted."""
    scale: tuple[float, float] = (0.0, 1.0)

    def naturalness(self, values: FloatArray) -> FloatArray:
        """Return naturalness, 0..1, from outputs of shape (n, n_units)."""
        return on_scale(values[:, 0], *self.scale) if self.rates else graded(values)

    def predictions(self, values: FloatArray, naturalness: FloatArray) -> IntArray:
        """Return the index of each text's predicted label; classes are numbered from the worst to the best."""
        if values.shape[1] > 1:
            return np.asarray(values.argmax(axis=1), dtype=np.int64)
        return np.asarray(naturalness >= self.threshold, dtype=np.int64)
