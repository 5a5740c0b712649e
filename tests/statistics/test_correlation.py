"""Correlations of one sample: by hand, and beside SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, linregress, pearsonr, spearmanr

from naturalness.statistics.correlation import (
    correlate,
    kendall,
    mse_after_line,
    partial_pearson,
    partial_spearman,
    pearson,
    residuals,
    spearman,
)

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=25)


def test_by_hand() -> None:
    """Four texts, one swap: five pairs agree and one does not."""
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])
    correlation = correlate(x, y)
    assert correlation.kendall == pytest.approx((5 - 1) / 6)
    assert correlation.spearman == pytest.approx(0.8)
    assert correlation.pearson == pytest.approx(0.8)
    assert correlation.mse == pytest.approx((1 - 0.64) * 1.25)
    assert (correlation.n, correlation.left_out) == (4, 0)


def test_ties_by_hand() -> None:
    """Tau-b: 2 of 3 pairs are free in x, all in y: 2 / sqrt(2 * 3)."""
    assert kendall(np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])) == pytest.approx(2 / math.sqrt(6))


@given(PAIRS)
def test_as_scipy_says(pairs: list[tuple[int, int]]) -> None:
    """Any numbers with ties."""
    x, y = np.array(pairs, dtype=np.float64).T
    correlation = correlate(x, y)
    if not np.ptp(x) or not np.ptp(y):
        assert all(map(math.isnan, (correlation.pearson, correlation.spearman, correlation.kendall, correlation.mse)))
        return
    assert correlation.pearson == pytest.approx(pearsonr(x, y).statistic, abs=1e-12)
    assert correlation.spearman == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
    assert correlation.kendall == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)
    line = linregress(x, y)
    errors = (y - line.slope * x - line.intercept) ** 2
    assert mse_after_line(x, y) == pytest.approx(errors.mean(), abs=1e-9)


def test_missing_pairs_are_counted() -> None:
    """A NaN on either side takes the pair out; the rest decides."""
    x = np.array([1.0, math.nan, 3.0, 4.0, 5.0])
    y = np.array([1.0, 9.0, math.nan, 3.0, 4.0])
    correlation = correlate(x, y)
    assert (correlation.n, correlation.left_out) == (3, 2)
    assert correlation.pearson == pytest.approx(pearsonr([1, 4, 5], [1, 3, 4]).statistic)


def test_partial_is_the_textbook_formula() -> None:
    """(xy - xz yz) / sqrt((1 - xz^2)(1 - yz^2)), of values and of ranks."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=60)
    x, y = z + rng.normal(size=60), z + rng.normal(size=60)
    for partial, measure in ((partial_pearson, pearsonr), (partial_spearman, spearmanr)):
        xy, xz, yz = (measure(a, b).statistic for a, b in ((x, y), (x, z), (y, z)))
        wanted = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))
        assert partial(x, y, z) == pytest.approx(wanted)


def test_given_length() -> None:
    """A metric that is length has nothing left; the error is that of metric and length together."""
    rng = np.random.default_rng(1)
    length = rng.integers(3, 20, 80).astype(np.float64)
    x, y = rng.normal(size=80), length + rng.normal(size=80)
    assert math.isnan(correlate(2 * length + 1, y, length).pearson)
    assert math.isnan(correlate(2 * length + 1, y, length).spearman)
    correlation = correlate(x, y, length)
    table = np.column_stack([np.ones(80), x, length])
    left = y - table @ np.linalg.lstsq(table, y, rcond=None)[0]
    assert correlation.mse == pytest.approx((left**2).mean())
    assert math.isnan(correlation.kendall)
    assert abs(residuals(y, length) @ (length - length.mean())) < 1e-6


def test_correlations_by_hand() -> None:
    """Ranks 1..4 with one swap: 1 - 6 * 2 / (4 * 15)."""
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([10.0, 30.0, 20.0, 400.0])
    assert spearman(x, y) == pytest.approx(0.8)
    assert pearson(x, x * 3 + 1) == pytest.approx(1.0)
    assert math.isnan(pearson(x, np.ones(4)))
    assert math.isnan(spearman(x[:1], y[:1]))


def test_what_length_explains_is_taken_out() -> None:
    """A score that is length itself has nothing left; one that does not know it keeps all."""
    rng = np.random.default_rng(0)
    length, other = rng.normal(size=500), rng.normal(size=500)
    rating = length + other
    assert math.isnan(partial_spearman(length, rating, length))
    assert abs(partial_spearman(length + 0.01 * rng.normal(size=500), rating, length)) < 0.15
    assert partial_spearman(other, rating, length) > 0.9


def test_nothing_goes_with_noughts() -> None:
    """What is 0 throughout does not vary."""
    x = np.array([1.0, 2.0, 4.0])
    assert math.isnan(pearson(x, np.zeros(3)))
    assert math.isnan(pearson(np.zeros(3), x))
