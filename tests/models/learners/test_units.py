"""Compiled units equal their estimators, in any batch."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.tuning import fit_units
from tests.support.problems import problem, table

CASES = [
    (name, n_classes) for name, learner in LEARNERS.items() for n_classes in (0, 2, 3) if n_classes or learner.regressor
]


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_arrays_agree_with_the_estimator(name: str, n_classes: int) -> None:
    """Compiled units of every learner give the decisions of its estimators, on training rows and new rows."""
    task = problem(n_classes)
    preparation = learn_preparation(task.table)
    rows = preparation.apply(task.table)
    everything = np.arange(len(rows))
    candidates = LEARNERS[name].candidates(classes=n_classes > 0)
    new = preparation.apply(table(40, seed=9))
    tolerance = 1e-6 if name == "xgboost" else 1e-9
    for parameters in (candidates[0], candidates[-1]):
        for estimator in fit_units(name, parameters, task, rows, everything, 0):
            form = LEARNERS[name].form
            unit = form.compile(estimator)
            for some in (rows, new):
                np.testing.assert_allclose(unit.decide(some), form.decide(estimator, some), rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", ["logistic-l2", "rbf-svm", "xgboost"])
def test_batches(name: str) -> None:
    """Each kind of unit gives a row the same decision, to the last bit, in any batch."""
    task = problem(2)
    preparation = learn_preparation(task.table)
    rows = preparation.apply(task.table)
    parameters = LEARNERS[name].candidates(classes=True)[0]
    (estimator,) = fit_units(name, parameters, task, rows, np.arange(len(rows)), 0)
    unit = LEARNERS[name].form.compile(estimator)
    together = unit.decide(rows)
    alone = np.concatenate([unit.decide(rows[i : i + 1]) for i in range(len(rows))])
    assert together.tobytes() == alone.tobytes()
    assert unit.decide(rows[::-1].copy()).tobytes() == together[::-1].tobytes()
