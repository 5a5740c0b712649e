"""Ways to choose the next text, and the mixes of them that a project can be asked to follow.

Which mix is the default, and what was tried beside it: docs/annotating-choice.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.errors import UnknownName
from naturalness.pipelines.asking.pool import Given, IntArray, Pool
from naturalness.pipelines.asking.slips import rare_causes, shown_by
from naturalness.pipelines.asking.space import Belief, Space
from naturalness.pipelines.asking.words import (
    CAUSE,
    RANDOM,
    REASONS,
    UNCERTAIN,
    UNLIKE,
    told_of_cause,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Situation:
    """What a way of choosing looks at."""

    pool: Pool
    space: Space
    belief: Belief
    given: Sequence[Given]
    candidates: IntArray
    """Texts that are measured and may be asked; at least one."""
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class Found:
    """A text, and why it was chosen."""

    text: int
    reason: str
    told: str


Way = Callable[[Situation], Found]


def at_random(now: Situation) -> Found:
    """Any."""
    return _found(int(now.rng.choice(now.candidates)), RANDOM)


def unlike(now: Situation) -> Found:
    """The text whose rating would tell most about the whole pool, by its place among the features:
    far from what is rated, and with many others near.
    """
    return _found(_best(now, now.belief.gain), UNLIKE)


def uncertain(now: Situation) -> Found:
    """The text of which it is least certain whether it is among the better or the worse; before
    there are ratings to tell by, the one that is unlike.
    """
    if now.belief.mean is None:
        return unlike(now)
    certainty = np.abs(now.belief.mean) / np.sqrt(now.belief.variance + 1e-12)
    return _found(_best(now, -certainty), UNCERTAIN)


def rare_cause(now: Situation) -> Found:
    """Of texts with the cause that was rated least, the one that tells most; where none is rare,
    the one that is unlike.
    """
    may = np.zeros(len(now.pool), dtype=np.bool_)
    may[now.candidates] = True
    rare = rare_causes(now.pool, now.given, may)
    if not rare:
        return unlike(now)
    cause, rated = next(iter(rare.items()))
    shows = np.where(shown_by(now.pool)[cause] & may, now.belief.gain, -np.inf)
    return Found(int(shows.argmax()), CAUSE, told_of_cause(cause, rated))


def _best(now: Situation, value: np.ndarray) -> int:
    """The candidate with the highest value; of equals the first."""
    return int(now.candidates[value[now.candidates].argmax()])


def _found(text: int, reason: str) -> Found:
    return Found(text, reason, REASONS[reason])


WAYS: Mapping[str, Way] = {
    RANDOM: at_random, UNLIKE: unlike, UNCERTAIN: uncertain, CAUSE: rare_cause,
}  # fmt: skip
"""By the reason that is told; a way that finds nothing of its kind tells another."""

STRATEGIES: Mapping[str, tuple[str, ...]] = {
    "random": (RANDOM,),
    "uncertain": (UNCERTAIN,),
    "unlike": (UNLIKE,),
    "mix": (UNLIKE, CAUSE, UNLIKE, UNCERTAIN),
}
"""Ways in turn, question by question, beside the random and the repeated questions."""
DEFAULT = "mix"
FEWEST_MEASURED = 20
"""Measured texts that a way needs to choose from; while there are fewer, it is chance."""


def way_of(strategy: str, number: int) -> Way:
    """How the question of this number, among those that are chosen, is chosen."""
    if strategy not in STRATEGIES:
        raise UnknownName("strategy", strategy, STRATEGIES)
    ways = STRATEGIES[strategy]
    return WAYS[ways[number % len(ways)]]
