"""Choose a learner and its parameters by cross-validation, and keep the learner's out-of-fold outputs.

The final model is a single model fitted on all rows, not an average of the folds' models; it is calibrated with the
out-of-fold outputs of the chosen parameters.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.models.learners.differences import centred, differences, within
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.models.learners.start import Start
from naturalness.models.learners.table import LEARNERS, Build, Parameters
from naturalness.statistics.measures import known_mean

Folds = Sequence[tuple[IntArray, IntArray]]
Measure = Callable[[IntArray, FloatArray], float]
"""A function that returns the score of a fold, given its rows and their decisions; higher is better."""
PreparedFold = tuple[IntArray, IntArray, FloatArray, FloatArray, FloatArray | None]


@dataclass(frozen=True, slots=True)
class Problem:
    """A learning problem: a table, the targets, a weight per row, and the folds.

    ``target`` holds class numbers from 0; ratings if ``n_classes`` is 0; or row numbers if ``pairs`` is set.
    """

    table: FloatArray
    target: FloatArray
    n_classes: int
    weight: FloatArray
    folds: Folds
    fixed: Preparation | None = None
    """A fixed preparation; None to learn one from the table."""
    start: Start | None = None
    """A model for the learners that can start from another model; None if there is none."""
    pairs: IntArray | None = None
    """Row numbers of each pair, preferred text first, (m, 2); None if not learning from pairs."""
    groups: IntArray | None = None
    """The source of each row; None if no learner needs it."""
    versions: IntArray | None = None
    """Row numbers of pairs of rated texts of one source, better text first, (m, 2); None if sources have one text."""

    def direction(self, preparation: Preparation) -> FloatArray | None:
        """Return the starting model's weights for the prepared columns; None if there is no such model."""
        return None if self.start is None else self.start.direction(preparation, self.table)

    @property
    def classifies(self) -> bool:
        """Whether to fit classifiers, which predict a class or the preferred text of a pair."""
        return self.n_classes > 0 or self.pairs is not None

    @property
    def n_units(self) -> int:
        """Number of outputs of a model per row: 1 for ratings, pairs and two classes, otherwise one per class."""
        return self.n_classes if self.n_classes > 2 else 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A learner with parameters, its score in each fold, and its out-of-fold outputs."""

    learner: str
    parameters: Parameters
    scores: FloatArray
    """Score of each fold; higher is better. NaN for a fold that cannot be scored."""
    decisions: FloatArray
    """Out-of-fold outputs, (n, n_units); NaN for rows that are in no fold's test part."""

    @property
    def score(self) -> float:
        """Mean score over the folds that can be scored; minus infinity if none can."""
        mean = known_mean(self.scores)
        return float("-inf") if np.isnan(mean) else mean


def fit_units(
    learner: str,
    parameters: Parameters,
    problem: Problem,
    rows: FloatArray,
    at: IntArray,
    seed: int,
    direction: FloatArray | None = None,
) -> list[Any]:
    """Return the estimators fitted on prepared rows: one, or one per class (one-vs-rest) for three or more classes.

    ``direction`` holds the starting model's weights for the columns of ``rows``.
    """
    entry = LEARNERS[learner]
    target, weight = problem.target[at], problem.weight[at]
    inside, _ = within(problem.pairs, at, len(problem.table))
    build: Build | None = entry.classifier
    targets: Sequence[FloatArray | IntArray]
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
    assert build is not None  # learners_named has already rejected learners that have no regressor
    if entry.compares and problem.groups is not None:
        sources = problem.groups[at]
        rows = centred(rows, weight, sources)
        targets = [centred(values.astype(np.float64), weight, sources) for values in targets]
    from sklearn.exceptions import ConvergenceWarning

    units = []
    for values in targets:
        try:
            estimator = build(seed, parameters)
        except TypeError as error:
            raise TrainingError(
                f"learner {learner!r} does not take the parameters {parameters!r} ({error}); use the names of its grid"
            ) from error
        if entry.adapts:
            estimator.start, estimator.rises = direction, len(targets) == 1
        with warnings.catch_warnings():
            # Stopping at the maximum number of iterations is intended: `table.toml` sets that number.
            warnings.filterwarnings("ignore", category=ConvergenceWarning)
            estimator.fit(rows, values, sample_weight=weight)
        units.append(estimator)
    return units


def _standard(target: FloatArray, weight: FloatArray) -> FloatArray:
    """Return ratings scaled to mean 0 and standard deviation 1, so that one parameter grid suits every rating scale."""
    mean = float(np.average(target, weights=weight))
    deviation = float(np.sqrt(np.average((target - mean) ** 2, weights=weight)))
    return (target - mean) / (deviation or 1.0)


def prepare_folds(problem: Problem, selected: Sequence[IntArray] = ()) -> Iterator[PreparedFold]:
    """Yield each fold's training and test indices, prepared rows of both, and the starting model's weights.

    ``selected`` holds the columns of each fold, by default all.
    Unless it is fixed, the preparation is learned from the fold's training rows. The weights refer to its columns.
    """
    base = problem.fixed or learn_preparation(problem.table, problem.weight)
    for i, (train, test) in enumerate(problem.folds):
        # All folds have the marks of the whole table.
        aligned = problem.fixed or learn_preparation(problem.table[train], problem.weight[train], base.marked)
        aligned = aligned.selecting(selected[i]) if selected else aligned
        rows = aligned.apply(problem.table)
        yield train, test, rows[train], rows[test], problem.direction(aligned)


def tune(
    problem: Problem,
    names: Sequence[str],
    measure: Measure,
    compare: Measure | None = None,
    *,
    selected: Sequence[IntArray] = (),
    seed: int = 0,
    parameters: Parameters | None = None,
) -> list[Choice]:
    """Return each learner's best parameters; the best learner comes first.

    Parameters are chosen by ``measure``, and learners by ``compare``, which is ``measure`` if it is None. Learners of
    differences within sources choose their parameters by ``compare``, too. If scores are equal, the parameters that
    come first in the grid win.
    """
    prepared = list(prepare_folds(problem, selected))

    def best_of(name: str) -> Choice:
        grid = LEARNERS[name].candidates(classes=problem.classifies) if parameters is None else [parameters]
        chosen_by = compare if compare is not None and LEARNERS[name].compares else measure
        choices = [_try(problem, prepared, name, candidate, chosen_by, seed) for candidate in grid]
        best = max(choices, key=lambda choice: choice.score)
        if compare is None:
            return best
        return replace(best, scores=np.array([compare(test, best.decisions[test]) for _, test in problem.folds]))

    return sorted((best_of(name) for name in names), key=lambda choice: -choice.score)


def _try(
    problem: Problem, prepared: Sequence[PreparedFold], name: str, parameters: Parameters, measure: Measure, seed: int
) -> Choice:
    decisions = np.full((len(problem.table), problem.n_units), np.nan)
    scores = []
    for train, test, train_rows, test_rows, direction in prepared:
        units = fit_units(name, parameters, problem, train_rows, train, seed, direction)
        for i, unit in enumerate(units):
            decisions[test, i] = LEARNERS[name].form.decide(unit, test_rows)
        scores.append(measure(test, decisions[test]))
    return Choice(name, parameters, np.array(scores), decisions)
