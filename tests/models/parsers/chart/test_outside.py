"""Posteriors of spans against the list of all trees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings

from naturalness.models.parsers.chart.inside import FloatArray
from naturalness.models.parsers.chart.outside import posteriors

from .enumeration import charts, log_sum, peaked, score_of, trees
from .test_inside import three_words


def test_three_words_by_hand() -> None:
    """The root is certain; the left bracket has its share of the three cuts."""
    found = posteriors(three_words())[:, :, 0]
    cuts = 1 + math.exp(0.5) + math.exp(-2)
    assert found[0, 2] == pytest.approx(1)
    assert found[0, 1] == pytest.approx(math.exp(0.5) / cuts)
    assert found[1, 2] == pytest.approx(math.exp(-2) / cuts)
    assert found[1, 1] == pytest.approx(math.exp(0.25) / (1 + math.exp(0.25)))
    assert found[0, 0] == found[1, 0] == 0


@given(scores=charts(ties=False))
@settings(max_examples=60, deadline=None)
def test_the_share_of_the_trees_that_hold_a_span(scores: FloatArray) -> None:
    """Each tree weighs exp(score)."""
    listed = trees(scores)
    assume(listed is not None)
    assert listed is not None
    values = [score_of(spans, scores) for spans in listed]
    total = log_sum(values)
    expected = np.zeros(scores.shape)
    for spans, value in zip(listed, values, strict=True):
        for start, stop, label in spans:
            expected[start, stop - 1, label] += math.exp(value - total)
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(posteriors(scores), expected, atol=1e-9)


def test_no_tree_has_no_probabilities() -> None:
    """NaN, not 0; below the diagonal there is nothing to be known."""
    found = posteriors(np.full((3, 3, 2), -math.inf))
    assert np.isnan(found[np.triu_indices(3)]).all()
    assert (found[np.tril_indices(3, -1)] == 0).all()


def test_a_long_sentence() -> None:
    """Probabilities; the sentence is one constituent, so its labels add up to 1."""
    found = posteriors(peaked(60, seed=4))
    assert ((found >= 0) & (found <= 1)).all()
    assert found[0, 59].sum() == pytest.approx(1)
