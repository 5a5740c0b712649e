"""Ratings of texts from pairs: worked by hand, and compared with the strengths that produced the pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.studio.annotate.project.preferences import PRIOR_OUTCOMES, preferred


def test_one_pair() -> None:
    """By hand: wins of 1.5 = g² / (g² + 1) + g / (g + 1), as the loser has 1 / g."""
    texts, (better, worse) = preferred([(3, 7, 1.0)])
    strength = better / (1 - better)
    assert texts.tolist() == [3, 7] and PRIOR_OUTCOMES == 0.5
    assert strength**2 / (strength**2 + 1) + strength / (strength + 1) == pytest.approx(1.5)
    assert better + worse == pytest.approx(1)
    assert preferred([(0, 2, 0.5)])[1] == pytest.approx([0.5, 0.5])


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0])).filter(
            lambda pair: pair[0] != pair[1]
        ),
        min_size=1,
        max_size=15,
    )
)
def test_order_and_sides_do_not_matter(pairs: list[tuple[int, int, float]]) -> None:
    """All values are between 0 and 1."""
    _, chances = preferred(pairs)
    _, turned = preferred([(b, a, 1 - share) for a, b, share in reversed(pairs)])
    np.testing.assert_allclose(chances, turned, rtol=1e-6)
    assert ((chances > 0) & (chances < 1)).all()
