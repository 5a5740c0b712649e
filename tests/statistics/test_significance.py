"""Tests of differences, compared with published examples and SciPy, and their general properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.statistics.significance import compare_all, compare_pair, holm, n_tested, williams


def test_williams_of_steiger() -> None:
    """Steiger (1980), case A: r = .4 and .5 share a variable, .1 between, n = 103.

    `r.test` of the R package psych gives t = -0.89, p = .37.
    """
    test = williams(0.4, 0.5, 0.1, 103)
    assert test.statistic == pytest.approx(-0.89, abs=0.005)
    assert test.p == pytest.approx(0.37, abs=0.006)


def test_no_difference() -> None:
    """A rescaled metric is no better than the original; too few rows and undefined scores give no p."""
    rng = np.random.default_rng(0)
    y, x = rng.normal(size=50), rng.normal(size=50)
    same = compare_pair("a", "b", x, 3 * x + 1, y)
    assert same.test.p == 1
    assert same.winner() == ""
    assert math.isnan(williams(math.nan, 0.2, 0.1, 50).p)
    assert math.isnan(williams(0.3, 0.2, 0.1, 3).p)
    assert math.isnan(compare_pair("a", "b", x, np.ones(50), y).corrected)


@given(st.integers(0, 1000))
def test_sides_can_be_changed(seed: int) -> None:
    """Swapping two metrics negates every statistic and keeps every p."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=30)
    a, b = y + rng.normal(size=30), y + 2 * rng.normal(size=30)
    there, back = compare_pair("a", "b", a, b, y), compare_pair("b", "a", b, a, y)
    assert there.test.statistic == pytest.approx(-back.test.statistic)
    assert there.test.p == pytest.approx(back.test.p)


def test_holm_by_hand() -> None:
    """Holm's correction multiplies .005 by 4, .01 by 3 and .03 by 2, and raises .04 to .06; NaN is not counted."""
    p_values = holm([0.01, 0.04, math.nan, 0.03, 0.005])
    assert p_values[:2] == pytest.approx([0.03, 0.06])
    assert math.isnan(p_values[2])
    assert p_values[3:] == pytest.approx([0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_all_pairs() -> None:
    """A good metric beats a random one; missing scores drop their rows."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=200)
    good = y + rng.normal(size=200)
    good[:3] = math.nan
    (pair,) = compare_all({"good": good, "bad": rng.normal(size=200)}, y)
    assert (pair.n, pair.winner()) == (197, "good")


def test_rows_of_a_source_are_not_independent() -> None:
    """Copies of rows change nothing. Few of 300 pairs of equally good metrics differ, if sources are alike."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=40)
    a, b = y + rng.normal(size=40), y + 2 * rng.normal(size=40)
    copied = [np.repeat(values, 10) for values in (a, b, y)]
    (once,) = compare_all({"a": a, "b": b}, y, np.arange(40))
    (again,) = compare_all({"a": copied[0], "b": copied[1]}, copied[2], np.repeat(np.arange(40), 10))
    assert once.test.p == pytest.approx(again.test.p)
    assert compare_all({"a": a, "b": b}, y)[0].test.p == pytest.approx(once.test.p)
    groups, differ = np.repeat(np.arange(20), 20), 0
    for _ in range(300):
        a, b, y = (rng.normal(size=20)[groups] + rng.normal(size=400) / 3 for _ in range(3))
        differ += compare_all({"a": a, "b": b}, y, groups)[0].winner() != ""
    assert differ <= 30
    few = compare_all({"a": a, "b": b}, y, np.arange(400) % 3)
    assert math.isnan(few[0].test.p)


def test_all_pairs_are_corrected() -> None:
    """Holm's correction covers all pairs."""
    rng = np.random.default_rng(4)
    y = rng.normal(size=60)
    scores = {str(i): y + i * rng.normal(size=60) for i in range(1, 5)} | {"flat": np.ones(60)}
    pairs = compare_all(scores, y)
    wanted = holm([pair.test.p for pair in pairs])
    assert [pair.corrected for pair in pairs] == pytest.approx(wanted, nan_ok=True)
    assert (len(pairs), n_tested(pairs)) == (10, 6)
    assert pairs[2].winner() == "1"
    assert compare_all({"alone": y}, y) == []
