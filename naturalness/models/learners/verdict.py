"""From calibrated numbers to naturalness and a told label: one rule for every caller."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.calibration import graded, on_scale


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a model's numbers are read."""

    n_classes: int
    """Labels it can tell; ratings are cut into two."""
    rates: bool
    """Whether its numbers are ratings; log-odds of classes otherwise."""
    threshold: float = 0.5
    """Naturalness from which on a text is told the better of two labels."""
    scale: tuple[float, float] = (0.0, 1.0)

    def naturalness(self, values: FloatArray) -> FloatArray:
        """0..1 of numbers of shape (n, n_units)."""
        return on_scale(values[:, 0], *self.scale) if self.rates else graded(values)

    def told(self, values: FloatArray, naturalness: FloatArray) -> IntArray:
        """The place of the told label among the classes, worst first."""
        if values.shape[1] > 1:
            return np.asarray(values.argmax(axis=1), dtype=np.int64)
        told: IntArray = (naturalness >= self.threshold).astype(np.int64)
        return told
