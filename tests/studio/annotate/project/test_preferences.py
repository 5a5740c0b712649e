"""A rating per text from pairs, worked by hand and against what made the pairs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.statistics.correlation import spearman
from naturalness.studio.annotate.project.preferences import PRIOR_OUTCOMES, preferred


def test_one_pair() -> None:
    """By hand: wins of 1.5 = g² / (g² + 1) + g / (g + 1), as the loser has 1 / g."""
    better, worse = preferred(2, [(0, 1, 1.0)])
    strength = better / (1 - better)
    assert PRIOR_OUTCOMES == 0.5
    assert strength**2 / (strength**2 + 1) + strength / (strength + 1) == pytest.approx(1.5)
    assert better + worse == pytest.approx(1)
    assert better > 0.5


def test_ties_and_texts_in_no_pair() -> None:
    """Neither better is the middle; what was never asked is unknown."""
    chances = preferred(3, [(0, 2, 0.5)])
    assert chances[[0, 2]] == pytest.approx([0.5, 0.5])
    assert math.isnan(chances[1])
    assert np.isnan(preferred(2, [])).all()


def test_a_text_that_always_wins_is_below_one() -> None:
    """The prior keeps it finite, and more wins bring it nearer."""
    few, many = (preferred(2, [(0, 1, 1.0)] * n)[0] for n in (3, 300))
    assert few < many < 1


def test_strengths_are_found_again() -> None:
    """Of texts whose pairs were drawn from known strengths."""
    rng = np.random.default_rng(3)
    strength = np.exp(rng.normal(size=30))
    pairs = []
    for a, b in itertools.combinations(range(30), 2):
        for _ in range(20):
            pairs.append((a, b, float(rng.random() < strength[a] / (strength[a] + strength[b]))))
    chances = preferred(30, pairs)
    assert spearman(chances, strength) > 0.97
    assert np.abs(chances - strength / (1 + strength)).max() < 0.12


pairs_of = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0])).filter(
        lambda pair: pair[0] != pair[1]
    ),
    max_size=15,
)


@settings(deadline=None)  # the first one waits for SciPy
@given(pairs_of)
def test_order_and_sides_do_not_matter(pairs: list[tuple[int, int, float]]) -> None:
    """Nor does it matter in which order pairs were answered; all is within (0, 1)."""
    chances = preferred(6, pairs)
    turned = preferred(6, [(b, a, 1 - share) for a, b, share in reversed(pairs)])
    np.testing.assert_allclose(chances, turned, rtol=1e-6)
    known = chances[~np.isnan(chances)]
    assert ((known > 0) & (known < 1)).all()
