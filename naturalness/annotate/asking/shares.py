"""Which question is of which sort: every fifth tests, every tenth is asked again.

The test share is settled before the first question: a fifth of the pool, drawn by checksums of the
texts. No strategy ever chooses among it, so what is measured on it holds for the whole pool,
whoever rates and however far they get; and the same text twice is on the same side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache

from naturalness.annotate.asking.pool import Given, Pool

EVERY_TEST, EVERY_AGAIN = 5, 10
TEST_AT, AGAIN_AT = 4, 7
"""Places of a test question among five, and of a repeated one among ten, from 0."""
APART = 5
"""Of a rater's last answers none is asked again: it would be remembered."""


def is_test_turn(turn: int) -> bool:
    """Whether a rater's question, counted from 0, is one to measure on."""
    return turn % EVERY_TEST == TEST_AT


def is_again_turn(turn: int) -> bool:
    """Whether it is one that was asked before."""
    return turn % EVERY_AGAIN == AGAIN_AT


def chosen_before(turn: int) -> int:
    """How many of the questions before this one were chosen by a strategy."""
    return sum(not is_test_turn(past) and not is_again_turn(past) for past in range(turn))


@lru_cache(maxsize=8)
def test_order(texts: tuple[str, ...], seed: int) -> tuple[int, ...]:
    """The texts set apart to measure on, in the order in which they are asked."""
    marks = [_mark(text, seed) for text in texts]
    order = sorted(range(len(texts)), key=lambda place: (marks[place], place))
    size = round(len(texts) / EVERY_TEST)
    while 0 < size < len(texts) and marks[order[size]] == marks[order[size - 1]]:
        size += 1  # the same text twice stays together
    return tuple(order[:size])


def _mark(text: str, seed: int) -> bytes:
    told = f"{seed}:{' '.join(text.split()).casefold()}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(told, digest_size=8).digest()


def set_apart(pool: Pool, given: Sequence[Given], seed: int) -> frozenset[int]:
    """The texts that no strategy may choose: those to measure on, and those measured on already."""
    asked = {text for one in given if one.test for text in one.asked}
    return frozenset(test_order(pool.texts, seed)) | asked


def ask_again(given: Sequence[Given], rater: str) -> Given | None:
    """The first answer of this rater that may be asked again; None where there is none."""
    own = [one for one in given if one.rater == rater]
    repeated = {frozenset(one.asked) for one in own if one.again}
    first = [one for one in own if not one.again]
    recent: Collection[frozenset[int]] = {frozenset(one.asked) for one in own[-APART:]}
    return next(
        (one for one in first if frozenset(one.asked) not in repeated and frozenset(one.asked) not in recent), None
    )
