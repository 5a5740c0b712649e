"""Pools of made-up numbers, and raters who answer by a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.studio.annotate.asking.choosing import GivenRating, Pool, choose

PLAIN = tuple(f"surface__column_{i}" for i in range(8))
SLIPS = ("damage__agreement_share", "damage__order_share", "rules__articles_share")


def make_pool(n: int = 200, *, columns: Sequence[str] = PLAIN) -> Pool:
    """Return a pool whose features are normal deviates; one text in twenty has a slip."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(n, len(columns)))
    for i, name in enumerate(columns):
        if name in SLIPS:
            table[:, i] = (rng.random(n) < 0.05) * rng.uniform(0.3, 0.6, n)
    return Pool(tuple(f"Sentence number {i} says little." for i in range(n)), table, tuple(columns))


def planted(pool: Pool, *, noise: float = 0.3, low: float = 1, high: float = 6) -> FloatArray:
    """Return ratings that follow the first two columns."""
    truth = pool.table[:, 0] - 0.7 * pool.table[:, 1]
    said = truth + noise * np.random.default_rng(1).normal(size=len(truth))
    out: FloatArray = np.clip((low + high) / 2 + (high - low) / 2 * said / 2.5, low, high)
    return out


def judge(text: int, value: float, rater: str = "anna", *, test: bool = False, again: bool = False) -> GivenRating:
    """Return a rating of a text."""
    return GivenRating(text, value, test, again, rater)


def rate(
    pool: Pool, rating: Callable[[int], float], questions: int, *, busy: AbstractSet[int] = frozenset()
) -> list[GivenRating]:
    """Return a rater's answers to a number of questions."""
    out: list[GivenRating] = []
    for turn in range(questions):
        choice = choose(pool, out, turn=turn, busy=busy, rater="anna", seed=0)
        if choice is None:
            break
        out.append(GivenRating(choice.text, rating(choice.text), choice.test, choice.again, "anna"))
    return out
