"""Compiled units equal their estimators, in any batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.tuning import fit_units
from tests.support.problems import problem, table

CASES = [
    (name, n_classes) for name, learner in LEARNERS.items() for n_classes in (0, 2, 3) if n_classes or learner.regressor
]


def fitted(name: str, n_classes: int, candidate: int) -> tuple[list[Any], FloatArray, FloatArray]:
    """Return a learner's estimators for a candidate of its grid, prepared training rows, and new rows."""
    task = problem(n_classes)
    preparation = learn_preparation(task.table)
    rows = preparation.apply(task.table)
    parameters = LEARNERS[name].candidates(classes=n_classes > 0)[candidate]
    estimators = fit_units(name, parameters, task, rows, np.arange(len(rows)), 0)
    return estimators, rows, preparation.apply(table(40, seed=9))


@pytest.mark.parametrize("candidate", [0, -1])
@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_arrays_agree_with_the_estimator(name: str, n_classes: int, candidate: int) -> None:
    """Compiled units of every learner give the decisions of its estimators, on training rows and new rows."""
    estimators, *both = fitted(name, n_classes, candidate)
    form = LEARNERS[name].form
    for estimator in estimators:
        unit = form.compile(estimator)
        for rows in both:
            tolerance = 1e-6 if name == "xgboost" else 1e-9
            np.testing.assert_allclose(unit.decide(rows), form.decide(estimator, rows), rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", ["logistic-l2", "rbf-svm", "xgboost"])
def test_batches(name: str) -> None:
    """Each kind of unit gives a row the same decision, to the last bit, in any batch."""
    (estimator,), rows, _ = fitted(name, 2, 0)
    unit = LEARNERS[name].form.compile(estimator)
    together = unit.decide(rows)
    alone = np.concatenate([unit.decide(rows[i : i + 1]) for i in range(len(rows))])
    assert together.tobytes() == alone.tobytes()
    assert unit.decide(rows[::-1].copy()).tobytes() == together[::-1].tobytes()
