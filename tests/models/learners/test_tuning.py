"""Choosing parameters and learners, and recursive feature elimination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.models.learners.elimination import eliminate, schedule
from naturalness.models.learners.prepared import learn_preparation
from naturalness.pipelines.fitting import criterion
from tests.support.problems import problem


def test_elimination() -> None:
    """The two columns that determine the target are eliminated last."""
    task = problem(2, n=240, gaps=False)
    elimination = eliminate(task, learn_preparation(task.table), criterion(task))
    assert set(elimination.ranking[:2]) == {0, 1}
    assert sorted(elimination.ranking) == list(range(6))
    assert schedule(10) == [10, 8, 6, 5, 4, 3, 2, 1]
    assert elimination.sizes[0] == 6
    assert elimination.sizes[-1] == 1
    assert 2 <= elimination.chosen <= 6
    assert {0, 1} <= set(elimination.columns.tolist())


def test_folds_with_one_class() -> None:
    """The score of a fold with a single class is NaN."""
    task = problem(2)
    decisions: FloatArray = np.array([[0.1], [0.2]])
    assert np.isnan(criterion(task)(np.flatnonzero(task.target == 1)[:2], decisions))


NAN = float("nan")
CURVES = {
    "the best alone": ([[0.5, 0.1], [0.7, 0.3], [0.9, 0.2]], [0.7, 0.2], [0.2, 0.1], 2),
    "as good as the best": ([[0.5, 0.4], [0.7, 0.6], [0.9, 0.8]], [0.7, 0.6], [0.2, 0.2], 1),
    "one fold": ([[NAN, 0.9], [NAN, 0.1], [0.7, 0.1]], [0.7, 0.1], [0.0, 0.0], 2),
    "a fold without a figure": ([[NAN, 0.9], [0.5, 0.1], [0.7, 0.1]], [0.6, 0.1], [0.02**0.5, 0.0], 2),
}
"""Figures of three folds with two columns and one, their means and deviations, what is chosen."""


@pytest.mark.parametrize(("folds", "means", "deviations", "chosen"), CURVES.values(), ids=CURVES)
def test_the_curve_is_the_mean_over_folds(
    folds: list[list[float]], means: list[float], deviations: list[float], chosen: int
) -> None:
    """Elimination chooses the smallest size whose mean over folds is within one standard error of the best."""
    whole = problem(2, n=45, gaps=False)
    task = replace(whole, table=whole.table[:, :2])
    figures = iter(np.ravel(folds).tolist())
    elimination = eliminate(task, learn_preparation(task.table), lambda rows, decisions: next(figures))
    used = sum(row[0] == row[0] for row in folds)
    assert elimination.sizes == [2, 1]
    assert elimination.means == pytest.approx(means)
    assert elimination.errors == pytest.approx(np.array(deviations) / used**0.5)
    assert elimination.chosen == chosen
