"""Error rates: their intervals, and that only what is clearly worse is called so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.raters.categories import Category
from naturalness.reports.raters.rates import find_rates, p_of_difference
from naturalness.statistics.measures import effective, wilson
from tests.support.rater_reports import judged


def category(rows: object, name: str = "some") -> Category:
    """A category of these rows."""
    return Category("length", name, np.array(rows, dtype=bool))


def test_rates_by_hand() -> None:
    """Of ten texts four are wrong, three of them in the first half, in two directions."""
    some = judged([0.9] * 10, [0, 0, 1, 1, 0, 1, 1, 1, 1, 0])
    whole, half = find_rates(some, [category([1] * 5 + [0] * 5)])
    assert (whole.texts, whole.errors, whole.rate) == (10, 4, 0.4)
    assert (half.texts, half.errors, half.rate, half.rest) == (5, 3, 0.6, 0.2)
    assert (half.too_high, half.too_low) == (0.6, 0.0)
    assert (half.low, half.high) == pytest.approx(wilson(3, 5))
    assert half.verdict == ""
    assert math.isnan(half.p)


def test_unlabelled_texts_do_not_count() -> None:
    """A category without a labelled text is not told."""
    some = judged([0.9] * 4, [-1, -1, 1, 1])
    assert [one.name for one in find_rates(some, [category([1, 1, 0, 0])])] == ["all"]


def test_clearly_worse_is_said() -> None:
    """Half of 100 texts wrong against a tenth of 300."""
    truth = [0] * 50 + [1] * 50 + [0] * 30 + [1] * 270
    rows = [True] * 100 + [False] * 300
    whole, bad, good = find_rates(judged([0.9] * 400, truth), [category(rows), category(np.invert(rows), "rest")])
    assert (bad.verdict, good.verdict) == ("worse", "better")
    assert bad.p < 0.001
    assert whole.verdict == ""


def test_sources_count_and_not_texts() -> None:
    """Ten copies of a source are one: the interval is as wide, and nothing is clear any more."""
    wrong = np.array([1, 0, 0, 1, 0] * 2, dtype=float)
    many, groups = np.repeat(wrong, 10), np.repeat(np.arange(10), 10)
    assert effective(many, groups) == pytest.approx(10.0)
    assert effective(many, np.arange(100)) == pytest.approx(100.0)
    inside = np.repeat([True, True, False, False, False] * 2, 10)
    alone = p_of_difference(many == 1, inside, np.arange(100))
    together = p_of_difference(many == 1, inside, groups)
    assert alone < together


def test_chance_is_seldom_called_clear() -> None:
    """Forty random categories of texts whose errors have nothing to do with them, 50 times."""
    rng = np.random.default_rng(5)
    flagged = 0
    for _ in range(50):
        some = judged([0.9] * 300, (rng.random(300) < 0.7).astype(int).tolist())
        made = [category(rng.random(300) < rng.uniform(0.05, 0.5)) for _ in range(40)]
        flagged += any(one.verdict for one in find_rates(some, made))
    assert flagged <= 7


def test_what_all_texts_are_is_no_category() -> None:
    """Without a rest there is nothing to compare it with."""
    some = judged([0.9] * 4, [0, 1, 1, 1])
    assert [one.name for one in find_rates(some, [category([1, 1, 1, 1])])] == ["all"]
