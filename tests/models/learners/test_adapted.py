"""Learning that starts from another model's weights."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.models.learners.adapted import Adapted
from naturalness.models.learners.arrays import Linear
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.models.learners.start import Start, start_of
from naturalness.models.learners.table import AUTO, FEW, LEARNERS, QUICK, learners_named
from tests.support.problems import table

EVEN = np.ones(200)


def rows_of(n: int = 200, d: int = 5) -> FloatArray:
    """Standardised rows."""
    return np.random.default_rng(3).normal(size=(n, d))


@pytest.mark.parametrize("classes", [False, True])
def test_the_strongest_penalty_leaves_the_start_alone(classes: bool) -> None:
    """Weights keep the proportions of the start; only how far it is followed is learned."""
    rows, start = rows_of(), np.array([1.0, -2.0, 0.0, 0.5, 0.0])
    hidden = rows @ start + rows[:, 2]
    target = (hidden > 0).astype(np.float64) if classes else 3.0 * hidden + 1.0
    made = Adapted(classes=classes, alpha=1e6)
    made.start = start
    made.fit(rows, target, EVEN)
    assert made.coef_[0] > 0
    np.testing.assert_allclose(made.coef_ / made.coef_[0], start, atol=0.01)


@pytest.mark.parametrize("classes", [False, True])
def test_ratings_win_where_they_are_many(classes: bool) -> None:
    """A start that points elsewhere does no harm under a weak penalty."""
    rows, true = rows_of(), np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    hidden = rows @ true
    target = (hidden > 0).astype(np.float64) if classes else hidden
    made = Adapted(classes=classes, alpha=0.1)
    made.start = np.array([0.0, 0.0, 1.0, -1.0, 1.0])
    made.fit(rows, target, EVEN)
    told = made.decision_function(rows)
    assert np.corrcoef(told, hidden)[0, 1] > 0.99


def test_without_a_start_it_is_ridge() -> None:
    """By hand: x = -1, 1 with y = -1, 1 and alpha 2 gives a weight of 2 / (2 + 2)."""
    made = Adapted(classes=False, alpha=2.0)
    made.fit(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), np.ones(2))
    assert made.coef_[0] == pytest.approx(0.5)
    assert made.intercept_[0] == pytest.approx(0.0)


def test_rows_of_more_weight_count_more() -> None:
    """As if they were there as often."""
    rows = rows_of(20)
    target = rows[:, 0] + rows[:, 1] ** 2
    weight = np.where(np.arange(20) < 5, 2.0, 1.0)
    once = Adapted(classes=False, alpha=1.0).fit(rows, target, weight / weight.sum() * 20)
    often = np.concatenate([np.arange(20), np.arange(5)])
    twice = Adapted(classes=False, alpha=25 / 20).fit(rows[often], target[often], np.ones(25))
    np.testing.assert_allclose(once.coef_, twice.coef_, atol=1e-3)


def linear(preparation: Preparation, coef: FloatArray) -> Compiled:
    """A model of one linear unit."""
    unit = Linear(coef, np.zeros(1))
    return Compiled(preparation, (unit,), Calibration(np.ones(1), np.zeros(1)))


def test_a_start_says_the_same_in_another_table() -> None:
    """Columns in another order, with another scale and further ones; marks of gaps too."""
    known = table(200, d=3, seed=5)
    preparation = learn_preparation(known)
    width = len(preparation.kept)
    model = linear(preparation, np.linspace(1.0, 2.0, width))
    rng = np.random.default_rng(0)
    wider = np.column_stack([known[:, 2], rng.normal(size=200), known[:, 0], known[:, 1]])
    start = start_of(model, ["a", "b", "c"], ["c", "new", "a", "b"])
    assert start is not None
    own = learn_preparation(wider[:150])
    here = own.apply(wider) @ start.direction(own)
    # Medians fill gaps in both, and differ a little; rows that both cut differ too.
    whole = ~np.isnan(known).any(axis=1) & (np.abs(own.apply(wider)) < 3).all(axis=1)
    there = model.decide(known)[:, 0]
    gap = (here - there)[whole]
    assert whole.sum() > 150
    np.testing.assert_allclose(gap, gap[0], atol=1e-9)
    assert start.slope[1] == 0.0
    assert start.undefined.any()


def test_no_start_where_nothing_is_shared() -> None:
    """Another table; half of the columns are enough, fewer are not."""
    preparation = learn_preparation(table(30, d=3, gaps=False))
    model, known = linear(preparation, np.ones(3)), ["a", "b", "c"]
    assert start_of(model, known, ["x0", "x1"]) is None
    assert start_of(model, known, ["b"]) is None
    assert start_of(model, known, ["b", "c"]) is not None


def test_columns_that_were_eliminated_are_passed_over() -> None:
    """A direction has one number per kept column."""
    preparation = learn_preparation(table(30, d=3, gaps=False)).keeping(np.array([0, 2]))
    start = Start(np.array([1.0, 2.0, 3.0]), np.zeros(3))
    expected = np.array([1.0, 3.0]) * preparation.scale[[0, 2]]
    np.testing.assert_allclose(start.direction(preparation), expected)


def test_it_stands_in_the_table_of_learners() -> None:
    """The only one of its kind; `auto` takes it for few texts, and tries others too for many."""
    assert LEARNERS["adapted"].adapts
    assert learners_named(AUTO, classes=False, n_rows=FEW - 1) == ["adapted"]
    assert learners_named(AUTO, classes=False, n_rows=FEW) == list(QUICK)
    assert "adapted" not in learners_named(AUTO, classes=False, starts=False, n_rows=FEW - 1)
    assert [n for n, other in LEARNERS.items() if other.adapts] == ["adapted"]
