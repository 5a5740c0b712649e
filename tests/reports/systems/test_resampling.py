"""Sums of systems: means by hand, and what is drawn together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.systems.resampling import difference, less_others, mean, sum_up, t_test
from naturalness.statistics.bootstrap import Resampling

HOW = Resampling(400)


def test_means_by_hand() -> None:
    """Rows with an undefined value are in no sum; systems with few texts have no interval."""
    table = np.array([[1.0, 2], [3, 4], [math.nan, 1], [10, 5]])
    sums = sum_up(table, np.array([0, 0, 0, 1]), 2, None, HOW)
    assert sums.figure(mean(0, 0), 0).value == 2
    assert sums.figure(mean(0, 0, 1), 0).value == pytest.approx(100 * 4 / 6)
    assert sums.figure(less_others(lambda s: mean(s, 0), 1, 2), 1).value == 8
    assert sums.units == (2, 1)
    assert math.isnan(sums.figure(mean(0, 0), 0).low)
    assert math.isnan(sums.test(mean(0, 0), 0).p)


def test_a_system_without_scores() -> None:
    """Its figures are undefined, those of others are not."""
    table = np.array([[1.0]] * 12 + [[math.nan]] * 12)
    sums = sum_up(table, np.repeat([0, 1], 12), 2, None, HOW)
    assert math.isnan(sums.figure(mean(1, 0), 1).value)
    assert sums.figure(mean(0, 0), 0).low == 1
    assert math.isnan(sums.figure(less_others(lambda s: mean(s, 0), 0, 2), 0).value)


def test_shared_inputs_cancel() -> None:
    """What is hard for both systems widens no interval of their difference."""
    rng = np.random.default_rng(0)
    hard = rng.normal(size=50)
    table = np.concatenate([hard, hard - 0.1 + rng.normal(size=50) * 0.01])[:, None]
    member, inputs = np.repeat([0, 1], 50), np.tile(np.arange(50), 2)
    gap = difference(mean(0, 0), mean(1, 0))
    together = sum_up(table, member, 2, inputs, HOW)
    apart = sum_up(table, member, 2, None, HOW)
    assert together.figure(gap, 0, 1).low > 0.09
    assert apart.figure(gap, 0, 1).low < 0
    assert together.test(gap, 0, 1).p < 1e-6 < apart.test(gap, 0, 1).p


def test_systems_apart_are_drawn_apart() -> None:
    """Two systems with the same scores do not move together over resamples."""
    scores = np.random.default_rng(0).normal(size=30)
    sums = sum_up(np.tile(scores, 2)[:, None], np.repeat([0, 1], 30), 2, None, HOW)
    first, second = sums.drawn[0, 0], sums.drawn[1, 0]
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.2


def test_t_of_what_does_not_vary() -> None:
    """A difference that is always 0 is none; one that is always the same is sure."""
    assert t_test(0.0, np.zeros(100), 20).p == 1
    assert t_test(0.1, np.full(100, 0.1), 20).p == 0
    assert math.isnan(t_test(math.nan, np.zeros(100), 20).p)
