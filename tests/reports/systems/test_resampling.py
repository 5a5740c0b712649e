"""Significance tests of pairs of systems, and sentences about them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from naturalness.reports.systems.resampling import SystemPair, compare_systems, tell_order
from naturalness.statistics.bootstrap import Interval, Resampling
from tests.support.system_reports import report_on, system_of


def test_paired_differences() -> None:
    """On shared inputs, p equals that of a paired t test; inputs of one system alone do not count."""
    rng = np.random.default_rng(0)
    hard, gaps = rng.normal(size=100), rng.normal(0.3, 1, size=100)
    table = np.concatenate([hard + gaps, hard, [50.0]])[:, None]
    member, inputs = np.array([0] * 100 + [1] * 100 + [1]), np.array([*range(100), *range(100), 100])
    _, (pair,), _ = compare_systems("ab", member, table, 0, inputs, Resampling(2000))
    t = gaps.mean() / (gaps.std(ddof=1) / 10)
    assert (pair.first, pair.n_shared) == ("a", 100)
    assert pair.difference.value == pytest.approx(gaps.mean())
    assert pair.difference.low < gaps.mean() < pair.difference.high
    assert pair.p == pytest.approx(2 * (1 - 0.5 * (1 + math.erf(t / math.sqrt(2)))), abs=0.01)


@pytest.mark.parametrize(
    ("differ", "sentences"),
    [
        (["ac", "bc"], ["a sounds more natural than c.", "b sounds more natural than c."]),
        ([], ["a, b and c do not differ clearly in naturalness."]),
        (["ab", "ac", "bc"], ["a sounds more natural than b and c.", "b sounds more natural than c."]),
    ],
)
def test_sentences_on_pairs(differ: list[str], sentences: list[str]) -> None:
    """Sentences state which systems sound more natural than others, and which have too few texts."""
    pairs = [SystemPair(*both, Interval(0.1), 0.5, 0, 0.001 if both in differ else 0.5) for both in ("ab", "ac", "bc")]
    assert tell_order("abc", pairs, []) == sentences
    assert tell_order(["a"], [], ["b"]) == ["b has too few texts to be compared."]
    assert tell_order(["a"], [], []) == []


def test_clear_and_unclear_differences() -> None:
    """Two equal systems do not differ, and a worse third one does; shared inputs reveal small differences, also
    if a few texts have no source."""
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
    report = report_on([replace(text, source="" if text.row < 3 else text.source) for text in shared])
    assert (report.n_inputs, report.pairs[0].n_shared) == (43, 37)
