"""Starts: a linear model expressed in the columns of another table."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.models.learners.start import start_of
from tests.support.problems import table


def linear(preparation: Preparation, coef: FloatArray) -> Compiled:
    """Return a model with one linear unit."""
    unit = Linear(coef, np.zeros(1))
    return Compiled(preparation, (unit,), Calibration(np.ones(1), np.zeros(1)))


def test_start_in_another_table() -> None:
    """In a table with other columns, order, scales and gaps, decisions of the start differ by a constant only."""
    known = table(200, d=3, seed=5)
    preparation = learn_preparation(known)
    width = len(preparation.selected)
    model = linear(preparation, np.linspace(1.0, 2.0, width))
    rng = np.random.default_rng(0)
    wider = np.column_stack([known[:, 2], rng.normal(size=200), known[:, 0], known[:, 1]])
    start = start_of(model, ["a", "b", "c"], ["c", "new", "a", "b"])
    assert start is not None
    local = learn_preparation(wider[:150])
    here = local.apply(wider) @ start.direction(local, wider)
    # Medians fill gaps in both, and differ a little; rows that both cut differ too.
    whole = ~np.isnan(known).any(axis=1) & (np.abs(local.apply(wider)) < 3).all(axis=1)
    there = model.decide(known)[:, 0]
    gap = (here - there)[whole]
    assert whole.sum() > 150
    np.testing.assert_allclose(gap, gap[0], atol=1e-9)
    assert start.slope[0, 1] == 0.0
    assert start.undefined.any()


def test_a_switching_model_starts_as_most_rows_are_judged() -> None:
    """Learning starts from the function that most rows of the table get; without the column of the limit, from the
    first."""
    known = table(80, d=3, gaps=False)
    preparation = learn_preparation(known)
    unit = Switching(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.zeros(2), np.array([1]), np.zeros(1))
    model = Compiled(preparation, (unit,), Calibration(np.ones(1), np.zeros(1)))
    low, high = (known[unit.above(preparation.apply(known)) == above][:, [2, 0, 1]] for above in (False, True))
    start = start_of(model, ["a", "b", "c"], ["c", "a", "b"])
    assert start is not None
    local = learn_preparation(known[:, [2, 0, 1]])
    for rows, first in ((low, True), (high, False), (np.vstack([low, high[:3]]), True)):
        expected = [3.0, 1.0, 2.0] if first else [6.0, 4.0, 5.0]
        assert start.direction(local, rows) == pytest.approx(expected)
    without = start_of(model, ["a", "b", "c"], ["c", "a"])
    assert without is not None
    assert without.direction(learn_preparation(known[:, [2, 0]]), high[:, :2]) == pytest.approx([3.0, 1.0])


def test_shared_columns() -> None:
    """A start needs at least half of the model's columns."""
    preparation = learn_preparation(table(30, d=3, gaps=False))
    model, known = linear(preparation, np.ones(3)), ["a", "b", "c"]
    assert start_of(model, known, ["x0", "x1"]) is None
    assert start_of(model, known, ["b"]) is None
    assert start_of(model, known, ["b", "c"]) is not None


def test_preparation_of_few_texts() -> None:
    """Known columns keep the preparation of the start, unless their means are very different; others get their own."""
    known = table(200, d=3, seed=5)
    learned = learn_preparation(known)
    start = start_of(linear(learned, np.ones(len(learned.selected))), ["a", "b", "c"], ["c", "new", "a", "b"])
    assert start is not None
    far = known[:8, 1] + 50 * learned.scale[1]
    few = np.column_stack([np.full(8, learned.mean[2]), np.arange(8.0), known[:8, 0], far])
    local = learn_preparation(few)
    merged = start.preparation(local)
    assert merged.mean[:4].tolist() == [learned.mean[2], local.mean[1], learned.mean[0], local.mean[3]]
    assert merged.scale[0] == learned.scale[2] != local.scale[0]
    assert set(merged.marked.tolist()) >= {[2, 3, 0][i] for i in learned.marked}
    assert start.direction(merged, few).shape == merged.apply(few)[0].shape
