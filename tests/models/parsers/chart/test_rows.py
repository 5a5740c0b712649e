"""Rows of a product: each in a place where sums are made as where it would be alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.parsers.chart import rows
from naturalness.models.parsers.chart.opening import open_network
from naturalness.models.parsers.chart.rows import ROWS, Places
from tests.support import chart_networks as networks

BLOCKS = {
    "alike": [0] * ROWS,
    "halves of twelve": ([0] * 6 + [1] * 6) * (ROWS // 12),
    "uneven": ([2, 0, 0, 1]) * (ROWS // 4),
    "all differ": list(range(ROWS)),
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
@given(lengths=st.lists(st.integers(1, 200), min_size=1, max_size=9))
def test_rows_keep_their_kinds(block: list[int], lengths: list[int]) -> None:
    """Whatever the company, and no two are in one place."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "kinds", lambda: np.array(block))
        places = Places.of(lengths)
    assert [len(own) for own in places.parts] == lengths
    assert len(set(places.all.tolist())) == sum(lengths)
    assert places.all.max() < places.total and places.total % ROWS == 0
    for own in places.parts:
        assert [block[i % ROWS] for i in own] == [block[i % ROWS] for i in range(len(own))]


def test_a_sentence_alone_stands_in_order() -> None:
    """From the first place on."""
    assert Places.of([ROWS + 5]).all.tolist() == list(range(ROWS + 5))


def test_other_places_hold_zeros() -> None:
    """So that nothing else comes into a product."""
    places = Places.of([2, 1])
    made = places.fill(np.ones((3, 4), np.float32))
    assert made.shape == (ROWS, 4)
    assert made.sum() == 12 and (made[places.all] == 1).all()


def test_rows_of_a_kind_have_the_same_sums() -> None:
    """Of any matrix, wherever they stand."""
    rng = np.random.default_rng(1)
    row, weight = rng.random(384, np.float32), rng.random((384, 512), np.float32) - 0.5
    made = np.matmul(np.tile(row, (1, ROWS, 1)), weight)[0]
    for kind in set(rows.kinds().tolist()):
        own = made[rows.kinds() == kind]
        np.testing.assert_array_equal(own, np.tile(own[0], (len(own), 1)))


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_scores_do_not_depend_on_the_places(block: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the last places of numbers."""
    network = open_network(networks.write(tmp_path))
    sentences = [["The", "cat", "sat", "."], ["cat"], ["sat", "the", "cat"]]
    plain = list(network.span_scores(sentences))
    monkeypatch.setattr(rows, "kinds", lambda: np.array(block))
    for scores, found in zip(plain, network.span_scores(sentences), strict=True):
        np.testing.assert_allclose(found, scores, rtol=1e-4, atol=1e-5)
