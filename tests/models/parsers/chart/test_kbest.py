"""The k best trees, compared with hand-worked trees and with enumeration; ties; and long sentences."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import assume, given, settings

from naturalness.arrays import FloatArray
from naturalness.models.parsers.chart import kbest
from naturalness.models.parsers.chart.inside import corners
from naturalness.models.parsers.chart.kbest import Parse
from tests.support.chart_enumeration import charts, log_sum, peaked, score_of, trees

from .test_inside import three_words

ALL = 10_000


def search(scores: FloatArray, k: int) -> tuple[float, list[Parse]]:
    """Search with scores of shape (words, words, labels)."""
    return kbest.search(len(scores), scores[corners(len(scores))], k, k)


def k_best(scores: FloatArray, k: int) -> list[Parse]:
    """Return the trees of a search."""
    return search(scores, k)[1]


def test_three_words_by_hand() -> None:
    """There are six trees: three bracketings, with or without a label on the middle word."""
    root, left, right, word = (0, 3, 0), (0, 2, 0), (1, 3, 0), (1, 2, 0)
    assert k_best(three_words(), 50) == [
        Parse(1.75, (root, left, word)),
        Parse(1.5, (root, left)),
        Parse(1.25, (root, word)),
        Parse(1.0, (root,)),
        Parse(-0.75, (root, right, word)),
        Parse(-1.0, (root, right)),
    ]


@pytest.mark.slow
@given(scores=charts())
@settings(max_examples=120, deadline=None)
def test_the_first_k_of_all_trees(scores: FloatArray) -> None:
    """Trees are distinct, and their scores are the k best of the enumerated trees."""
    listed = trees(scores)
    assume(listed is not None)
    assert listed is not None
    values = {spans: score_of(spans, scores) for spans in listed}
    assert len(values) == len(listed)
    expected = sorted(values.values(), reverse=True)
    for k in (1, 50, len(listed), len(listed) + 1):
        with np.errstate(all="raise", under="ignore"):
            log_z, parses = search(scores, k)
        assert [parse.score for parse in parses] == expected[:k]
        assert [values[parse.spans] for parse in parses] == expected[:k]
        assert len({parse.spans for parse in parses}) == len(parses)
        assert log_z >= log_sum([parse.score for parse in parses]) - 1e-9
    if listed:
        assert math.fsum(math.exp(p.score - log_z) for p in parses) == pytest.approx(1, abs=1e-9)
    else:
        assert (log_z, parses) == (-math.inf, [])


def test_ties_are_broken_as_documented() -> None:
    """No label comes first, then the lowest label, the leftmost split, and the change further right."""
    two = [parse.spans[1:] for parse in k_best(np.zeros((2, 2, 1)), ALL)]
    assert two == [(), ((1, 2, 0),), ((0, 1, 0),), ((0, 1, 0), (1, 2, 0))]
    assert [p.spans for p in k_best(np.zeros((1, 1, 3)), 2)] == [((0, 1, 0),), ((0, 1, 1),)]
    # A label within the leftmost split comes before the other split.
    cuts = np.full((3, 3, 1), -math.inf)
    cuts[0, 2] = cuts[0, 1] = cuts[1, 2] = 0.0
    within = [parse.spans[1:] for parse in k_best(cuts, ALL)]
    assert within == [(), ((1, 3, 0),), ((0, 2, 0),)]


def test_200_words_take_bounded_time() -> None:
    """Trees are distinct and best first, with correct scores, within seconds."""
    scores = peaked(200, seed=0)
    started = time.perf_counter()
    log_z, parses = search(scores, 50)
    assert time.perf_counter() - started < 5
    values = [parse.score for parse in parses]
    assert values == sorted(values, reverse=True)
    assert values == pytest.approx([score_of(p.spans, scores) for p in parses], abs=1e-8)
    assert len({parse.spans for parse in parses}) == 50
    assert log_sum(values) < log_z
