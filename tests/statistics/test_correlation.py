"""Correlations of one sample, by hand and compared with SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.statistics.correlation import partial_pearson, partial_spearman, pearson, spearman
from tests.support.correlations import figures

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=25)


@given(PAIRS)
def test_correlations_equal_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    """Correlations of numbers with ties equal SciPy's."""
    x, y = np.array(pairs, dtype=np.float64).T
    wanted = figures(x, y)
    assert pearson(x, y) == pytest.approx(wanted["pearson"], abs=1e-12, nan_ok=True)
    assert spearman(x, y) == pytest.approx(wanted["spearman"], abs=1e-12, nan_ok=True)


def test_partial_correlations() -> None:
    """Partial correlations follow the textbook formula; that of the covariate itself is undefined."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=60)
    x, y = z + rng.normal(size=60), z + rng.normal(size=60)
    wanted = figures(x, y, z)
    assert partial_pearson(x, y, z) == pytest.approx(wanted["pearson"])
    assert partial_spearman(x, y, z) == pytest.approx(wanted["spearman"])
    assert math.isnan(partial_pearson(2 * z + 1, y, z))
    assert math.isnan(partial_spearman(2 * z + 1, y, z))


def test_constant_columns() -> None:
    """Correlations of constant columns and of single values are undefined."""
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert math.isnan(pearson(x, np.ones(4))) and math.isnan(pearson(np.zeros(4), x))
    assert math.isnan(spearman(x[:1], x[:1]))
    assert math.isnan(partial_pearson(x, x**2, np.ones(4)))
