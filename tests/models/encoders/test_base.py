"""The mean of what a network says of pieces."""

from __future__ import annotations

import numpy as np

from naturalness.models.encoders.sentences import pooled


def test_hand_worked_means() -> None:
    """Pieces count the same in whatever part they stand; the length is 1."""
    one, other = np.array([[3.0, 0.0], [3.0, 3.0]]), np.array([[0.0, 9.0]])
    np.testing.assert_allclose(pooled([one], 2), np.array([2.0, 1.0]) / np.sqrt(5))
    np.testing.assert_allclose(pooled([one, other], 2), np.array([1.0, 2.0]) / np.sqrt(5))
    np.testing.assert_allclose(pooled([one, other], 2, first=True), np.array([2.0, 3.0]) / np.sqrt(13))


def test_what_has_no_direction_is_undefined() -> None:
    """No part, or nothing but zeros."""
    assert np.isnan(pooled([], 3)).all()
    assert np.isnan(pooled([np.zeros((2, 3))], 3)).all()
