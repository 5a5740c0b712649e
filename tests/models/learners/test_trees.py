"""Trees by hand."""

from __future__ import annotations

import numpy as np

from naturalness.models.learners.trees import Trees


def test_bounds() -> None:
    """Bounds include the value of every row between two rows, and are exact for equal rows."""
    rng = np.random.default_rng(3)
    inner, n = 7, 15  # two trees of three levels
    trees = Trees(
        feature=rng.integers(0, 3, 2 * n).astype(np.int32),
        threshold=rng.normal(size=2 * n),
        left=np.array([2 * i + 1 + n * k if i < inner else -1 for k in range(2) for i in range(n)], dtype=np.int32),
        right=np.array([2 * i + 2 + n * k if i < inner else -1 for k in range(2) for i in range(n)], dtype=np.int32),
        value=rng.normal(size=2 * n),
        roots=np.array([0, n], dtype=np.int32),
        base=np.array([0.25]),
        factor=np.array([1.0]),
        single=np.array([1]),
    )
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
