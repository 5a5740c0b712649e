"""Two texts to choose from."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.annotate.asking import Judgement, choose
from naturalness.annotate.asking.choosing import test_order as order_of_test
from tests.support.pools import make_pool, planted, rate


@pytest.mark.parametrize("strategy", ["random", "uncertain", "mix"])
def test_shares_hold_for_pairs(strategy: str) -> None:
    """Every fifth of the test share, both texts of it; every tenth again, the very same."""
    pool = make_pool(100)
    ratings = planted(pool)
    judgements = rate(pool, lambda i: float(ratings[i]), 60, strategy=strategy, pairs=True)
    apart = set(order_of_test(pool.texts, 0))
    assert [i for i, one in enumerate(judgements) if one.test] == list(range(4, 60, 5))
    assert [i for i, one in enumerate(judgements) if one.again] == list(range(7, 60, 10))
    for one in judgements:
        if not one.again:
            assert {text in apart for text in one.asked} == {one.test}
            assert len(set(one.asked)) == 2
    new = [frozenset(one.asked) for one in judgements if not one.again]
    assert len(set(new)) == len(new)


def test_pairs_end_when_all_are_compared() -> None:
    """Of a handful of texts all pairs within their share are asked, then nothing."""
    pool = make_pool(10)
    judgements = rate(pool, float, 200, pairs=True)
    pairs = {frozenset(one.asked) for one in judgements}
    assert len(pairs) == 8 * 7 // 2 + 1
    assert choose(pool, judgements, -1, 1, turn=201, busy=frozenset(), rater="anna", seed=0, pairs=True) is None


def test_pairs_of_near_scores_are_asked() -> None:
    """Once it is known which column counts, the uncertain pairs are near in it."""
    pool = make_pool(300)
    rng = np.random.default_rng(0)
    judgements = []
    for first, second in rng.permutation(300)[:200].reshape(-1, 2).tolist():
        better = float(np.sign(pool.table[first, 0] - pool.table[second, 0]))
        judgements.append(Judgement(first, better, False, False, "anna", other=second))
    apart = []
    for turn in (0, 1, 2, 3, 5, 6):
        choice = choose(
            pool, judgements, -1, 1, turn=turn, busy=frozenset(), rater="bert", seed=0, strategy="uncertain", pairs=True
        )
        assert choice is not None
        assert choice.reason == "close"
        apart.append(abs(pool.table[choice.texts[0], 0] - pool.table[choice.texts[1], 0]))
    assert np.mean(apart) < 0.7  # 1.13 for any two


def test_busy_texts_are_in_no_pair() -> None:
    """Nor is a pair made of what is left when that is one text."""
    pool = make_pool(40)
    choice = choose(pool, [], -1, 1, turn=0, busy=frozenset(range(30)), rater="anna", seed=0, pairs=True)
    assert choice is not None
    assert min(choice.texts) >= 30
    assert choose(pool, [], -1, 1, turn=0, busy=frozenset(range(39)), rater="anna", seed=0, pairs=True) is None


def test_texts_take_turns() -> None:
    """After as many pairs as half the texts hardly one was asked about thrice."""
    pool = make_pool(200)
    judgements = rate(pool, lambda i: float(pool.table[i, 0]), 80, pairs=True)
    often = np.bincount([t for one in judgements if not one.again for t in one.asked], minlength=200)
    assert often.max() <= 3
