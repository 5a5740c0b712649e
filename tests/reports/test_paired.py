"""Shares of pairs of texts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.paired import Pairs, by_phenomenon, share_of
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


def test_phenomena_are_told_from_best_to_worst() -> None:
    """Each with its number of pairs."""
    _, pairs = our_pairs()
    outcomes = np.array([float(what != "order") for what in pairs.phenomena])
    shares = by_phenomenon(outcomes, pairs)
    assert list(shares)[-1] == "order"
    assert [shares[what].value for what in shares] == [1.0, 1.0, 1.0, 0.0]
    assert {share.pairs for share in shares.values()} == {6}
