"""The recipe: preparation of columns, and weights of sentences and passages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.models.learners.linear import Switching
from naturalness.models.learners.prepared import learn_preparation
from naturalness.statistics.logistic import sigmoid
from training.default_model.recipe import IMPRESSION_WEIGHT, Pool, fit, together


def test_directions_of_an_impression_weigh_as_they_vary() -> None:
    """A direction's weight is proportional to its variation; the most variable one has that of an ordinary column."""
    preparation = learn_preparation(np.array([[3.0, 4.0, 2.0], [-3.0, -4.0, -2.0], [np.nan, 0.0, 0.0]]))
    shared = together(preparation, np.array([False, True, True]))
    assert shared.scale[0] == preparation.scale[0]
    assert shared.scale[1] == shared.scale[2] == pytest.approx(preparation.scale[1] / IMPRESSION_WEIGHT)
    assert len(shared.scale) == len(preparation.scale) == 4  # a mark of the gap is the fourth


def test_passages_have_weights_of_their_own() -> None:
    """What counts in sentences alone, or in passages alone, gets its weight there; the other is shrunk towards it."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 2))
    long = np.arange(400) % 2 == 1
    better = np.where(long, values[:, 1], values[:, 0])
    n = len(values)
    pool = Pool(
        table=np.column_stack([values, 1.0 + long]),
        target=sigmoid(better),
        weight=np.full(n, 1 / n),
        centre=np.zeros(n, dtype=int),
        family=np.full(n, "one"),
        sign=np.array([0.0, -1.0, 0.0]),
        least=np.array([0.0, 0.1, 0.0]),
        impression=np.zeros(3, dtype=bool),
        sentences=2,
    )
    unit = fit(pool).unit
    assert isinstance(unit, Switching)
    assert unit.above(fit(pool).preparation.apply(pool.table)).tolist() == long.tolist()
    (first, second) = unit.coef
    assert first[0] > 0.7 > 0.3 > second[0] > 0
    assert first[1] == second[1] == -0.1  # a column that counts errors keeps its sign and its least weight in both
    free = fit(replace(pool, sign=np.zeros(3))).unit
    assert free.coef[1, 1] > 0.7
