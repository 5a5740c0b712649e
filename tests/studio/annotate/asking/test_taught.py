"""Intervals of small test shares: the true figure lies inside as often as they say."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.statistics.correlation import spearman
from naturalness.statistics.measures import roc_auc
from naturalness.studio.annotate.asking.taught import auc_figure, share_figure, spearman_figure

RUNS = 400


@pytest.mark.parametrize("n", [10, 20, 60])
@pytest.mark.parametrize("strength", [0.0, 0.5, 0.9])
def test_rank_correlation(n: int, strength: float) -> None:
    """Of whole ratings with many ties, at least in 92 of 100 runs."""
    rng = np.random.default_rng(0)

    def draw(size: int) -> tuple[np.ndarray, np.ndarray]:
        x = rng.normal(size=size)
        y = strength * x + np.sqrt(1 - strength**2) * rng.normal(size=size)
        return x, np.clip(np.rint(3.5 + 1.2 * y), 1, 6)

    truth = spearman(*draw(200_000))
    figures = [spearman_figure(*draw(n)) for _ in range(RUNS)]
    inside = [one.low <= truth <= one.high for one in figures]
    assert np.mean(inside) >= 0.92


@pytest.mark.parametrize("n", [16, 40, 100])
@pytest.mark.parametrize("apart", [0.0, 1.0, 3.0])
def test_area_under_the_curve(n: int, apart: float) -> None:
    """Also where nearly all pairs are told rightly."""
    rng = np.random.default_rng(1)

    def draw(size: int) -> tuple[np.ndarray, np.ndarray]:
        better = np.arange(size) % 3 > 0
        return rng.normal(size=size) + apart * better, better

    truth = roc_auc(*draw(200_000))
    figures = [auc_figure(*draw(n)) for _ in range(RUNS)]
    assert np.mean([one.low <= truth <= one.high for one in figures]) >= 0.92


@pytest.mark.parametrize("share", [0.5, 0.8, 0.97])
def test_shares(share: float) -> None:
    """Of thirty pairs."""
    rng = np.random.default_rng(2)
    figures = [share_figure("pairs_right", float(rng.binomial(30, share)) / 30, 30) for _ in range(RUNS)]
    assert np.mean([one.low <= share <= one.high for one in figures]) >= 0.9


def test_all_right_is_no_certainty() -> None:
    """Ten of ten may be luck."""
    perfect = np.arange(10.0)
    assert spearman_figure(perfect, perfect).low < 0.999
    best = auc_figure(perfect, perfect >= 5)
    assert best.value == best.high == 1.0
    assert 0.5 < best.low < 0.9
    pairs = share_figure("pairs_right", 1.0, 10)
    assert pairs.high == pytest.approx(1.0)
    assert pairs.low == pytest.approx(0.722, abs=0.001)


def test_too_few_have_no_interval() -> None:
    """Nor has a figure that is not defined."""
    few = spearman_figure(np.arange(5.0), np.arange(5.0))
    assert few.value == pytest.approx(1.0)
    assert np.isnan(few.low)
    flat = spearman_figure(np.arange(20.0), np.ones(20))
    assert np.isnan([flat.value, flat.low, flat.high]).all()
    one_sided = auc_figure(np.arange(20.0), np.ones(20, dtype=np.bool_))
    assert np.isnan([one_sided.value, one_sided.low]).all()
