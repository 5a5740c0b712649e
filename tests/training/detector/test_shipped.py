"""Vectors that heads are trained on."""

from __future__ import annotations

import numpy as np

from naturalness.models.detector import detector
from naturalness.models.pieces import END, START
from training.detector.shipped import pooled, states


def row_of(text: str) -> list[int]:
    """Pieces of words between start and end."""
    network = detector().network
    return [network.pieces.rows[START], *(p for w in text.split() for p in network.cut(w)), network.pieces.rows[END]]


def test_states_are_those_of_the_package_in_the_order_of_the_rows() -> None:
    """Whatever thread works them out."""
    rows = [row_of("the cat sat on an mat ."), row_of("she went out .")]
    last = list(states(rows, "states"))
    for row, vectors in zip(rows, last, strict=True):
        assert len(vectors) == len(row)
        np.testing.assert_array_equal(vectors, detector().network.session.run(("states",), {"ids": [row]})[0][0])


def test_pooled_vectors_by_hand() -> None:
    """The first, the mean, the maximum."""
    row = row_of("she went out .")
    (vectors,) = states([row], "states")
    (joined,) = pooled([row])
    np.testing.assert_allclose(joined, np.concatenate([vectors[0], vectors.mean(0), vectors.max(0)]), rtol=1e-6)
