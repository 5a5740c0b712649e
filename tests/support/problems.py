"""Small learning problems for tests of learners."""

from __future__ import annotations

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.trees import Trees
from naturalness.models.learners.tuning import Problem


def table(n: int = 90, d: int = 6, seed: int = 0, gaps: bool = True) -> FloatArray:
    """Return columns on several scales, with undefined values."""
    rng = np.random.default_rng(seed)
    out = rng.normal(size=(n, d)) * np.array([1.0, 10.0, 0.1, 1.0, 5.0, 100.0])[:d]
    if gaps:
        out[rng.random(out.shape) < 0.05] = np.nan
    return out


def problem(n_classes: int, n: int = 90, seed: int = 0, gaps: bool = True) -> Problem:
    """Return targets that follow the first two columns."""
    numbers = table(n, seed=seed, gaps=gaps)
    filled = np.nan_to_num(numbers)
    rng = np.random.default_rng(seed + 1)
    hidden = filled[:, 0] + filled[:, 1] / 10 + rng.normal(size=n) * 0.5
    target = hidden
    if n_classes:
        cuts = np.quantile(hidden, np.arange(1, n_classes) / n_classes)
        target = np.searchsorted(cuts, hidden).astype(np.float64)
    rows = np.arange(n)
    folds = [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3)]
    return Problem(numbers, target, n_classes, np.ones(n), folds)


def small_tree() -> Trees:
    """Return a tree of two columns: 8 if both are above 0.5, else 0."""
    return Trees(
        feature=np.array([0, 0, 1, 0, 0], np.int32),
        threshold=np.array([0.5, 0.0, 0.5, 0.0, 0.0]),
        left=np.array([1, -1, 3, -1, -1], np.int32),
        right=np.array([2, -1, 4, -1, -1], np.int32),
        value=np.array([0.0, 0.0, 0.0, 0.0, 8.0]),
        roots=np.array([0], np.int32),
        base=np.zeros(1),
        factor=np.ones(1),
        single=np.zeros(1, int),
    )
