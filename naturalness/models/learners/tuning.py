"""Choose a learner and its parameters by cross-validation, keeping what it said out of fold.

The out-of-fold numbers of the chosen parameters calibrate the one model that is then fitted on all
rows, so nothing is an average of fold models.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.models.learners.differences import differences, within
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.models.learners.start import Start
from naturalness.models.learners.table import LEARNERS, Build, Parameters

Folds = Sequence[tuple[IntArray, IntArray]]
PreparedFold = tuple[IntArray, IntArray, FloatArray, FloatArray, FloatArray | None]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be learned: a table, the targets, a weight per row, and the folds.

    ``target`` holds numbers of classes from 0, or ratings where ``n_classes`` is 0; where there are
    ``pairs``, the numbers of the rows.
    """

    table: FloatArray
    target: FloatArray
    n_classes: int
    weight: FloatArray
    folds: Folds
    fixed: Preparation | None = None
    """How the table is made ready where this is not learned from it."""
    start: Start | None = None
    """The model that learning starts from, for learners that can."""
    pairs: IntArray | None = None
    """Rows of which the first was preferred to the second, (m, 2), where these are learned."""

    def direction(self, preparation: Preparation) -> FloatArray | None:
        """Return the start in prepared columns."""
        return None if self.start is None else self.start.direction(preparation)

    @property
    def classifies(self) -> bool:
        """Whether classifiers are fitted: for classes, and for which text of a pair is which."""
        return self.n_classes > 0 or self.pairs is not None

    @property
    def n_units(self) -> int:
        """How many numbers a model gives per row: one for ratings and two classes."""
        return self.n_classes if self.n_classes > 2 else 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A learner with parameters, how it did in each fold, and its numbers out of fold."""

    learner: str
    parameters: Parameters
    scores: FloatArray
    """One per fold; higher is better. NaN where a fold cannot be scored."""
    decisions: FloatArray
    """*Shape:* (n, n_units); NaN for rows that no fold tests."""

    @property
    def score(self) -> float:
        """Mean over the folds."""
        defined = self.scores[~np.isnan(self.scores)]
        return float(defined.mean()) if len(defined) else float("-inf")


def fit_units(
    learner: str,
    parameters: Parameters,
    problem: Problem,
    rows: FloatArray,
    at: IntArray,
    seed: int,
    direction: FloatArray | None = None,
) -> list[Any]:
    """Return estimators fitted on prepared rows: one, or one for each class against the rest.

    ``direction`` is the problem's start in the columns of ``rows``.
    """
    entry = LEARNERS[learner]
    target, weight = problem.target[at], problem.weight[at]
    inside, _ = within(problem.pairs, at, len(problem.table))
    build: Build | None = entry.classifier
    targets: list[FloatArray | IntArray]
    if inside is not None:
        if not len(inside):
            raise TrainingError("no pair has both its texts in the training part of a split; compare more texts")
        rows, classes = differences(rows, inside)
        targets, weight = [classes], np.ones(len(rows))
    elif not problem.n_classes:
        build, targets = entry.regressor, [_standard(target, weight)]
    elif problem.n_units == 1:
        targets = [target.astype(np.int64)]
    else:
        targets = [(target == c).astype(np.int64) for c in range(problem.n_classes)]
    assert build is not None  # learners_named refuses a learner without it
    from sklearn.exceptions import ConvergenceWarning

    units = []
    for values in targets:
        try:
            estimator = build(seed, parameters)
        except TypeError as error:
            raise TrainingError(
                f"learner {learner!r} does not take the parameters {parameters!r} ({error}); "
                "keep to the names of its grid"
            ) from error
        if entry.adapts:
            estimator.start, estimator.rises = direction, len(targets) == 1
        with warnings.catch_warnings():
            # How many passes a learner makes at most is part of its definition in the table.
            warnings.filterwarnings("ignore", category=ConvergenceWarning)
            estimator.fit(rows, values, **({"sample_weight": weight} if entry.weights else {}))
        units.append(estimator)
    return units


def _standard(target: FloatArray, weight: FloatArray) -> FloatArray:
    """Return ratings with mean 0 and deviation 1, so that one grid fits every scale."""
    mean = float(np.average(target, weights=weight))
    deviation = float(np.sqrt(np.average((target - mean) ** 2, weights=weight)))
    return (target - mean) / (deviation or 1.0)


def prepare_folds(problem: Problem, selected: IntArray | None = None) -> Iterator[PreparedFold]:
    """Yield each fold's training and test rows: their numbers, their tables prepared by training, and
    the start in these columns.
    """
    base = problem.fixed or learn_preparation(problem.table, problem.weight)
    for train, test in problem.folds:
        aligned = base
        if problem.fixed is None:
            learned = learn_preparation(problem.table[train], problem.weight[train])
            # The same columns in every fold: those that the whole table has.
            aligned = _with_marks(learned, base, problem.table[train], problem.weight[train])
        aligned = aligned if selected is None else aligned.selecting(selected)
        rows = aligned.apply(problem.table)
        yield train, test, rows[train], rows[test], problem.direction(aligned)


def _with_marks(learned: Preparation, base: Preparation, table: FloatArray, weight: FloatArray) -> Preparation:
    """Return the fold's numbers with the marks of the whole table, so that columns keep their places."""
    marks = np.isnan(table[:, base.marked]).astype(np.float64)
    share = weight / weight.sum()
    mean = share @ marks
    deviation = np.sqrt(share @ (marks - mean) ** 2)
    n = learned.n_features
    return Preparation(
        learned.fill,
        base.marked,
        np.concatenate([learned.mean[:n], mean]),
        np.concatenate([learned.scale[:n], np.where(deviation > 1e-12, deviation, 1.0)]),
        base.selected,
    )


def tune(
    problem: Problem,
    names: Sequence[str],
    measure: Callable[[FloatArray, FloatArray], float],
    *,
    selected: IntArray | None = None,
    seed: int = 0,
    parameters: Parameters | None = None,
) -> list[Choice]:
    """Return the best parameters of each learner, the best learner first.

    ``measure(target, decisions)`` judges one fold, higher is better; of equals the first in the
    grid wins.
    """
    prepared = list(prepare_folds(problem, selected))

    def best_of(name: str) -> Choice:
        grid = LEARNERS[name].candidates(classes=problem.classifies) if parameters is None else [parameters]
        choices = [_try(problem, prepared, name, candidate, measure, seed) for candidate in grid]
        return max(choices, key=lambda choice: choice.score)

    return sorted((best_of(name) for name in names), key=lambda choice: -choice.score)


def _try(
    problem: Problem,
    prepared: Sequence[PreparedFold],
    name: str,
    parameters: Parameters,
    measure: Callable[[FloatArray, FloatArray], float],
    seed: int,
) -> Choice:
    decisions = np.full((len(problem.table), problem.n_units), np.nan)
    scores = []
    for train, test, train_rows, test_rows, direction in prepared:
        fitting = _cut(name, parameters, len(train))
        units = fit_units(name, fitting, problem, train_rows, train, seed, direction)
        for i, unit in enumerate(units):
            decisions[test, i] = LEARNERS[name].form.decide(unit, test_rows)
        scores.append(measure(problem.target[test], decisions[test]))
    return Choice(name, _cut(name, parameters, len(problem.table)), np.array(scores), decisions)


def _cut(name: str, parameters: Parameters, n_rows: int) -> Parameters:
    """Return parameters with no more neighbours than there are rows."""
    if name != "neighbours":
        return parameters
    return {**parameters, "n_neighbors": min(parameters.get("n_neighbors", 5), n_rows)}
