"""Bounds of trees, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor

from naturalness.models.learners.trees import compile_forest


def test_bounds() -> None:
    """Bounds include the value of every row between two rows, and are exact for equal rows."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(200, 3))
    forest = ExtraTreesRegressor(2, max_depth=3, max_features=1, random_state=0).fit(rows, rng.normal(size=200))
    trees = replace(compile_forest(forest), single=np.array([1]))
    low = rng.normal(size=(300, 3))
    for end in trees.between(low, low):
        assert end.tolist() == trees.decide(low).tolist()
    assert [end.tolist() for end in trees.between(low[:0], low[:0])] == [[], []]
    high = low + np.array([0.0, 0.0, 2.0])
    values = np.array([trees.decide(low + step * (high - low)) for step in np.linspace(0, 1, 400)])
    least, most = trees.between(low, high)
    assert (least <= values.min(axis=0)).all() and (values.max(axis=0) <= most).all()
    # Mostly, both trees have their smallest and their largest leaves at once.
    assert (least == values.min(axis=0)).mean() > 0.7 and (most == values.max(axis=0)).mean() > 0.7
    wide = trees.between(low - 9, low + 9)
    assert wide[0].max() <= least.min() and wide[1].min() >= most.max()
