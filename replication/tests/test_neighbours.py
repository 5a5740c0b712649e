"""Nearest neighbours, and Shapley values by coalitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.pipelines.fitting import Settings, fit_table
from naturalness_replication.neighbours import NAME, Neighbours

POINTS, TARGETS = np.array([[1.0, 2.0], [1.0, 4.0], [9.0, 9.0]]), np.array([1.0, 0.0, 0.0])


def test_hand_worked_means() -> None:
    """The mean target of two neighbours is uniform or weighted by distance; a training row has its own target."""
    near = Neighbours(POINTS, TARGETS, np.array([2]), np.array([0]))
    assert near.decide(POINTS[:1]).tolist() == [0.5]
    by_distance = replace(near, by_distance=np.array([1]))
    assert by_distance.decide(np.array([[1.0, 2.5], [1.0, 2.0]])).tolist() == [0.75, 1.0]


def test_hand_worked_shapley_values() -> None:
    """The nearest of two points decides: (0, 0) has target 1 and (1, 2) has target 7."""
    rows, background, parts = np.array([[1.0, 2.0]]), np.zeros((1, 2)), [np.array([0]), np.array([1])]
    near = Neighbours(np.array([[0.0, 0.0], [1.0, 2.0]]), np.array([1.0, 7.0]), np.array([1]), np.array([0]))
    assert near.shapley(rows, background, parts)[0].tolist() == [0.0, 6.0]
    # Weighted by distance, the values are 1 and 7 at the points, 3 at (1, 0) and 5 at (0, 2).
    near = replace(near, count=np.array([2]), by_distance=np.array([1]))
    assert near.shapley(rows, background, parts)[0] == pytest.approx([2.0, 4.0])


@pytest.mark.parametrize("n_classes", [0, 2])
def test_ties_and_large_counts(n_classes: int) -> None:
    """The learner learns from columns with many ties, and uses all rows if fewer than its neighbours exist."""
    rng = np.random.default_rng(0)
    table = np.round(rng.normal(size=(60, 1)) * 2)
    target = (table[:, 0] > 0).astype(np.float64)
    fitted = fit_table(
        table,
        target,
        n_classes=n_classes,
        names=("a", "b"),
        groups=np.arange(60),
        weight=np.ones(60),
        settings=Settings(learner=NAME, folds=3),
    )
    assert np.mean((fitted.compiled.decide(table)[:, 0] > (0 if n_classes else 0.5)) == target) > 0.9
