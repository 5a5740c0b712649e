"""The next question: which text, or which two, and why.

The same for the same project, rater, turn and seed, so that a question that was lost with the
browser comes again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from naturalness.annotate.asking.pairing import choose_pair
from naturalness.annotate.asking.pool import Choice, Given, Pool, means_of, rated_texts
from naturalness.annotate.asking.shares import (
    ask_again,
    chosen_before,
    is_again_turn,
    is_test_turn,
    set_apart,
    test_order,
)
from naturalness.annotate.asking.space import Belief, believe, space_of
from naturalness.annotate.asking.strategies import DEFAULT, FEWEST_MEASURED, Situation, at_random, way_of
from naturalness.annotate.asking.words import AGAIN, RANDOM, REASONS, TEST


def choose(
    pool: Pool,
    given: Sequence[Given],
    scale_low: float,
    scale_high: float,
    *,
    turn: int,
    busy: AbstractSet[int],
    rater: str,
    seed: int,
    strategy: str = DEFAULT,
    pairs: bool = False,
) -> Choice | None:
    """What to ask this rater next; None where nothing is left.

    ``turn`` is how many questions the rater has had, skipped ones too. ``busy`` are texts not to be
    asked: before other raters now, answered often enough, or skipped by this rater. A question that
    is asked again may be among them.
    """
    way = way_of(strategy, chosen_before(turn))
    rng = np.random.default_rng(_number(seed, rater, turn))
    if is_again_turn(turn) and (before := ask_again(given, rater)) is not None:
        return Choice(before.asked, AGAIN, REASONS[AGAIN], again=True)
    if pairs:
        return choose_pair(pool, given, turn=turn, busy=busy, rater=rater, seed=seed, strategy=strategy, rng=rng)
    own = {text for one in given if one.rater == rater for text in one.asked}
    tests = [t for t in test_order(pool.texts, seed) if t not in busy and t not in own]
    apart = set_apart(pool, given, seed)
    rest = np.array([t for t in range(len(pool)) if t not in apart and t not in busy and t not in own], dtype=np.int64)
    if tests and (is_test_turn(turn) or not len(rest)):
        return Choice((tests[0],), TEST, REASONS[TEST], test=True)
    if not len(rest):
        return None
    space = space_of(pool)
    known = rest[space.usable[rest]]
    if way is at_random or len(known) < min(FEWEST_MEASURED, len(rest)):
        # Chance needs no features.
        return Choice((int(rng.choice(rest)),), RANDOM, REASONS[RANDOM])
    now = Situation(pool, space, _belief(pool, given, busy), given, known, rng)
    found = way(now)
    return Choice((found.text,), found.reason, found.told)


def _belief(pool: Pool, given: Sequence[Given], busy: AbstractSet[int]) -> Belief:
    """What the answers say so far. Of the test share it is known that it will be learned from in
    the end, so nothing like it need be asked; but no answer of it may sway what is asked, or what
    is taught would follow what it is measured on.
    """
    space = space_of(pool)
    rated = np.unique([*rated_texts(given).tolist(), *busy]).astype(np.int64)
    tests = {text for one in given if one.test for text in one.asked}
    taught, values = means_of([one for one in given if one.text not in tests])
    known = space.usable[taught]
    return believe(space, rated[space.usable[rated]], taught[known], values[known])


def _number(seed: int, rater: str, turn: int) -> int:
    """A seed of its own for each question."""
    told = f"{seed}:{turn}:{rater}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "big")
