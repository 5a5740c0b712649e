"""Preparation of feature tables: imputation, marks, standardisation and clipping."""

from __future__ import annotations

import numpy as np

from naturalness.models.learners.prepared import MAX_DEVIATIONS, learn_preparation

NAN = float("nan")


def test_hand_worked_values() -> None:
    """Gaps are filled with the median and marked; columns are scaled to mean 0 and deviation 1."""
    table = np.array([[1.0, 5.0], [3.0, NAN], [5.0, 5.0], [7.0, 5.0]])
    learned = learn_preparation(table)
    assert learned.fill.tolist() == [4.0, 5.0]
    assert learned.marked.tolist() == [1]
    assert learned.mean.tolist() == [4.0, 5.0, 0.25]
    rows = learned.apply(np.array([[4.0, 5.0], [4.0 + np.sqrt(5.0), NAN]]))
    np.testing.assert_allclose(rows[0], [0.0, 0.0, -0.25 / np.sqrt(0.1875)])
    np.testing.assert_allclose(rows[1], [1.0, 0.0, 0.75 / np.sqrt(0.1875)])


def test_clipping() -> None:
    """Extreme values are clipped at four deviations."""
    learned = learn_preparation(np.array([[0.0], [1.0], [2.0]]))
    assert learned.apply(np.array([[1e300], [-1e300]])).ravel().tolist() == [MAX_DEVIATIONS, -MAX_DEVIATIONS]


def test_constant_columns() -> None:
    """A column that is constant or never defined is always 0."""
    table = np.array([[NAN, 0.1], [NAN, 0.1], [NAN, 0.1]])
    learned = learn_preparation(table)
    assert not learned.marked.size
    assert learned.apply(table).tolist() == [[0.0, 0.0]] * 3


def test_equal_gaps_share_one_mark() -> None:
    """Columns that are undefined in the same rows share one mark."""
    table = np.array([[NAN, NAN, 1.0], [1.0, 2.0, NAN], [2.0, 2.0, 3.0]])
    learned = learn_preparation(table)
    assert learned.marked.tolist() == [0, 2]
    assert learned.names(["a", "b", "c"])[3:] == ["undefined(a)", "undefined(c)"]


def test_number_of_features() -> None:
    """`n_read` counts a feature once, whether its value, its mark or both are selected."""
    preparation = learn_preparation(np.array([[1.0, np.nan], [2.0, 3.0]]))
    assert (len(preparation.selected), preparation.n_read) == (3, 2)
    assert preparation.selecting(np.array([2])).n_read == 1
