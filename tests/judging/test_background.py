"""Intervals, the reference sample stored with a model, and texts unlike the training texts."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.judging.background import Background, herd, read_background, spread_of
from naturalness.judging.reference import Usual, quantiles_of


def test_the_spread_over_repeats() -> None:
    """Spreads of two bins, of one text each, equal values determined by hand."""
    nan = np.nan
    repeats = np.array([[0.2, 0.8, 0.5], [0.4, nan, nan], [nan, 0.6, nan], [nan, 0.7, nan]])
    at, spread = spread_of(repeats)
    assert at == pytest.approx([0.3, 0.7])
    assert spread == pytest.approx([np.sqrt(0.02), 0.1])
    low, high = Background(np.zeros((1, 2)), at, spread).interval(np.array([0.3, 0.5, 0.95, nan]))
    assert low[1] == pytest.approx(0.5 - 1.96 * (np.sqrt(0.02) + 0.1) / 2)
    assert low[0] == pytest.approx(0.3 - 1.96 * np.sqrt(0.02))
    assert high[2] == 1.0
    assert np.isnan(low[3])


def test_no_text_was_judged_twice() -> None:
    """Without repeated judgements intervals are undefined."""
    at, spread = spread_of(np.array([[0.2, np.nan], [np.nan, 0.3]]))
    assert len(at) == len(spread) == 0
    assert np.isnan(Background(np.zeros((1, 3)), at, spread).interval(np.array([0.5]))).all()


BACKGROUND = Background(np.eye(3), np.array([0.1, 0.9]), np.array([0.0, 0.2]), quantiles_of(np.ones((2, 4))))


def test_arrays_survive_a_model_file() -> None:
    """Rows, levels and spreads are unchanged."""
    again = read_background(BACKGROUND.arrays(), 3, 4)
    assert all((again.arrays()[name] == value).all() for name, value in BACKGROUND.arrays().items())


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("background.rows", np.eye(2)),
        ("background.rows", np.zeros((0, 3))),
        ("background.rows", np.full((2, 3), np.nan)),
        ("repeats.spread", -BACKGROUND.spread),
        ("repeats.at", np.array([0.5])),
        ("background.quantiles", quantiles_of(np.ones((2, 3)))),
        ("background.quantiles", -quantiles_of(np.arange(8.0).reshape(2, 4))),
    ],
)
def test_forged_arrays_are_refused(name: str, array: np.ndarray) -> None:
    """Forged arrays are refused before anything is explained."""
    with pytest.raises(ValueError, match="are invalid"):
        read_background({**BACKGROUND.arrays(), name: array}, 3, 4)


def test_shares_of_the_reference() -> None:
    """Shares are right between quantiles, at one or several equal quantiles and outside; NaN if unknown."""
    table = np.column_stack([np.arange(101.0), np.repeat([0.0, 1.0], [81, 20])])
    table = np.column_stack([table, np.full(101, np.nan)])
    usual = Usual.of(["a__rising", "a__mostly_zero", "a__never"], quantiles_of(table))
    assert usual.share("a__rising", 50.0) == pytest.approx(0.5)
    assert usual.share("a__rising", 30.0) == pytest.approx(0.3)
    assert usual.share("a__rising", -1.0) == 0.0
    assert usual.share("a__rising", 200.0) == 1.0
    # The quantiles 0 to .75 are 0: a 0 is in the middle of them.
    assert usual.share("a__mostly_zero", 0.0) == pytest.approx(0.375)
    assert np.isnan(usual.share("b__unknown", 1.0))
    assert np.isnan(usual.share("a__never", 1.0))
    assert np.isnan(usual.share("a__rising", np.nan))
    columns = ["b__unknown", "a__rising", "a__mostly_zero"]
    for row, expected in (((9.0, 0.5, 0.0), (1, 2)), ((9.0, 1.5, 2.0), (1, 2)), ((np.nan, 1.5, np.nan), (0, 1))):
        assert usual.outside(columns, np.array(row)) == expected


def test_the_sample_has_a_typical_mean() -> None:
    """The sample's mean is closer to the table's than that of random samples, and its rows are the table's."""
    rows = np.random.default_rng(3).normal(size=(500, 12)) ** 3
    chosen = herd(rows)
    assert chosen.shape == (16, 12)
    assert all((rows == one).all(axis=1).any() for one in chosen)
    assert len(np.unique(chosen, axis=0)) == 16
    far = np.linalg.norm(chosen.mean(axis=0) - rows.mean(axis=0))
    rng = np.random.default_rng(0)
    others = [np.linalg.norm(rows[rng.choice(500, 16)].mean(axis=0) - rows.mean(axis=0)) for _ in range(200)]
    assert far < min(others)
    assert len(herd(rows[:3])) == 3
