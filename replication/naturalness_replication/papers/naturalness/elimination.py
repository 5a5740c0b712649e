"""Recursive feature elimination with a random forest: how few features do, and which are left.

The curve is the mean over three folds; in each the features are chosen on its training part alone,
so that a point of the curve is an honest figure for choosing so many and learning from them. Which
eleven are left is then told of all rows, and a forest learns from these eleven, from the paper's
eleven and from all in five fresh splits. Rows have equal weights here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.elimination import JUDGE, PARAMETERS, eliminate
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.tuning import Problem
from naturalness.pipelines.evaluation import Protocol, Result
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.statistics.folds import folds
from naturalness.statistics.measures import label_figures, roc_auc
from naturalness_replication.papers.cache import Cache, identity
from naturalness_replication.papers.naturalness.learners import run_learner

FOLDS, SEED, STAY = 3, 0, 11
SHOWN = (1, 2, 3, 5, 7, 11, 14, 22, 34, 53, 82, 128)
"""Numbers of features in the table, beside all; above eleven the nearest measured one."""
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """Figures by number of features, and the order of elimination."""

    sizes: list[int]
    accuracy: list[float]
    weighted_f1: list[float]
    roc_auc: list[float]
    spread: list[float]
    """Standard deviation of the weighted F1 over the folds."""
    ranking: list[str]
    """All columns, the last eliminated first; a column with gaps also has its indicator."""

    def near(self, size: int) -> tuple[float, float]:
        """Return weighted F1 and accuracy for this number of features or the nearest measured one."""
        nearest = min(range(len(self.sizes)), key=lambda i: abs(self.sizes[i] - size))
        return self.weighted_f1[nearest], self.accuracy[nearest]

    @property
    def enough(self) -> int:
        """Return the fewest features whose weighted F1 is within .01 of the best."""
        best = max(self.weighted_f1)
        return min(n for n, f in zip(self.sizes, self.weighted_f1, strict=True) if f >= best - 0.01)


def curve(name: str, data: Rated, cache: Cache) -> Curve:
    """Return the curve of a set."""
    measured: dict[str, Any] = cache(
        f"{name}, elimination", [identity(data), FOLDS, SEED, PARAMETERS], lambda: _measured(data)
    )
    return Curve(**measured)


def _measured(data: Rated) -> dict[str, Any]:
    target = data.labels.astype(np.float64)
    every = folds(target, data.n_classes, data.groups, FOLDS, SEED)
    weight = np.ones(len(data))
    problem = Problem(data.table, target, data.n_classes, weight, every)
    preparation = learn_preparation(data.table, weight)
    f1_by_size: list[tuple[float, float, float]] = []

    def measure(rows: IntArray, shares: FloatArray) -> float:
        """Record the figures of each size, fold by fold; a forest predicts shares of its trees."""
        truth = target[rows]
        labels = (shares[:, 0] >= 0.5).astype(np.int64)
        figures = label_figures(truth.astype(np.int64), labels, data.classes)
        f1_by_size.append((figures["accuracy"], figures["weighted_f1"], roc_auc(shares[:, 0], truth == 1)))
        return f1_by_size[-1][1]

    done = eliminate(problem, preparation, measure, seed=SEED)
    table = np.array(f1_by_size).reshape(len(every), len(done.sizes), 3)
    means = table.mean(axis=0)
    names = preparation.names(list(data.columns))
    return asdict(
        Curve(
            done.sizes,
            *means.T.tolist(),
            table[:, :, 1].std(axis=0, ddof=1).tolist(),
            [names[column] for column in done.ranking],
        )
    )


def retrained(name: str, data: Rated, columns: Sequence[str], how: Protocol, cache: Cache) -> Result:
    """Train a forest on some columns in fresh splits; a gap indicator stands for its column."""
    wanted = {column.removeprefix("undefined(").removesuffix(")") for column in columns}
    some = data.with_columns([i for i, column in enumerate(data.columns) if column in wanted])
    settings = Settings(learner=JUDGE, parameters=dict(PARAMETERS), class_weight=None)
    how = replace(how, repeats=min(how.repeats, REPEATS))
    return run_learner(f"{name}, {len(some.columns)} columns", some, how, cache, settings)
