"""Weighted correlations compared with plain ones of repeated rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.statistics.bootstrap import replicate
from naturalness.statistics.weighted import Column
from tests.support.correlations import figures as figures_of

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 9), st.integers(0, 3)), min_size=3, max_size=20
)


@settings(max_examples=60)
@given(ROWS)
def test_weights_are_repeated_rows(rows: list[tuple[int, int, int, int]]) -> None:
    """A row with weight 3 counts as three rows."""
    x, y, z, w = np.array(rows, dtype=np.float64).T
    if w.sum() < 3:
        w = np.ones(len(w))
    weights = np.column_stack([w, np.ones(len(w))])
    cx, cy, cz = Column.of(x), Column.of(y), Column.of(z)
    plain, partials = replicate([cx], cy, None, weights, 2), replicate([cx], cy, cz, weights)
    for column, many in enumerate((w.astype(int), np.ones(len(w), dtype=int))):
        a, b, c = (np.repeat(v, many) for v in (x, y, z))
        wanted = figures_of(a, b)
        for name in ("pearson", "spearman", "kendall", "mse"):
            value = plain[name][0, column]
            assert value == pytest.approx(wanted[name], nan_ok=True, abs=1e-9)
        # A constant third column has no correlation to take out.
        if np.ptp(c):
            partial = figures_of(a, b, c)
            for name in ("pearson", "spearman"):
                value = partials[name][0, column]
                assert value == pytest.approx(partial[name], nan_ok=True, abs=1e-6)


@pytest.mark.filterwarnings("error")
def test_weights_of_0() -> None:
    """Figures of rows with zero weight are undefined, without a warning of numpy."""
    x, y = Column.of(np.arange(5.0)), Column.of(np.array([2.0, 1, 4, 3, 5]))
    weights = np.column_stack([np.zeros(5), np.ones(5)])
    figures = replicate([x], y, None, weights)
    for name in ("pearson", "spearman", "mse"):
        assert np.isnan(figures[name][0]).tolist() == [True, False]
