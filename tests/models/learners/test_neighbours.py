"""Nearest neighbours by hand."""

from __future__ import annotations

import numpy as np

from naturalness.models.learners.neighbours import Neighbours


def test_hand_worked_neighbours() -> None:
    """One and two neighbours, with uniform and with distance weights."""
    row = np.array([[1.0, 2.0]])
    points, targets = np.array([[1.0, 2.0], [1.0, 4.0], [9.0, 9.0]]), np.array([1.0, 0.0, 0.0])
    near = Neighbours(points, targets, np.array([2]), np.array([0]))
    assert near.decide(row).tolist() == [0.5]
    # From (1, 3) the first two are equally near, so that one of them alone would be by chance.
    assert near.settled(np.array([[1.0, 2.0], [1.0, 3.0]])).tolist() == [True, True]
    one_of_two = Neighbours(points, targets, np.array([1]), np.array([0]))
    assert one_of_two.settled(np.array([[1.0, 2.0], [1.0, 3.0]])).tolist() == [True, False]
    by_distance = Neighbours(points, targets, np.array([2]), np.array([1]))
    assert by_distance.decide(np.array([[1.0, 2.5]])).tolist() == [0.75]
    assert by_distance.decide(row).tolist() == [1.0]
