"""Contributions of single columns to a score, and their causes."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.explaining.causes import parts_of
from naturalness.explaining.contributions import effects
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import learn_preparation
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


def test_the_preparation_keeps_columns_apart() -> None:
    """An indicator of undefined values has the cause of its feature."""
    numbers = table(40)
    columns = [
        "damage__soundness",
        "damage__order_share",
        "surface__n_words",
        "tag_lm__score_1",
        "embedding_x__x0",
        "strange__thing",
    ]
    names = learn_preparation(numbers).names(columns)
    parts = parts_of(names)
    assert list(parts) == ["soundness", "order", "length", "meaning", "group strange"]
    assert sorted(int(i) for part in parts.values() for i in part) == list(range(len(names)))
    for i in parts["order"]:
        assert "damage__order_share" in names[i] or "tag_lm" in names[i]
