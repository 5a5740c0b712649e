"""Tests of pairs of systems, sentences about them, and comparisons of scores alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.systems.pairs import SystemPair, compare_scores, means_per_input, paired, tell_order
from naturalness.statistics.bootstrap import Interval, Resampling
from tests.support.system_reports import report_on, system_of

HOW = Resampling(400)
NAN = math.nan


def test_paired_differences() -> None:
    """Several texts for one input have one mean; p is that of a paired t test."""
    means = means_per_input(np.array([1.0, 3, NAN, 4]), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), 2)
    np.testing.assert_array_equal(means, [[2, NAN], [NAN, 4]])
    gaps = np.random.default_rng(0).normal(0.3, 1, size=100)
    interval, p = paired(gaps, Resampling(2000))
    t = gaps.mean() / (gaps.std(ddof=1) / 10)
    assert interval.value == pytest.approx(gaps.mean())
    assert interval.low < gaps.mean() < interval.high
    assert p == pytest.approx(2 * (1 - 0.5 * (1 + math.erf(t / math.sqrt(2)))), abs=0.01)


@pytest.mark.parametrize(
    ("differ", "sentences"),
    [
        (["ac", "bc"], ["a sounds more natural than c.", "b sounds more natural than c."]),
        ([], ["None of the 3 systems differ clearly in naturalness: a, b and c."]),
        (["ab", "ac", "bc"], ["a sounds more natural than b and c.", "b sounds more natural than c."]),
    ],
)
def test_sentences_on_pairs(differ: list[str], sentences: list[str]) -> None:
    """Each system is said to sound more natural than those that it differs from; few texts cannot be compared."""
    pairs = [SystemPair(*both, Interval(0.1), 0.5, 0, 0.001 if both in differ else 0.5) for both in ("ab", "ac", "bc")]
    assert tell_order("abc", pairs, []) == sentences
    assert tell_order(["a"], [], ["b"]) == ["b has too few texts to be compared."]
    assert tell_order(["a"], [], []) == []


def test_clear_and_unclear_differences() -> None:
    """Two equal systems do not differ, and a worse third one does; shared inputs reveal small differences."""
    report = report_on(system_of("a", 0.7) + system_of("b", 0.7, seed=1) + system_of("c", 0.5, seed=2))
    assert (report.n_inputs, {pair.n_shared for pair in report.pairs}) == (0, {0})
    assert [pair.differs for pair in report.pairs] == [False, True, True]
    shared = [
        text for name, mean in (("a", 0.52), ("b", 0.5)) for text in system_of(name, mean, keyed=True, spread=0.2)
    ]
    report = report_on(shared)
    assert (report.n_inputs, report.pairs[0].n_shared) == (40, 40)
    assert report.pairs[0].first == "a" and report.pairs[0].differs
    assert report.verdict[0].startswith("a sounds more natural than b, by 0.02")


def test_mean_difference_by_hand() -> None:
    """The means are 0.6 and 0.4, and the better system comes first."""
    comparison = compare_scores({"b": [0.3, 0.5], "a": [0.5, 0.7]}, paired=True, how=HOW)
    assert [system.system for system in comparison.systems] == ["a", "b"]
    assert [system.mean.value for system in comparison.systems] == pytest.approx([0.6, 0.4])
    assert comparison.pairs[0].difference.value == pytest.approx(0.2)
    assert math.isnan(comparison.pairs[0].difference.low) and not comparison.pairs[0].differs
    assert comparison.verdict == ("a and b have too few texts to be compared.",)


def test_texts_without_a_score_are_left_out() -> None:
    """Paired texts are left out together; a system may have no score at all."""
    first, second = (
        np.random.default_rng(seed).normal(mean, 0.1, 20).clip(0, 1) for seed, mean in enumerate((0.7, 0.3))
    )
    second[:5] = NAN
    scores = {"x": first.tolist(), "y": second.tolist(), "z": [NAN] * 20}
    comparison = compare_scores(scores, paired=True, how=HOW)
    assert [(system.n_texts, system.n_scored) for system in comparison.systems] == [(20, 20), (20, 15), (20, 0)]
    assert comparison.pairs[0].n_shared == 15
    assert math.isnan(comparison.systems[2].mean.value)
    assert comparison.verdict[-1] == "z has too few texts to be compared."


@pytest.mark.parametrize("paired", [True, False])
def test_systems_without_texts(paired: bool) -> None:
    """Their difference is undefined."""
    comparison = compare_scores({"a": [], "b": []}, paired=paired, how=HOW)
    assert math.isnan(comparison.pairs[0].difference.value)
