"""Weighted sums of units."""

from __future__ import annotations

import numpy as np

from naturalness.models.learners.blend import Blend
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.neighbours import Neighbours


def test_hand_worked_blend() -> None:
    """Half of a line and twice a mean."""
    row = np.array([[1.0, 2.0]])
    linear = Linear(np.array([3.0, -1.0]), np.array([0.5]))
    near = Neighbours(np.array([[1.0, 2.0], [1.0, 4.0]]), np.array([1.0, 0.0]), np.array([2]), np.array([0]))
    blend = Blend(np.array([0.5, 2.0]), (linear, near))
    assert blend.decide(row).tolist() == [0.5 * 1.5 + 2.0 * 0.5]
    assert blend.decide(row[:0]).tolist() == []
