"""Pairs of systems, the groups they make, and comparisons by scores alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.systems.pairs import Pair, compare_scores, groups_of, means_per_input, paired, tell_groups
from naturalness.reports.systems.report import make_report
from naturalness.statistics.bootstrap import Interval, Resampling
from tests.support.system_reports import JUDGE, system_of

HOW = Resampling(400)


def pair(first: str, second: str, p: float) -> Pair:
    return Pair(first, second, Interval(0.1), p, 0, p)


def test_means_per_input_by_hand() -> None:
    """Several texts for one input are one mean; no text is NaN."""
    means = means_per_input(np.array([1.0, 3, math.nan, 4]), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), 2)
    np.testing.assert_array_equal(means, [[2, math.nan], [math.nan, 4]])


def test_paired_differences() -> None:
    """The mean of the differences, with p as a paired t would have it."""
    gaps = np.random.default_rng(0).normal(0.3, 1, size=100)
    interval, p = paired(gaps, Resampling(2000))
    t = gaps.mean() / (gaps.std(ddof=1) / 10)
    assert interval.value == pytest.approx(gaps.mean())
    assert interval.low < gaps.mean() < interval.high
    assert p == pytest.approx(2 * (1 - 0.5 * (1 + math.erf(t / math.sqrt(2)))), abs=0.01)


@pytest.mark.parametrize(
    ("differ", "groups", "sentences"),
    [
        (
            [("a", "c"), ("b", "c")],
            [["a", "b"], ["c"]],
            ["a and b do not differ clearly; both sound more natural than c."],
        ),
        ([], [["a", "b", "c"]], ["None of the 3 systems differ clearly in naturalness: a, b and c."]),
        (
            [("a", "b"), ("a", "c"), ("b", "c")],
            [["a"], ["b"], ["c"]],
            ["a sounds more natural than b and c.", "b sounds more natural than c."],
        ),
        (
            [("a", "c")],
            [["a", "b"], ["c"]],
            ["a and b do not differ clearly.", "a sounds more natural than c.", "b does not differ clearly from c."],
        ),
    ],
)
def test_groups_in_words(differ: list[tuple[str, str]], groups: list[list[str]], sentences: list[str]) -> None:
    """Systems within a group do not differ; who beats whom is said, and what is unclear."""
    pairs = [pair(*both, 0.001 if both in differ else 0.5) for both in (("a", "b"), ("a", "c"), ("b", "c"))]
    assert groups_of("abc", pairs) == groups
    assert tell_groups("abc", pairs, []) == sentences


def test_few_texts_are_said() -> None:
    """A system that cannot be compared is named; one system alone needs no words."""
    assert tell_groups(["a"], [], ["b"]) == ["b has too few texts to be compared."]
    assert tell_groups(["a"], [], []) == []


def test_clear_and_unclear_differences() -> None:
    """Two systems that are equal are not told apart; a worse third is."""
    answers = system_of("a", 0.7) + system_of("b", 0.7, seed=1) + system_of("c", 0.5, seed=2)
    report = make_report(answers, JUDGE, how=HOW)
    assert report.n_inputs == 0
    assert report.verdict[0].endswith("do not differ clearly; both sound more natural than c.")
    assert [one.differs for one in report.pairs] == [False, True, True]
    assert all(one.n_shared == 0 for one in report.pairs)


def test_shared_inputs_are_compared_pair_by_pair() -> None:
    """With the noise of the inputs gone, a small difference is seen."""
    answers = [one for name, mean in (("a", 0.52), ("b", 0.5)) for one in system_of(name, mean, keyed=True, spread=0.2)]
    report = make_report(answers, JUDGE, how=HOW)
    assert report.n_inputs == 40
    assert report.pairs[0].n_shared == 40
    assert report.pairs[0].first == "a"
    assert report.pairs[0].differs
    assert report.verdict[0].startswith("a sounds more natural than b, by 0.02")


NAN = math.nan


def drawn(mean: float, n: int, seed: int = 0) -> list[float]:
    """Scores around a mean."""
    values = np.random.default_rng(seed).normal(mean, 0.1, n)
    return [float(value) for value in values.clip(0, 1)]


def test_the_mean_difference_is_that_of_the_means() -> None:
    """By hand: 0.6 and 0.4 on the mean; the better one is first."""
    comparison = compare_scores({"b": [0.3, 0.5], "a": [0.5, 0.7]}, paired=True, how=HOW)
    assert [one.system for one in comparison.systems] == ["a", "b"]
    assert [one.mean.value for one in comparison.systems] == pytest.approx([0.6, 0.4])
    assert comparison.pairs[0].difference.value == pytest.approx(0.2)
    assert math.isnan(comparison.pairs[0].difference.low) and not comparison.pairs[0].differs
    assert comparison.verdict == ("a and b have too few texts to be compared.",)


def test_texts_without_a_score_are_left_out() -> None:
    """With their partners, where texts are paired; a system may have none at all."""
    first = drawn(0.7, 20)
    second = [NAN if i < 5 else value for i, value in enumerate(drawn(0.3, 20, 1))]
    comparison = compare_scores({"x": first, "y": second, "z": [NAN] * 20}, paired=True, how=HOW)
    assert [(one.n_texts, one.n_scored) for one in comparison.systems] == [(20, 20), (20, 15), (20, 0)]
    assert comparison.pairs[0].n_shared == 15
    assert math.isnan(comparison.systems[2].mean.value)
    assert comparison.verdict[-1] == "z has too few texts to be compared."


@pytest.mark.parametrize("paired", [True, False])
def test_systems_without_texts(paired: bool) -> None:
    """Nothing is known of them, and nothing breaks."""
    comparison = compare_scores({"a": [], "b": []}, paired=paired, how=HOW)
    assert math.isnan(comparison.pairs[0].difference.value)
    assert comparison.verdict == ("a and b have too few texts to be compared.",)
