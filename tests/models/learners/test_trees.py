"""Trees worked out by hand."""

from __future__ import annotations

import numpy as np

from naturalness.models.learners.trees import Trees


def test_a_hand_made_tree() -> None:
    """Values up to the threshold go left; the base is added, the sum scaled."""
    tree = Trees(
        feature=np.array([1, 0, 0], dtype=np.int32),
        threshold=np.array([2.0, 0.0, 0.0]),
        left=np.array([1, -1, -1], dtype=np.int32),
        right=np.array([2, -1, -1], dtype=np.int32),
        value=np.array([0.0, 10.0, 20.0]),
        roots=np.array([0], dtype=np.int32),
        base=np.array([1.0]),
        factor=np.array([0.5]),
        single=np.array([0]),
    )
    rows = np.array([[0.0, 2.0], [0.0, 2.1]])
    assert tree.decide(rows).tolist() == [6.0, 11.0]
    assert tree.decide(rows[:0]).tolist() == []
