"""Contributions of single columns to a score, and their causes."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.explaining.contributions import effects
from naturalness.models.learners.linear import Linear
from naturalness.pipelines.fitting import Settings, fit_table
from tests.support.problems import problem, table


def test_effects_of_single_columns() -> None:
    """The contribution of a linear model's column is its weight times its value, in log-odds."""
    rated = problem(2)
    fit = fit_table(
        rated.table,
        rated.target,
        n_classes=2,
        names=["a", "b"],
        groups=np.arange(len(rated.table)),
        weight=np.ones(len(rated.table)),
        settings=Settings(learner="logistic-l2", folds=3, parameters={"C": 0.001}),
    )
    compiled, background = fit.compiled, fit.background[:4]
    rows = compiled.preparation.apply(table(3, seed=5))
    unit = compiled.units[0]
    assert isinstance(unit, Linear)
    contributions = effects(compiled, rows[1], background, range(rows.shape[1]))
    wanted = unit.coef * (rows[1] - background.mean(axis=0)) * compiled.calibration.slope[0]
    assert contributions == pytest.approx(wanted, abs=1e-9)
