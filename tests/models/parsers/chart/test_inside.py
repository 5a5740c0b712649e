"""The log-sum over all trees, compared with hand-worked values and with enumeration."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import assume, given, settings

from naturalness.arrays import FloatArray
from naturalness.models.parsers.chart.inside import Chart, corners
from naturalness.models.parsers.chart.inside import fill as fill_spans
from tests.support.chart_enumeration import charts, log_sum, score_of, trees


def fill(scores: FloatArray) -> Chart:
    """Return the tables for scores of shape (words, words, labels)."""
    return fill_spans(len(scores), scores[corners(len(scores))])


def log_partition(scores: FloatArray) -> float:
    """Return the log-sum over all trees."""
    return fill(scores).log_partition


def three_words() -> FloatArray:
    """Return scores for three words, one label and three bracketings; the middle word may have the label."""
    scores = np.full((3, 3, 1), -math.inf)
    scores[0, 2, 0] = 1.0  # all three
    scores[0, 1, 0] = 0.5  # the first two
    scores[1, 2, 0] = -2.0  # the last two
    scores[1, 1, 0] = 0.25  # the middle one
    return scores


def test_three_words_by_hand() -> None:
    """The root's score, plus the log-sums over three bracketings and over the middle word's label."""
    expected = 1.0 + math.log(1 + math.exp(0.5) + math.exp(-2.0)) + math.log(1 + math.exp(0.25))
    assert log_partition(three_words()) == pytest.approx(expected, abs=1e-12)
    assert fill(three_words()).best == 1.0 + 0.5 + 0.25


@given(scores=charts())
@settings(max_examples=120, deadline=None)
def test_all_trees_are_summed_once(scores: FloatArray) -> None:
    """Log-sum and best score equal those of the enumerated trees."""
    listed = trees(scores)
    assume(listed is not None)
    assert listed is not None
    values = [score_of(spans, scores) for spans in listed]
    with np.errstate(all="raise", under="ignore"):
        chart = fill(scores)
    assert chart.log_partition == pytest.approx(log_sum(values), abs=1e-9)
    assert chart.best == max(values, default=-math.inf)


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_nan_and_inf_are_refused(wrong: float) -> None:
    """Scores of NaN or inf raise an error."""
    scores = np.zeros((5, 5, 2))
    scores[1, 3, 1] = wrong
    with pytest.raises(ValueError, match="NaN or inf"):
        log_partition(scores)


def test_many_equal_trees_do_not_overflow() -> None:
    """200 words and 60 labels take seconds and do not overflow."""
    started = time.perf_counter()
    value = log_partition(np.full((200, 200, 60), 3.0))
    assert time.perf_counter() - started < 5
    assert 200 * math.log(1 + 60 * math.exp(3)) < value < math.inf
