"""The recipe: preparation of columns, and weights of sentences and passages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.models.learners.linear import Switching
from naturalness.models.learners.prepared import learn_preparation
from naturalness.statistics.logistic import sigmoid
from training.default_model.recipe import DAMAGE, IMITATED, IMPRESSION_WEIGHT, Pool, fit, targets, together


def test_directions_of_an_impression_weigh_as_they_vary() -> None:
    """A direction's weight is proportional to its variation; the most variable one has that of an ordinary column."""
    preparation = learn_preparation(np.array([[3.0, 4.0, 2.0], [-3.0, -4.0, -2.0], [np.nan, 0.0, 0.0]]))
    shared = together(preparation, np.array([False, True, True]))
    assert shared.scale[0] == preparation.scale[0]
    assert shared.scale[1] == shared.scale[2] == pytest.approx(preparation.scale[1] / IMPRESSION_WEIGHT)
    assert len(shared.scale) == len(preparation.scale) == 4  # a mark of the gap is the fourth


@pytest.fixture
def pool() -> Pool:
    """Return sentences and passages; another column counts in each, and a third of both is damaged."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 2))
    long = np.arange(400) % 2 == 1
    better = np.where(long, values[:, 1], values[:, 0])
    n = len(values)
    return Pool(
        table=np.column_stack([values, 1.0 + long]),
        target=sigmoid(better),
        weight=np.full(n, 1 / n),
        centre=np.zeros(n, dtype=int),
        family=np.where(np.arange(n) % 3 == 0, DAMAGE, "one"),
        sign=np.array([0.0, -1.0, 0.0]),
        least=np.array([0.0, 0.1, 0.0]),
        impression=np.zeros(3, dtype=bool),
        sentences=2,
    )


def test_passages_have_weights_of_their_own(pool: Pool) -> None:
    """What counts in sentences alone, or in passages alone, gets its weight there; the other is shrunk towards it."""
    unit = fit(pool).unit
    assert isinstance(unit, Switching)
    assert unit.above(fit(pool).preparation.apply(pool.table)).tolist() == (pool.table[:, 2] > 1).tolist()
    (first, second) = unit.coef
    assert first[0] > 0.7 > 0.3 > second[0] > 0
    assert first[1] == second[1] == -0.1  # a column that counts errors keeps its sign and its least weight in both
    free = fit(replace(pool, sign=np.zeros(3))).unit
    assert free.coef[1, 1] > 0.7


def test_a_teacher_gives_targets_of_rated_texts(pool: Pool) -> None:
    """Its margins, which vary as much, are mixed with ratings; damaged sentences keep their labels."""
    damaged, odds = pool.family == DAMAGE, targets(pool)
    taught = replace(pool, table=pool.table[:, ::-1], sentences=0, teacher=pool)
    learned = (targets(taught) - (1 - IMITATED) * odds) / IMITATED
    assert learned[damaged] == pytest.approx(odds[damaged])
    assert np.corrcoef(learned[~damaged], fit(pool).margins(pool.table)[~damaged])[0, 1] == pytest.approx(1)
    assert learned[~damaged].std() == pytest.approx(odds[~damaged].std(), rel=0.01)
    assert targets(taught.without({DAMAGE})).shape == (266,)
