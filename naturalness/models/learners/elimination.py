"""Recursive feature elimination (Guyon et al. 2002) with a random forest, as in Groves et al. (2018).

In each fold, the least important columns are removed step by step, and each remaining set is scored on the fold's
held-out part. The curve is the mean score at each size over folds. The chosen size is the smallest whose mean is within
one standard error of the best (Breiman et al. 1984). The same elimination on all rows then selects that number of
columns. Parameters, calibration and threshold are chosen on the columns that each fold selected without its held-out
part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.tuning import Measure, Problem, fit_units, prepare_folds

JUDGE = "random-forest"
PARAMETERS = {"n_estimators": 60, "min_samples_leaf": 3, "max_features": "sqrt"}
SHRINK = 0.8
"""Share of columns that each step keeps, 0 to 1."""


class Elimination(NamedTuple):
    """The elimination curve and the ranking of columns."""

    sizes: list[int]
    means: list[float]
    errors: list[float]
    """Standard error over folds of each of ``means``."""
    ranking: list[int]
    """Indices of all columns in reverse order of removal: the column that survived longest comes first."""
    chosen: int
    """Number of columns to keep, the first of ``ranking``."""
    of_folds: list[IntArray]
    """Indices of the columns that each fold keeps, in ascending order."""

    @property
    def columns(self) -> IntArray:
        """Indices of the columns kept, in ascending order."""
        return np.array(sorted(self.ranking[: self.chosen]), dtype=np.int64)


def schedule(n: int) -> list[int]:
    """Return the numbers of columns to try, from all of them down to one."""
    sizes = [n]
    while sizes[-1] > 1:
        sizes.append(min(sizes[-1] - 1, round(sizes[-1] * SHRINK)))
    return sizes


def eliminate(problem: Problem, preparation: Preparation, measure: Measure, *, seed: int = 0) -> Elimination:
    """Run the elimination; ``preparation`` must have been learned from all rows."""
    n = len(preparation.selected)
    sizes = schedule(n)
    curves, columns = [], []
    for train, test, train_rows, test_rows, _ in prepare_folds(problem):
        steps = _descend(problem, train_rows, train, sizes, seed)
        columns.append([at for at, _ in steps])
        curves.append([measure(test, _judged(units, test_rows[:, at])) for at, units in steps])
    everything = np.arange(len(problem.table), dtype=np.int64)
    steps = _descend(problem, preparation.apply(problem.table), everything, sizes, seed)
    ranking = _ranking([at for at, _ in steps])
    table = np.array(curves)
    # Drop folds that cannot be scored, for example because the test part has a single class.
    table = table[~np.isnan(table).any(axis=1)]
    if not len(table):
        unknown = [np.nan] * len(sizes)
        return Elimination(sizes, unknown, unknown, ranking, n, [at for at, *_ in columns])
    means = table.mean(axis=0)
    spread = table.std(axis=0, ddof=1) if len(table) > 1 else np.zeros(len(sizes))
    errors = spread / np.sqrt(len(table))
    best = int(np.argmax(means))
    near = [i for i, value in enumerate(means) if value >= means[best] - errors[best]]
    of_folds = [steps[near[-1]] for steps in columns]
    return Elimination(sizes, means.tolist(), errors.tolist(), ranking, sizes[near[-1]], of_folds)


def _descend(
    problem: Problem, rows: FloatArray, at: IntArray, sizes: Sequence[int], seed: int
) -> list[tuple[IntArray, list[Any]]]:
    """Return, for each size, the remaining columns and the estimators fitted on them."""
    left = np.arange(rows.shape[1], dtype=np.int64)
    steps = []
    for size, following in zip(sizes, [*sizes[1:], 0], strict=True):
        assert len(left) == size
        units = fit_units(JUDGE, PARAMETERS, problem, rows[:, left], at, seed)
        steps.append((left, units))
        importance = np.mean([unit.feature_importances_ for unit in units], axis=0)
        # If columns are equally important, the later one is removed first.
        order = np.lexsort((np.arange(size), -importance))
        left = np.sort(left[order[:following]])
    return steps


def _judged(units: Sequence[Any], rows: FloatArray) -> FloatArray:
    return np.column_stack([LEARNERS[JUDGE].form.decide(unit, rows) for unit in units])


def _ranking(steps: Sequence[IntArray]) -> list[int]:
    """Return the columns in reverse order of removal: the column that survived longest comes first."""
    ranking: list[int] = []
    for columns in reversed(steps):
        ranking += [int(c) for c in columns if int(c) not in ranking]
    return ranking
