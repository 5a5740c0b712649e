"""The learning curve, its slope, and what is answered."""

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
    joining,
    plain_settings,
    slope,
)


def table(n: int, columns: int, *, seed: int = 0, rates: bool = False) -> Rated:
    """Texts whose naturalness is the sum of some noisy columns."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n, columns))
    values = numbers[:, : columns // 2].sum(axis=1) + rng.normal(size=n)
    return Rated(
        texts=tuple(f"Text {i}" for i in range(n)),
        table=numbers,
        columns=tuple(f"x{i}" for i in range(columns)),
        labels=(values > 0).astype(np.int64),
        ratings=values,
        groups=np.arange(n) // 2,
        classes=("unnatural", "natural"),
        scale=(-9.0, 9.0),
        rates=rates,
    )


def test_larger_shares_hold_the_smaller_ones() -> None:
    """Texts join source by source, in a random order."""
    data = table(40, 2)
    order = joining(data, np.arange(30), np.random.default_rng(0))
    assert sorted(order.tolist()) == list(range(30))
    assert order.tolist() != list(range(30))
    sources = data.groups[order]
    assert (sources[::2] == sources[1::2]).all()


def test_slope_of_a_line() -> None:
    """Each doubling adds .03 in every repeat, so the interval is a point."""
    sizes = np.array([[100, 200, 400]] * 4)
    scores = np.array([[0.5, 0.53, 0.56]] * 4) + np.array([[0.0], [0.1], [0.2], [0.3]])
    assert slope(sizes, scores) == pytest.approx((0.03, 0.03, 0.03))
    assert all(map(math.isnan, slope(sizes[:1], scores[:1])))


def test_answers() -> None:
    """Clearly up, clearly flat, and neither."""
    assert answer(0.02, 0.01, 0.03) == YES
    assert answer(0.001, -0.003, 0.005) == LITTLE
    assert answer(0.02, -0.01, 0.05) == PERHAPS
    assert answer(math.nan, math.nan, math.nan) == ""


@pytest.mark.slow
@pytest.mark.parametrize("rates", [False, True])
def test_more_texts_help_where_there_is_much_to_learn(rates: bool) -> None:
    """Sixteen columns and 240 texts: the curve rises, and is the same every time."""
    data = table(240, 16, rates=rates)
    curve = find_learning_curve(data, plain_settings(data))
    assert not isinstance(curve, str)
    assert curve.figure == ("spearman" if rates else "roc_auc")
    assert curve.steps[-1].mean > curve.steps[0].mean + 0.03
    assert [step.texts for step in curve.steps] == sorted(step.texts for step in curve.steps)
    assert curve.low < curve.gain < curve.high
    assert curve == find_learning_curve(data, plain_settings(data))


def test_equal_scores_count_as_chance() -> None:
    """From columns without variance nothing can be learned: every step is at chance, and more texts would not help."""
    data = table(80, 2, rates=True)
    curve = find_learning_curve(replace(data, table=np.zeros((80, 2))), plain_settings(data))
    assert not isinstance(curve, str)
    assert [step.mean for step in curve.steps] == [0.0] * len(curve.steps)
    assert (curve.gain, curve.answer) == (0.0, LITTLE)


def test_too_few_texts_say_so() -> None:
    """A reason instead of a curve."""
    data = table(12, 2)
    assert isinstance(find_learning_curve(data, plain_settings(data)), str)
    one = replace(table(60, 2), labels=np.ones(60, dtype=np.int64))
    assert "only 'natural'" in str(find_learning_curve(one, plain_settings(one)))
