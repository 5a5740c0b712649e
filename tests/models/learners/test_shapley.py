"""Shapley values of every learner equal the mean over all orders, and add up."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from naturalness.arrays import FloatArray
from naturalness.explaining.contributions import share_out
from naturalness.models.learners.blend import Blend, Norms
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.differences import pairs_of_sources
from naturalness.models.learners.kernel import Kernel
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.units import Parts, Unit
from naturalness.models.learners.verdict import graded
from naturalness.pipelines.fitting import Settings, fit_table
from tests.support.problems import problem, small_tree, table

CASES = [
    (name, n_classes) for name, learner in LEARNERS.items() for n_classes in (0, 2, 3) if n_classes or learner.regressor
]


def by_orders(unit: Unit, row: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
    """Return each part's mean gain over all orders in which parts can join: Shapley's definition."""
    gains = np.zeros(len(parts))
    orders = list(permutations(range(len(parts))))
    for order in orders:
        mixed = background.copy()
        before = unit.decide(mixed).mean()
        for part in order:
            mixed[:, parts[part]] = row[parts[part]]
            after = unit.decide(mixed).mean()
            gains[part] += after - before
            before = after
    return gains / len(orders)


def fitted(name: str, n_classes: int) -> tuple[Compiled, FloatArray]:
    """Return a learner fitted on a small problem, and its background."""
    task = problem(n_classes)
    sources = np.arange(len(task.table)) // 5
    pairs = pairs_of_sources(sources, task.target.astype(float), [row.tobytes() for row in task.table])
    fit = fit_table(
        task.table,
        task.target,
        n_classes=n_classes,
        names=["a", "b", "c"][:n_classes],
        groups=sources,
        weight=np.ones(len(task.table)),
        versions=pairs,
        settings=Settings(learner=name, folds=3, parameters=LEARNERS[name].candidates(classes=n_classes > 0)[0]),
    )
    return fit.compiled, fit.background[:4]


def split(width: int) -> Parts:
    """Return four parts of unequal size."""
    return [part for part in np.array_split(np.arange(width), [1, 3, 4]) if len(part)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_every_learner_adds_up(name: str, n_classes: int) -> None:
    """Shapley values equal the mean gain over all orders; base and contributions add up to the score."""
    compiled, background = fitted(name, n_classes)
    rows = compiled.preparation.apply(table(5, seed=9))
    parts = split(rows.shape[1])
    for unit in compiled.units:
        values = unit.shapley(rows, background, parts)[0]
        assert values == pytest.approx(by_orders(unit, rows[0], background, parts), abs=1e-6)
    shares = share_out(compiled, rows, background, parts)
    score = compiled.calibration.apply(np.column_stack([u.decide(rows) for u in compiled.units]))
    expected = score[:, 0]
    if n_classes > 2:
        naturalness = graded(score)
        expected = np.log(naturalness) - np.log1p(-naturalness)
    assert shares.total == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_hand_worked_values() -> None:
    """Small units have the values worked out on paper."""
    rows, background = np.array([[1.0, 2.0]]), np.zeros((1, 2))
    parts = [np.array([0]), np.array([1])]
    linear, tree = Linear(np.array([3.0, -1.0]), np.array([5.0])), small_tree()
    # 3x up to x = 0.5, and 3x + 2y + 1 above it: y gains 4 after x and nothing before it, x the rest of 3 + 4 + 1.
    switching = Switching(
        np.array([[3.0, 0.0], [3.0, 2.0]]), np.array([0.0, 1.0]), np.zeros(1, dtype=int), np.array([0.5])
    )
    # exp(-x² - y²) around (0, 0): from 1 to e^-5, by x alone e^-1, by y alone e^-4.
    kernel = Kernel(np.zeros((1, 2)), np.ones(1), np.zeros(1), np.ones(1))
    x, y, both = np.exp([-1.0, -4.0, -5.0])
    # Column x gains 1 per unit, and column y costs 2 per unit away from 0.
    norms = Norms(np.zeros(2), np.ones(2), np.array([1.0, 0.0]), np.array([0.0, 2.0]))
    units: list[tuple[Unit, list[float]]] = [
        (linear, [3.0, -2.0]),
        (switching, [6.0, 2.0]),
        (kernel, [((x - 1) + (both - y)) / 2, ((y - 1) + (both - x)) / 2]),
        (tree, [4.0, 4.0]),  # each column has half of the 8
        (norms, [1.0, -4.0]),
        (Blend(np.array([2.0, 0.5]), (linear, tree)), [8.0, -2.0]),  # 2 times the line and half of the tree
    ]
    for unit, wanted in units:
        assert unit.shapley(rows, background, parts)[0] == pytest.approx(wanted)
    assert tree.shapley(rows, background, [np.array([0, 1])])[0].tolist() == [8.0]
    assert tree.shapley(np.array([[0.5, 2.0]]), background, parts)[0].tolist() == [0.0, 0.0]

    mixed, wide = table(6, d=5, gaps=False), split(5)
    switching = Switching(np.arange(10.0).reshape(2, 5), np.array([1.0, -1.0]), np.array([3]), np.zeros(1))
    assert 0 < switching.above(mixed).sum() < 6
    for i in range(6):
        wanted = by_orders(switching, mixed[i], mixed[:4], wide)
        assert switching.shapley(mixed[i : i + 1], mixed[:4], wide)[0] == pytest.approx(wanted)


def test_trees_without_splits() -> None:
    """Trees without splits, and parts without columns, contribute nothing."""
    leaf = np.zeros(1, np.int32)
    stump = replace(small_tree(), left=leaf - 1, roots=leaf)
    rows, parts = np.ones((2, 2)), [np.array([0, 1]), np.array([], dtype=np.int64)]
    assert stump.shapley(rows, np.zeros((1, 2)), parts).tolist() == [[0.0, 0.0]] * 2
    linear = Linear(np.array([1.0, 2.0]), np.zeros(1))
    assert linear.shapley(rows, np.zeros((1, 2)), parts).tolist() == [[3.0, 0.0]] * 2
