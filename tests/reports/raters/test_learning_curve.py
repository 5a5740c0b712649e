"""The learning curve, its slope, and whether more ratings would help."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from naturalness.pipelines.learning import Rated
from naturalness.reports.raters.learning_curve import (
    LITTLE,
    PERHAPS,
    YES,
    answer,
    find_learning_curve,
    plain_settings,
    slope,
)
from tests.support.rater_reports import rated_rows


def table(n: int, columns: int, *, rates: bool = False) -> Rated:
    """Return texts whose naturalness is the sum of some noisy columns; sources have two texts."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(n, columns))
    values = numbers[:, : columns // 2].sum(axis=1) + rng.normal(size=n)
    return rated_rows(values > 0, numbers, ratings=values, groups=np.arange(n) // 2, scale=(-9.0, 9.0), rates=rates)


def test_slope_of_a_line() -> None:
    """If each doubling adds .03 in every repeat, the interval has no width."""
    sizes = np.array([[100, 200, 400]] * 4)
    scores = np.array([[0.5, 0.53, 0.56]] * 4) + np.array([[0.0], [0.1], [0.2], [0.3]])
    assert slope(sizes, scores) == pytest.approx((0.03, 0.03, 0.03))
    assert all(map(math.isnan, slope(sizes[:1], scores[:1])))


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        ((0.02, 0.01, 0.03), YES),
        ((0.001, -0.003, 0.005), LITTLE),
        ((0.02, -0.01, 0.05), PERHAPS),
        ((math.nan,) * 3, ""),
    ],
)
def test_answers(gain: tuple[float, float, float], expected: str) -> None:
    """The answer depends on the gain and its interval, and is empty if the gain is undefined."""
    assert answer(*gain) == expected


@pytest.mark.slow
@pytest.mark.parametrize("rates", [False, True])
def test_more_texts_help_where_there_is_much_to_learn(rates: bool) -> None:
    """With sixteen columns and 240 texts, the curve rises, and repeated runs give the same curve."""
    data = table(240, 16, rates=rates)
    curve = find_learning_curve(data, plain_settings(data))
    assert not isinstance(curve, str)
    assert curve.figure == ("spearman" if rates else "roc_auc")
    assert curve.steps[-1].mean > curve.steps[0].mean + 0.03
    assert [step.texts for step in curve.steps] == sorted(step.texts for step in curve.steps)
    assert curve.low < curve.gain < curve.high
    assert curve == find_learning_curve(data, plain_settings(data))


def test_equal_scores_count_as_chance() -> None:
    """With constant columns, every step is at chance, and more texts would not help."""
    data = table(80, 2, rates=True)
    curve = find_learning_curve(replace(data, table=np.zeros((80, 2))), plain_settings(data))
    assert not isinstance(curve, str)
    assert [step.mean for step in curve.steps] == [0.0] * len(curve.steps)
    assert (curve.gain, curve.answer) == (0.0, LITTLE)


def test_reasons_for_a_missing_curve() -> None:
    """Too few texts, or a single label, give a reason instead of a curve."""
    data = table(12, 2)
    assert isinstance(find_learning_curve(data, plain_settings(data)), str)
    one = replace(table(60, 2), labels=np.ones(60, dtype=np.int64))
    assert "only 'natural'" in str(find_learning_curve(one, plain_settings(one)))
