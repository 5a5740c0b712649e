"""Pools of made-up numbers, and raters who answer by a rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.studio.annotate.asking import Judgement, Pool, choose

PLAIN = tuple(f"surface__column_{i}" for i in range(8))
SLIPS = ("damage__agreement_share", "damage__order_share", "rules__articles_share")


@dataclass(frozen=True)
class Scale:
    """The part of records.Scale that layers below the page use."""

    kind: str
    low: float
    high: float
    labels: tuple[str, ...] = ()


POINTS = Scale("points", 1.0, 6.0)
TWO = Scale("labels", 0.0, 1.0, ("unnatural", "natural"))
THREE = Scale("labels", 0.0, 2.0, ("unnatural", "not sure", "natural"))
PAIRS = Scale("pairs", -1.0, 1.0)


def make_pool(n: int = 200, *, seed: int = 0, columns: Sequence[str] = PLAIN) -> Pool:
    """Return a pool whose features are normal deviates; one text in twenty has a slip."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(n, len(columns)))
    for i, name in enumerate(columns):
        if name in SLIPS:
            table[:, i] = (rng.random(n) < 0.05) * rng.uniform(0.3, 0.6, n)
    texts = tuple(f"Sentence number {i} says little." for i in range(n))
    return Pool(texts, table, tuple(columns), np.ones(n, dtype=np.bool_))


def planted(pool: Pool, *, noise: float = 0.3, seed: int = 1, low: float = 1, high: float = 6) -> FloatArray:
    """Return ratings that follow the first two columns."""
    truth = pool.table[:, 0] - 0.7 * pool.table[:, 1]
    said = truth + noise * np.random.default_rng(seed).normal(size=len(truth))
    middle, wide = (low + high) / 2, (high - low) / 2
    out: FloatArray = np.clip(middle + wide * said / 2.5, low, high)
    return out


def rate(
    pool: Pool,
    rating: Callable[[int], float],
    questions: int,
    *,
    rater: str = "anna",
    judgements: Sequence[Judgement] = (),
    busy: AbstractSet[int] = frozenset(),
    **how: Any,
) -> list[Judgement]:
    """Return the rater's answers to a number of further questions."""
    out = list(judgements)
    start = sum(one.rater == rater for one in out)
    for turn in range(start, start + questions):
        choice = choose(pool, out, turn=turn, busy=busy, rater=rater, seed=0, **how)
        if choice is None:
            break
        first, *others = choice.texts
        value = rating(first)
        if others:
            value = float(np.sign(rating(first) - rating(others[0])))
        out.append(Judgement(first, value, choice.test, choice.again, rater, other=others[0] if others else None))
    return out
