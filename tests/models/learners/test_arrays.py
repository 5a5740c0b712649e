"""Compiled learners: the same numbers as the fitted ones, the same in any batch."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.arrays import Blend, Kernel, Linear, Neighbours, Trees
from naturalness.models.learners.compiling import compile_estimator, decide
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.tuning import fit_units
from tests.support.problems import problem, table

CASES = [
    (name, n_classes)
    for name, learner in LEARNERS.items()
    if not learner.reads  # its own test has a table for it
    for n_classes in (0, 2, 3)
    if n_classes or learner.regressor
]


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_arrays_agree_with_the_estimator(name: str, n_classes: int) -> None:
    """Every learner of the table, for ratings, two and three classes, on new and on seen rows."""
    given = problem(n_classes)
    preparation = learn_preparation(given.table)
    rows = preparation.apply(given.table)
    everything = np.arange(len(rows))
    candidates = LEARNERS[name].candidates(classes=n_classes > 0)
    new = preparation.apply(table(40, seed=9))
    tolerance = 1e-6 if name in ("xgboost", "blend") else 1e-9
    for parameters in (candidates[0], candidates[-1]):
        for estimator in fit_units(name, parameters, given, rows, everything, 0):
            unit = compile_estimator(estimator)
            for some in (rows, new):
                np.testing.assert_allclose(unit.decide(some), decide(estimator, some), rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", ["logistic-l2", "rbf-svm", "neighbours", "xgboost", "blend"])
def test_a_row_does_not_depend_on_its_batch(name: str) -> None:
    """To the last bit, for one learner of each kind of arrays."""
    given = problem(2)
    preparation = learn_preparation(given.table)
    rows = preparation.apply(given.table)
    parameters = LEARNERS[name].candidates(classes=True)[0]
    (estimator,) = fit_units(name, parameters, given, rows, np.arange(len(rows)), 0)
    unit = compile_estimator(estimator)
    together = unit.decide(rows)
    alone = np.concatenate([unit.decide(rows[i : i + 1]) for i in range(len(rows))])
    assert together.tobytes() == alone.tobytes()
    assert unit.decide(rows[::-1].copy()).tobytes() == together[::-1].tobytes()


def test_hand_worked_units() -> None:
    """Each kind on numbers that can be checked by hand."""
    one = np.array([1.0])
    row = np.array([[1.0, 2.0]])
    linear = Linear(np.array([3.0, -1.0]), np.array([0.5]))
    assert linear.decide(row).tolist() == [1.5]
    kernel = Kernel(np.array([[1.0, 2.0], [1.0, 3.0]]), np.array([2.0, -1.0]), one, one)
    np.testing.assert_allclose(kernel.decide(row), [3.0 - np.exp(-1.0)])
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
    blend = Blend(np.array([0.5, 2.0]), (linear, near))
    assert blend.decide(row).tolist() == [0.5 * 1.5 + 2.0 * 0.5]
    assert blend.decide(row[:0]).tolist() == []


def test_a_hand_made_tree() -> None:
    """Values up to the threshold go left; the base is added, the sum scaled."""
    tree = Trees(
        feature=np.array([1, 0, 0], dtype=np.int32),
        threshold=np.array([2.0, 0.0, 0.0]),
        left=np.array([1, -1, -1], dtype=np.int32),
        right=np.array([2, -1, -1], dtype=np.int32),
        value=np.array([0.0, 10.0, 20.0]),
        roots=np.array([0], dtype=np.int32),
        base=np.array([1.0]),
        factor=np.array([0.5]),
        single=np.array([0]),
    )
    rows = np.array([[0.0, 2.0], [0.0, 2.1]])
    assert tree.decide(rows).tolist() == [6.0, 11.0]
    assert tree.decide(rows[:0]).tolist() == []
