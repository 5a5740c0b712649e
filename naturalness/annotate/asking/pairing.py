"""The next two texts to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

import numpy as np

from naturalness.annotate.asking.comparing import weights_of
from naturalness.annotate.asking.pool import Choice, Given, Pool
from naturalness.annotate.asking.shares import chosen_before, is_test_turn, set_apart, test_order
from naturalness.annotate.asking.slips import rare_causes, shown_by
from naturalness.annotate.asking.space import Space, covariance_of, gain_of, space_of
from naturalness.annotate.asking.strategies import FEWEST_MEASURED, STRATEGIES
from naturalness.annotate.asking.words import (
    BOTH,
    CAUSE,
    CLOSE,
    RANDOM,
    REASONS,
    TEST,
    UNCERTAIN,
    UNLIKE,
    told_of_cause,
)
from naturalness.arrays import FloatArray, IntArray

DRAWN = 400
"""Pairs that are looked at for a question."""
CLOSEST = 0.25
"""Share of them, of nearest scores, among which the least alike are taken."""
FEW_TEXTS = 60
"""Texts under which all pairs are looked at."""


def choose_pair(
    pool: Pool,
    given: Sequence[Given],
    *,
    turn: int,
    busy: AbstractSet[int],
    rater: str,
    seed: int,
    strategy: str,
    rng: np.random.Generator,
) -> Choice | None:
    """Two texts that this rater has not compared yet; None where there are none.

    Texts that were compared least come first. Both or neither are of the test share.
    """
    done = {frozenset(one.asked) for one in given if one.rater == rater}
    apart = set_apart(pool, given, seed)
    often = np.bincount([t for one in given for t in one.asked], minlength=len(pool))
    tests = [text for text in test_order(pool.texts, seed) if text not in busy]
    rest = [text for text in range(len(pool)) if text not in apart and text not in busy]
    if is_test_turn(turn) and (drawn := _draw(tests, often, done, rng, 1)):
        return _asked(drawn[0], TEST, REASONS[TEST], rng, test=True)
    space = space_of(pool)
    known = [text for text in rest if space.usable[text]]
    ways = STRATEGIES[strategy]
    way = ways[chosen_before(turn) % len(ways)]
    if len(known) >= FEWEST_MEASURED and way != RANDOM:
        drawn = _draw(known, often, done, rng, DRAWN)
        if drawn:
            pair, reason, told = _best(pool, space, given, drawn, way)
            return _asked(pair, reason, told, rng)
    if drawn := _draw(rest, often, done, rng, 1):
        return _asked(drawn[0], RANDOM, REASONS[RANDOM], rng)
    if drawn := _draw(tests, often, done, rng, 1):
        return _asked(drawn[0], TEST, REASONS[TEST], rng, test=True)
    return None


def _asked(pair: tuple[int, int], reason: str, told: str, rng: np.random.Generator, *, test: bool = False) -> Choice:
    """Which comes first is chance: raters favour a side."""
    first, second = pair if rng.random() < 0.5 else (pair[1], pair[0])
    return Choice((first, second), reason, told, test=test)


def _draw(
    texts: Sequence[int], often: IntArray, done: AbstractSet[frozenset[int]], rng: np.random.Generator, size: int
) -> list[tuple[int, int]]:
    """Pairs that were not compared yet, drawn among the texts that were compared least."""
    if len(texts) < FEW_TEXTS:
        every = [pair for pair in combinations(texts, 2) if frozenset(pair) not in done]
        order = rng.permutation(len(every))
        every = [every[place] for place in order]
        return sorted(every, key=lambda pair: int(often[list(pair)].sum()))[:size]
    places = np.array(texts, dtype=np.int64)
    places = places[np.argsort(often[places] + rng.random(len(places)), kind="stable")]
    places = places[: max(FEW_TEXTS, len(places) // 2)]
    found: dict[frozenset[int], tuple[int, int]] = {}
    for _ in range(4):  # more rounds than one only where most pairs are done
        first, second = rng.choice(places, (2, size))
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            if a != b and (pair := frozenset((a, b))) not in done:
                found.setdefault(pair, (a, b))
        if len(found) >= size / 2:
            break
    return list(found.values())[:size]


def _best(
    pool: Pool, space: Space, given: Sequence[Given], drawn: list[tuple[int, int]], way: str
) -> tuple[tuple[int, int], str, str]:
    """The pair, of those drawn, whose comparison tells most, in the way asked for."""
    pairs = np.array(drawn, dtype=np.int64)
    compared = [
        (one.text, one.other)
        for one in given
        if one.other is not None and space.usable[one.text] and space.usable[one.other]
    ]
    seen = _apart(space, np.array(compared, dtype=np.int64).reshape(-1, 2))
    gain = gain_of(space, covariance_of(space, seen), _apart(space, pairs))
    reason, told = UNLIKE, REASONS[UNLIKE]
    if way in (UNCERTAIN, BOTH) and (scores := _scores(space, given)) is not None:
        distance = np.abs(scores[pairs[:, 0]] - scores[pairs[:, 1]])
        gain = np.where(distance <= np.quantile(distance, CLOSEST), gain, -np.inf)
        reason, told = CLOSE, REASONS[CLOSE]
    if way == CAUSE:
        may = np.zeros(len(pool), dtype=np.bool_)
        may[pairs] = True
        for cause, rated in rare_causes(pool, given, may).items():
            shows = shown_by(pool)[cause][pairs].any(axis=1)
            gain = np.where(shows, gain, -np.inf)
            reason, told = CAUSE, told_of_cause(cause, rated)
            break
    return drawn[int(gain.argmax())], reason, told


def _apart(space: Space, pairs: IntArray) -> FloatArray:
    """Differences of points."""
    out: FloatArray = space.points[pairs[:, 0]] - space.points[pairs[:, 1]]
    return out


def _scores(space: Space, given: Sequence[Given]) -> FloatArray | None:
    """A score of each text, learned from the answers that are not of the test share."""
    tests = {frozenset(one.asked) for one in given if one.test}
    taught = [
        one
        for one in given
        if one.other is not None
        and one.value
        and frozenset(one.asked) not in tests
        and space.usable[one.text]
        and space.usable[one.other]
    ]
    if len(taught) < FEWEST_MEASURED // 2:
        return None
    pairs = np.array([one.asked for one in taught], dtype=np.int64)
    better = np.array([one.value > 0 for one in taught])
    weights = weights_of(_apart(space, pairs), better, 1.0 / space.penalty)
    out: FloatArray = space.points @ weights
    return out
