"""Intervals compared with SciPy's on the same resamples; clustered sources; undefined cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import bootstrap, kendalltau, pearsonr, spearmanr

from naturalness.statistics import bootstrap as ours
from naturalness.statistics.bootstrap import (
    Resampling,
    bca,
    draw,
    intervals,
    kendall_resamples,
    leave_out,
    percentile_ends,
)
from tests.support.correlations import figures as figures_of
from tests.support.correlations import mse

Array = NDArray[np.float64]
N = 35
SEED = "rng" if "rng" in signature(bootstrap).parameters else "random_state"
"""The name of the parameter in SciPy 1.15 and in SciPy 1.14."""


def sample(seed: int = 0) -> tuple[Array, Array]:
    """Return a metric and ratings from 1 to 5 with ties."""
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 6, N).astype(np.float64)
    return y + 2 * rng.normal(size=N), y


MEASURES: dict[str, Callable[[Array, Array], float]] = {
    "pearson": lambda x, y: pearsonr(x, y).statistic,
    "spearman": lambda x, y: spearmanr(x, y).statistic,
    "kendall": lambda x, y: kendalltau(x, y).statistic,
    "mse": mse,
}


def of_scipy(columns: tuple[Array, ...], measure: Callable[..., float], resamples: int) -> tuple[float, float]:
    """Return SciPy's BCa interval of a measure."""
    how = {SEED: np.random.default_rng(3)}
    found = bootstrap(columns, measure, paired=True, vectorized=False, n_resamples=resamples, method="BCa", **how)
    return tuple(found.confidence_interval)


@pytest.mark.parametrize("name", MEASURES)
def test_intervals_equal_those_of_scipy(name: str) -> None:
    """With the same seed, intervals equal those of SciPy."""
    x, y = sample()
    theirs = of_scipy((x, y), MEASURES[name], 500)
    interval = getattr(intervals(x[:, None], y, np.arange(N), Resampling(500, 3))[0], name)
    assert interval.value == pytest.approx(MEASURES[name](x, y))
    assert (interval.low, interval.high) == pytest.approx(theirs)


def test_partial_intervals_equal_those_of_scipy() -> None:
    """The covariate is partialled out in every resample."""
    x, y = sample()
    z = np.random.default_rng(9).normal(size=N) + y / 2
    theirs = of_scipy((x, y, z), lambda a, b, c: figures_of(a, b, c)["spearman"], 300)
    figures = intervals(x[:, None], y, np.arange(N), Resampling(300, 3), covariate=z)[0]
    assert figures.spearman.value == pytest.approx(figures_of(x, y, z)["spearman"])
    assert (figures.spearman.low, figures.spearman.high) == pytest.approx(theirs)
    assert math.isnan(figures.kendall.value)


def test_resamples_of_sources() -> None:
    """Rows of a source share a weight, and each resample draws as many sources as there are."""
    groups = np.array([4, 4, 7, 9, 9, 9])
    weights = np.hstack(list(draw(groups, 50, 0)))
    assert (weights[0] == weights[1]).all()
    assert (weights[3] == weights[5]).all()
    assert (weights[[0, 2, 3]].sum(axis=0) == 3).all()
    left = np.hstack(list(leave_out(groups, 0)))
    assert left.tolist() == [[0, 1, 1]] * 2 + [[1, 0, 1]] + [[1, 1, 0]] * 3


def test_metrics_of_one_table() -> None:
    """Each metric of a table is evaluated on its own rows; a constant and an empty metric are undefined."""
    x, y = sample()
    gaps = np.where(np.arange(N) < 5, math.nan, x)
    table = np.column_stack([gaps, np.ones(N), np.full(N, math.nan), y])
    partial, flat, empty, perfect = intervals(table, y, np.arange(N), Resampling(200))
    alone = intervals(x[5:, None], y[5:], np.arange(N - 5), Resampling(200))[0]
    assert (partial.n, partial.left_out, partial.spearman) == (N - 5, 5, alone.spearman)
    assert math.isnan(flat.pearson.value) and math.isnan(flat.kendall.high)
    assert (empty.n, empty.left_out, empty.kendall_resamples) == (0, N, 0)
    assert (perfect.pearson.low, perfect.pearson.high) == pytest.approx((1, 1))


def test_bca_by_hand() -> None:
    """Without bias and skew, the interval is the percentile interval; too many undefined replicates give none."""
    drawn = np.arange(1, 1000) / 1000
    interval = bca(0.5, drawn, np.array([0.4, 0.5, 0.6]))
    assert (interval.low, interval.high) == pytest.approx((0.02595, 0.97405), abs=1e-4)
    many = np.full(10, math.nan)
    many[0] = 0.5
    assert math.isnan(bca(0.5, many, drawn).low)
    assert bca(0.5, np.append(drawn, drawn * math.nan), drawn).low > 0
    assert bca(0, np.arange(1.0, 11.0), np.ones(3)).high == pytest.approx(1.826, abs=0.01)


def test_long_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long tables get fewer resamples of Kendall's tau, and the jackknife omits bunches of sources."""
    assert kendall_resamples(1500, 2000) == 2000
    assert [kendall_resamples(3000, 2000), kendall_resamples(6000, 2000), kendall_resamples(6000, 100)] == [
        500,
        300,
        100,
    ]
    monkeypatch.setattr(ours, "MANY_ROWS", 20)
    monkeypatch.setattr(ours, "MIN_KENDALL_RESAMPLES", 50)
    monkeypatch.setattr(ours, "MAX_BUNCHES", 10)
    x, y = sample()
    figures = intervals(x[:, None], y, np.arange(N), Resampling(300))[0]
    assert (figures.resamples, figures.kendall_resamples) == (300, 98)
    assert figures.kendall.low < figures.kendall.value < figures.kendall.high
    weights = np.hstack(list(leave_out(np.arange(N), 0)))
    assert weights.shape == (N, 10)
    assert (weights == 0).sum() == N


def test_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals do not depend on the number of weights per block."""
    x, y = sample()
    groups = np.arange(N) // 2
    whole = intervals(x[:, None], y, groups, Resampling(150, 7))[0]
    monkeypatch.setattr(ours, "MAX_CELLS", 20 * N)
    assert [block.shape[1] for block in draw(groups, 150, 7)] == [20] * 7 + [10]
    figures = intervals(x[:, None], y, groups, Resampling(150, 7))[0]
    for name in MEASURES:
        before, after = getattr(whole, name), getattr(figures, name)
        assert (before.low, before.high) == pytest.approx((after.low, after.high))


@pytest.mark.filterwarnings("error")
def test_few_sources_have_no_interval() -> None:
    """Nine sources give values without intervals, ten sources give both."""
    x, y = sample()
    for many in (1, 9):
        figures = intervals(x[:, None], y, np.arange(N) % many, Resampling(100))[0]
        assert (figures.sources, figures.resamples, figures.kendall_resamples) == (many, 0, 0)
        for name, measure in MEASURES.items():
            interval = getattr(figures, name)
            assert interval.value == pytest.approx(measure(x, y))
            assert math.isnan(interval.low)
            assert math.isnan(interval.high)
    ten = intervals(x[:, None], y, np.arange(N) % 10, Resampling(100))[0]
    assert ten.spearman.low < ten.spearman.value < ten.spearman.high


def test_percentile_ends_by_hand() -> None:
    """A twentieth of the defined replicates lies outside the interval, half on each side."""
    assert percentile_ends([*range(41), math.nan]) == pytest.approx((1, 39))
    assert all(map(math.isnan, percentile_ends([math.nan])))
