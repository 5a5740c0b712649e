"""Clouds of word vectors, and the cost of moving one onto another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.metrics.movers import Cloud, cloud_of, greedy_cost, moving_cost, word_cloud

POINTS = st.lists(st.tuples(st.floats(-2, 2), st.floats(-2, 2)), min_size=1, max_size=5)


def of(points: list[tuple[float, float]], amounts: list[float] | None = None) -> Cloud:
    """Return a cloud in the plane."""
    return cloud_of([np.array(p) for p in points], amounts or [1.0] * len(points))


def test_cost_by_hand() -> None:
    """Half of the mass moves by 1 and half by 3; in the second case, a quarter moves by 2."""
    assert moving_cost(of([(0, 0), (4, 0)]), of([(1, 0), (7, 0)])) == pytest.approx(2)
    assert moving_cost(of([(0, 0)]), of([(0, 0), (0, 2)], [3, 1])) == pytest.approx(0.5)


@given(one=POINTS, other=POINTS)
def test_the_cost_is_a_distance(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> None:
    """The cost is symmetric, between the distance of the means and the greedy cost, and 0 from a cloud to itself."""
    a, b = of(one), of(other)
    there = moving_cost(a, b)
    assert there == pytest.approx(moving_cost(b, a), abs=1e-7)
    apart = float(np.linalg.norm(a.weights @ a.points - b.weights @ b.points))
    assert there >= apart - 1e-7
    assert moving_cost(a, a) == pytest.approx(0, abs=1e-6)
    assert greedy_cost(a, b) >= there - 1e-7


def test_clouds_contain_content_words() -> None:
    """A cloud has the content words, weighted by count, or all words if there are none; None without words."""
    cloud = word_cloud(["The", "dog", "saw", "the", "other", "dog", "."])
    assert cloud is not None and cloud.weights.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert np.linalg.norm(cloud.points, axis=1) == pytest.approx([1, 1])
    plain = word_cloud(["It", "was", "he", "!"])
    assert plain is not None and len(plain.points) == 3
    assert word_cloud(["!", "..."]) is None
