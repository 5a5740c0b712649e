"""Ways to choose the next text, and the mixes of them that a project can be asked to follow.

Which mix is the default, and what was tried beside it: docs/annotating-choice.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.annotate.asking.pool import Given, Pool
from naturalness.annotate.asking.slips import rare_causes, shown_by
from naturalness.annotate.asking.space import Belief, Space, gain_of, uncovered
from naturalness.annotate.asking.words import BOTH, CAUSE, RANDOM, REASONS, UNCERTAIN, UNLIKE, told_of_cause
from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import UnknownName

DESIGN = "design"
DOUBTED = 0.3
"""Share of the texts, the least certain ones, among which those unlike the rated are looked for."""


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
    """The text with most others near it that are unlike all rated ones."""
    gain = uncovered(now.space, now.belief, now.candidates)
    return _found(int(now.candidates[gain.argmax()]), UNLIKE)


def by_design(now: Situation) -> Found:
    """The text whose rating would lower the variance of a linear model over the pool most."""
    points = now.space.points[now.candidates]
    gain = gain_of(now.space, now.belief.covariance, points)
    return _found(int(now.candidates[gain.argmax()]), UNLIKE)


def uncertain(now: Situation) -> Found:
    """The text of which it is least certain whether it is among the better or the worse; before
    there are ratings to tell by, the one that is unlike.
    """
    certainty = _certainty(now)
    if certainty is None:
        return unlike(now)
    return _found(int(now.candidates[certainty[now.candidates].argmin()]), UNCERTAIN)


def doubtful(now: Situation) -> Found:
    """Of the texts that are least certain, the one that is most unlike those rated."""
    if now.belief.mean is None:
        return unlike(now)
    found = unlike(replace(now, candidates=_doubted(now)))
    return _found(found.text, BOTH)


def rare_cause(now: Situation) -> Found:
    """Of texts with the cause that was rated least, the one that is most unlike those rated: among
    the least certain, if any of these shows it. Where no cause is rare, a doubtful text.
    """
    may = np.zeros(len(now.pool), dtype=np.bool_)
    may[now.candidates] = True
    rare = rare_causes(now.pool, now.given, may)
    if not rare:
        return doubtful(now)
    cause, rated = next(iter(rare.items()))
    shows = shown_by(now.pool)[cause]
    doubted = _doubted(now)
    some = doubted[shows[doubted]] if shows[doubted].any() else now.candidates[shows[now.candidates]]
    found = unlike(replace(now, candidates=some))
    return Found(found.text, CAUSE, told_of_cause(cause, rated))


def _doubted(now: Situation) -> IntArray:
    """The least certain candidates; all before there are ratings to tell by."""
    certainty = _certainty(now)
    if certainty is None:
        return now.candidates
    order = now.candidates[np.argsort(certainty[now.candidates], kind="stable")]
    found: IntArray = np.sort(order[: max(1, round(DOUBTED * len(order)))])
    return found


def _certainty(now: Situation) -> FloatArray | None:
    """Of each text, how certainly it is among the better or the worse, in deviations; None before
    there are ratings to tell by.
    """
    if now.belief.mean is None:
        return None
    out: FloatArray = np.abs(now.belief.mean) / np.sqrt(now.belief.variance + 1e-12)
    return out


def _found(text: int, reason: str) -> Found:
    return Found(text, reason, REASONS[reason])


WAYS: Mapping[str, Way] = {
    RANDOM: at_random,
    UNLIKE: unlike,
    UNCERTAIN: uncertain,
    BOTH: doubtful,
    CAUSE: rare_cause,
    DESIGN: by_design,
}
"""A way that finds nothing of its kind takes another, and tells its reason."""

STRATEGIES: Mapping[str, tuple[str, ...]] = {
    "mix": (BOTH, BOTH, CAUSE, *[BOTH] * 5),
    "random": (RANDOM,),
    "uncertain": (UNCERTAIN,),
    "unlike": (UNLIKE,),
    "design": (DESIGN,),
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
