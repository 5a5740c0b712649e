"""Which systems differ, and what is said of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.systems.pairs import Pair, groups_of, means_per_input, paired
from naturalness.reports.systems.report import make_report
from naturalness.reports.systems.wording import joined, tell_groups
from naturalness.statistics.bootstrap import Interval, Resampling
from tests.support.system_reports import JUDGE, system_of

HOW = Resampling(400)


def pair(first: str, second: str, p: float) -> Pair:
    return Pair(first, second, Interval(0.1), p, 0, p)


def test_means_per_input_by_hand() -> None:
    """Several texts for one input are one mean; no text is NaN."""
    found = means_per_input(np.array([1.0, 3, math.nan, 4]), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), 2)
    np.testing.assert_array_equal(found, [[2, math.nan], [math.nan, 4]])


def test_paired_differences() -> None:
    """The mean of the differences, with p as a paired t would have it."""
    gaps = np.random.default_rng(0).normal(0.3, 1, size=100)
    found, p = paired(gaps, Resampling(2000))
    t = gaps.mean() / (gaps.std(ddof=1) / 10)
    assert found.value == pytest.approx(gaps.mean())
    assert found.low < gaps.mean() < found.high
    assert p == pytest.approx(2 * (1 - 0.5 * (1 + math.erf(t / math.sqrt(2)))), abs=0.01)


@pytest.mark.parametrize(
    ("differ", "groups", "told"),
    [
        (
            [("a", "c"), ("b", "c")],
            [["a", "b"], ["c"]],
            ["a and b cannot be told apart; both sound more natural than c."],
        ),
        ([], [["a", "b", "c"]], ["All 3 systems cannot be told apart by how natural they sound: a, b and c."]),
        (
            [("a", "b"), ("a", "c"), ("b", "c")],
            [["a"], ["b"], ["c"]],
            ["a sounds more natural than b and c.", "b sounds more natural than c."],
        ),
        (
            [("a", "c")],
            [["a", "b"], ["c"]],
            ["a and b cannot be told apart.", "a sounds more natural than c.", "b cannot be told from c."],
        ),
    ],
)
def test_groups_in_words(differ: list[tuple[str, str]], groups: list[list[str]], told: list[str]) -> None:
    """Systems within a group do not differ; who beats whom is said, and what is unclear."""
    pairs = [pair(*both, 0.001 if both in differ else 0.5) for both in (("a", "b"), ("a", "c"), ("b", "c"))]
    assert groups_of("abc", pairs) == groups
    assert tell_groups("abc", pairs, []) == told


def test_few_texts_are_said() -> None:
    """A system that cannot be compared is named; one system alone needs no words."""
    assert tell_groups(["a"], [], ["b"]) == ["b has too few texts to be compared."]
    assert tell_groups(["a"], [], []) == []
    assert joined("abcdefg") == "a, b, c, d and 3 others"


def test_clear_and_unclear_differences() -> None:
    """Two systems that are equal are not told apart; a worse third is."""
    answers = system_of("a", 0.7) + system_of("b", 0.7, seed=1) + system_of("c", 0.5, seed=2)
    report = make_report(answers, JUDGE, how=HOW)
    assert report.n_inputs == 0
    assert report.verdict[0].endswith("cannot be told apart; both sound more natural than c.")
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
