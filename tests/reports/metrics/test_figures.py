"""Figures over the means of systems, calculated by hand and by SciPy."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import asdict

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from naturalness.reports.metrics.figures import across, system_figures
from naturalness.statistics.bootstrap import Resampling

SYSTEMS = ["a", "a", "b", "b", "c", "c", "d", "d"]
RATINGS = np.array([1.0, 3, 4, 4, 5, 5, 2, 6])
"""Means 2, 4, 5, 4."""


def test_means_by_hand() -> None:
    """A metric with the means 1, 2, 3, 2 ranks systems like the raters; the negated metric reverses the order, in any
    unit."""
    metric = np.array([0.0, 2, 2, 2, 3, 3, 1, 3])
    table = np.column_stack([metric, -metric * 1e-13])
    figures, turned = system_figures(table, RATINGS, SYSTEMS, np.arange(8), Resampling(200))
    assert figures.n == 4
    assert (figures.spearman.value, figures.kendall.value) == pytest.approx((1, 1))
    assert figures.pearson.value == pytest.approx(np.corrcoef([1, 2, 3, 2], [2, 4, 5, 4])[0, 1])
    assert turned.spearman.value == pytest.approx(-1)
    assert math.isnan(figures.spearman.low)
    assert (figures.sources, figures.resamples) == (8, 0)
    table, ratings = np.tile(table, (2, 1)), np.tile(RATINGS, 2)
    figures = system_figures(table, ratings, SYSTEMS * 2, np.arange(16), Resampling(200))[0]
    assert figures.spearman.low <= figures.spearman.high <= 1
    assert figures.resamples == 200


def test_too_few_systems() -> None:
    """There are no figures for fewer than three systems with scores."""
    gaps = np.array([1.0, 2, 3, 4, math.nan, math.nan, math.nan, math.nan])
    table = gaps[:, None]
    figures = system_figures(table, RATINGS, SYSTEMS, np.arange(8), Resampling(50))[0]
    assert (figures.n, figures.left_out) == (2, 4)
    assert math.isnan(figures.spearman.value)


def test_many_columns_as_scipy() -> None:
    """Correlations of each column equal those of SciPy, with ties; a column with a gap has none."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (6, 20)) * 1.0, rng.integers(0, 4, (6, 20)) * 1.0
    x[0, 0] = math.nan
    correlations = across(x, y)
    assert math.isnan(correlations["spearman"][0])
    for i in range(1, 20):
        assert correlations["spearman"][i] == pytest.approx(spearmanr(x[:, i], y[:, i]).statistic)
        assert correlations["kendall"][i] == pytest.approx(kendalltau(x[:, i], y[:, i]).statistic)


def test_memory_for_many_systems() -> None:
    """Memory does not grow with the number of pairs of systems."""
    values = np.random.default_rng(0).random((400, 50))
    tracemalloc.start()
    across(values, values)
    assert tracemalloc.get_traced_memory()[1] < 30 * values.nbytes
    tracemalloc.stop()


def test_texts_of_several_systems() -> None:
    """A text by several systems is not counted for any of them."""
    metric = np.array([0.0, 2, 2, 2, 3, 3, 1, 3])
    alone = system_figures(metric[:, None], RATINGS, SYSTEMS, np.arange(8), Resampling(100))[0]
    more = np.append(metric, [90.0, -90.0])
    ratings = np.append(RATINGS, [1.0, 9.0])
    figures = system_figures(more[:, None], ratings, [*SYSTEMS, None, None], np.arange(10), Resampling(100))[0]
    assert (figures.n, figures.left_out) == (4, 2)
    np.testing.assert_equal(asdict(figures.pearson), asdict(alone.pearson))
