"""Metrics on pairs of texts."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from naturalness.errors import NaturalnessError
from naturalness.reports.metrics.compare import compare_on_pairs
from naturalness.reports.metrics.page import make_pair_page
from naturalness.reports.metrics.paired import (
    Pairs,
    by_phenomenon,
    compare_metrics,
    judge_pairs,
    share_of,
    sign_test,
    standings_data,
)
from naturalness.reports.metrics.scoring import Scored
from naturalness.statistics.measures import wilson
from tests.support.pairs import PAIRS

ALONE = np.arange(24)


def our_pairs() -> tuple[list[str], Pairs]:
    """Our pairs."""
    texts = [text for _, good, bad in PAIRS for text in (good, bad)]
    rows = np.arange(48).reshape(24, 2)
    return texts, Pairs(rows, ALONE, tuple(what for what, _, _ in PAIRS))


def test_a_share_has_the_interval_of_its_pairs() -> None:
    """Of independent pairs Wilson's; those without an outcome are left out; of none NaN."""
    outcomes = np.array([1.0] * 15 + [0.0] * 5 + [np.nan] * 4)
    share = share_of(outcomes, ALONE)
    assert (share.value, share.pairs, share.sources) == (0.75, 20, 20)
    assert (share.low, share.high) == pytest.approx(wilson(15, 20))
    assert math.isnan(share_of(np.full(24, np.nan), ALONE).value)


def test_pairs_of_a_source_that_are_alike_count_for_fewer() -> None:
    """Six sources of four pairs that are all right or all wrong are six pairs."""
    outcomes = np.repeat([1.0, 1.0, 1.0, 0.0, 1.0, 0.0], 4)
    together = share_of(outcomes, ALONE // 4)
    apart = share_of(outcomes, ALONE)
    assert (together.low, together.high) == pytest.approx(wilson(4, 6))
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_the_sign_test_is_mcnemars() -> None:
    """Exact: 8 against 2 of 24 pairs; by source, a source is one vote; equal metrics p = 1."""
    gaps = np.array([1.0] * 8 + [-1.0] * 2 + [0.0] * 14)
    test = sign_test(gaps, ALONE)
    assert test.statistic == 6
    assert test.p == pytest.approx(2 * sum(math.comb(10, k) for k in range(3)) / 2**10)
    assert sign_test(gaps, ALONE // 8).p == 1.0
    assert sign_test(np.zeros(24), ALONE).p == 1.0
    assert math.isnan(sign_test(np.zeros(0), ALONE[:0]).p)


def test_metrics_are_compared_on_pairs_that_both_order() -> None:
    """p corrected over all of them by Holm; a metric without scores takes no part."""
    outcomes = {"a": np.ones(24), "b": np.zeros(24), "c": np.full(24, np.nan)}
    first, *rest = compare_metrics(outcomes, ALONE)
    assert (first.n, first.difference, first.winner()) == (24, 1.0, "a")
    assert first.holm == first.test.p == pytest.approx(2 / 2**24)
    assert [duel.n for duel in rest] == [0, 0]
    assert all(math.isnan(duel.holm) for duel in rest)


def test_phenomena_are_told_from_best_to_worst() -> None:
    """Each with its number of pairs."""
    _, pairs = our_pairs()
    outcomes = np.array([float(what != "order") for what in pairs.phenomena])
    shares = by_phenomenon(outcomes, pairs)
    assert list(shares)[-1] == "order"
    assert [shares[what].value for what in shares] == [1.0, 1.0, 1.0, 0.0]
    assert {share.pairs for share in shares.values()} == {6}


@pytest.mark.slow
def test_metrics_on_our_pairs() -> None:
    """Shorter texts are preferred where words were doubled; SLOR sees more than length."""
    texts, pairs = our_pairs()
    result = compare_on_pairs(texts, pairs, ["slor", "length"])
    assert result.ranking() == ["slor", "length"]
    assert result.shares["slor"].value > 0.9
    assert result.phenomena["repetition"]["length"].value == 1.0
    assert result.phenomena["agreement"]["length"].value == 0.5
    assert (result.n_pairs, result.n_texts, result.n_sources) == (24, 48, 24)
    data = json.dumps(standings_data(result))
    assert "baker" not in data
    page = make_pair_page(result, name="pairs.csv")
    assert "slor" in page
    assert "repetition" in page
    assert "baker" not in page
    with pytest.raises(NaturalnessError, match="needs references"):
        compare_on_pairs(texts, pairs, ["svr"])


def test_markup_in_names_is_text() -> None:
    """Of a phenomenon, a metric, a table."""
    evil = "<script>alert(1)</script>"
    pairs = Pairs(np.array([[0, 1]]), np.zeros(1, dtype=np.int64), (evil,))
    scored = [Scored(evil, np.array([1.0, 0.0]), "x", evil, note=evil)]
    page = make_pair_page(judge_pairs(scored, pairs, 2), name=evil)
    assert evil not in page
    assert "&lt;script&gt;" in page
