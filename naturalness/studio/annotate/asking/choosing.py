"""Choose which question a rater gets next, and give a reason for the choice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.studio.annotate.asking.pool import Judgement, Pool, means_of, rated_texts
from naturalness.studio.annotate.asking.slips import rare_causes, shown_by, wording_of_cause
from naturalness.studio.annotate.asking.space import (
    Belief,
    Space,
    believe,
    covariance_of,
    gain_of,
    space_of,
    uncovered,
    weights_of,
)
from naturalness.studio.annotate.project.records import Choice

TEST, AGAIN, RANDOM = "test", "again", "random"
UNLIKE, UNCERTAIN, BOTH = "unlike", "uncertain", "doubtful"
CAUSE, CLOSE = "cause", "close"

REASONS: Mapping[str, str] = {
    TEST: "drawn at random, to test the model",
    AGAIN: "asked again, to see how well you agree with yourself",
    RANDOM: "drawn at random",
    UNLIKE: "like many sentences that are not rated yet",
    UNCERTAIN: "the model is not sure about it",
    BOTH: "the model is not sure about it, and few like it are rated so far",
    CAUSE: "few sentences like this so far",
    CLOSE: "the model finds the two much the same, though they are unlike each other",
}
"""Reasons for asking a question, and their wording for raters."""

EVERY_TEST, EVERY_AGAIN = 5, 10
TEST_AT, AGAIN_AT = 4, 7
"""Positions, counted from 0, of the test question in every five questions and of the repeated question in every ten."""
RECENT_ANSWERS = 5
"""Number of most recent answers whose questions are not repeated, because the rater would remember them."""


def is_test_turn(turn: int) -> bool:
    """Return whether a rater's question, counted from 0, is for the test set."""
    return turn % EVERY_TEST == TEST_AT


def is_again_turn(turn: int) -> bool:
    """Return whether a rater's question, counted from 0, repeats an earlier one."""
    return turn % EVERY_AGAIN == AGAIN_AT


def chosen_before(turn: int) -> int:
    """Return how many of the earlier questions were chosen by a strategy."""
    return sum(not is_test_turn(past) and not is_again_turn(past) for past in range(turn))


@lru_cache(maxsize=8)
def test_order(sources: tuple[str, ...], seed: int) -> tuple[int, ...]:
    """Return the texts of the test set in the order in which they are asked about; see `Pool.sources`."""
    marks = [_mark(source, seed) for source in sources]
    order = sorted(range(len(sources)), key=lambda index: (marks[index], index))
    size = round(len(sources) / EVERY_TEST)
    while 0 < size < len(sources) and marks[order[size]] == marks[order[size - 1]]:
        size += 1  # duplicates of a text, and texts with the same context, stay on one side
    return tuple(order[:size])


def _mark(source: str, seed: int) -> bytes:
    key = f"{seed}:{' '.join(source.split()).casefold()}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(key, digest_size=8).digest()


def set_apart(pool: Pool, judgements: Sequence[Judgement], seed: int) -> frozenset[int]:
    """Return the texts that no strategy may choose: the test set, and texts already used for testing."""
    tested = {text for judgement in judgements if judgement.test for text in judgement.asked}
    return frozenset(test_order(pool.sources, seed)) | tested


def ask_again(judgements: Sequence[Judgement], rater: str) -> Judgement | None:
    """Return the earliest answer of this rater whose question may be asked again; None if there is none."""
    answered = [judgement for judgement in judgements if judgement.rater == rater]
    repeated = {frozenset(judgement.asked) for judgement in answered if judgement.again}
    first = [judgement for judgement in answered if not judgement.again]
    recent = {frozenset(judgement.asked) for judgement in answered[-RECENT_ANSWERS:]}
    excluded = repeated | recent
    return next((judgement for judgement in first if frozenset(judgement.asked) not in excluded), None)


DOUBTED_SHARE = 0.3
"""Share of the texts that count as least certain; of these, the text most unlike the rated ones is picked."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The input of a strategy."""

    pool: Pool
    space: Space
    belief: Belief
    judgements: Sequence[Judgement]
    candidates: IntArray
    """Measured texts that may be asked about; at least one."""
    rng: np.random.Generator


class Pick(NamedTuple):
    """A chosen text and the reason."""

    text: int
    reason: str
    wording: str


def at_random(now: Situation) -> Pick:
    """Pick a random candidate."""
    return _pick(int(now.rng.choice(now.candidates)), RANDOM)


def unlike(now: Situation) -> Pick:
    """Pick the text whose rating would most improve the coverage of the pool."""
    gain = uncovered(now.space, now.belief, now.candidates)
    return _pick(int(now.candidates[gain.argmax()]), UNLIKE)


def uncertain(now: Situation) -> Pick:
    """Pick the text whose predicted rating is closest to the mean, in standard deviations of the prediction; while
    there is no model, use `unlike`.
    """
    certainty = _certainty(now)
    if certainty is None:
        return unlike(now)
    return _pick(int(now.candidates[certainty[now.candidates].argmin()]), UNCERTAIN)


def doubtful(now: Situation) -> Pick:
    """Pick the text most unlike the rated ones among the least certain texts."""
    if now.belief.mean is None:
        return unlike(now)
    pick = unlike(replace(now, candidates=_doubted(now)))
    return _pick(pick.text, BOTH)


def rare_cause(now: Situation) -> Pick:
    """Pick a text that shows the cause with the fewest rated texts: the text most unlike the rated ones, taken from the
    least certain texts if any of them shows the cause. If no cause is rare, use `doubtful`."""
    may = np.zeros(len(now.pool), dtype=np.bool_)
    may[now.candidates] = True
    rare = rare_causes(now.pool, now.judgements, may)
    if not rare:
        return doubtful(now)
    cause, rated = next(iter(rare.items()))
    shows = shown_by(now.pool)[cause]
    doubted = _doubted(now)
    some = doubted[shows[doubted]] if shows[doubted].any() else now.candidates[shows[now.candidates]]
    pick = unlike(replace(now, candidates=some))
    return Pick(pick.text, CAUSE, wording_of_cause(cause, rated))


def _doubted(now: Situation) -> IntArray:
    """Return the least certain candidates; all candidates while there is no model."""
    certainty = _certainty(now)
    if certainty is None:
        return now.candidates
    order = now.candidates[np.argsort(certainty[now.candidates], kind="stable")]
    return np.sort(order[: max(1, round(DOUBTED_SHARE * len(order)))])


def _certainty(now: Situation) -> FloatArray | None:
    """Return how far each predicted rating is from the mean, in standard deviations; None while there is no model."""
    if now.belief.mean is None:
        return None
    return np.abs(now.belief.mean) / np.sqrt(now.belief.variance + 1e-12)


def _pick(text: int, reason: str) -> Pick:
    return Pick(text, reason, REASONS[reason])


WAYS: Mapping[str, Callable[[Situation], Pick]] = {
    RANDOM: at_random,
    UNLIKE: unlike,
    UNCERTAIN: uncertain,
    BOTH: doubtful,
    CAUSE: rare_cause,
}
"""Functions that choose a text, keyed by reason. A function that does not apply calls another one, and the choice has
the reason of the function that made it.
"""

STRATEGIES: Mapping[str, tuple[str, ...]] = {
    "mix": (BOTH, BOTH, CAUSE, *[BOTH] * 5),
    "random": (RANDOM,),
    "uncertain": (UNCERTAIN,),
    "unlike": (UNLIKE,),
}
"""Keys of `WAYS` that each strategy uses in turn; test questions and repeated questions are asked in addition."""
DEFAULT_STRATEGY = "mix"
MIN_MEASURED_TEXTS = 20
"""Minimum number of measured texts for a strategy; below it, texts are drawn at random."""


def way_of(strategy: str, number: int) -> str:
    """Return the key of `WAYS` with which a strategy chooses question ``number``, counted from 0."""
    ways = STRATEGIES[strategy]
    return ways[number % len(ways)]


DRAWN_PAIRS = 400
"""Number of candidate pairs drawn for each question."""
CLOSEST_SHARE = 0.25
"""Share of the candidate pairs that count as closest in score; of these, the least similar pair is taken."""
ALL_PAIRS_BELOW = 60
"""Number of texts below which every pair is considered."""


def choose_pair(
    pool: Pool,
    judgements: Sequence[Judgement],
    *,
    turn: int,
    busy: AbstractSet[int],
    done: AbstractSet[frozenset[int]],
    seed: int,
    way: str,
    rng: np.random.Generator,
) -> Choice | None:
    """Return a question about a pair of texts that is not in ``done``; None if there is none.

    Texts with the fewest comparisons come first. Both texts or neither belong to the test set. If any texts of
    the pool share a context, both texts have the same context.
    """
    apart = set_apart(pool, judgements, seed)
    often = np.bincount([t for judgement in judgements for t in judgement.asked], minlength=len(pool))
    contexts = pool.pairable

    def draw(texts: Sequence[int], size: int) -> list[tuple[int, int]]:
        if contexts:
            return _draw_within(texts, contexts, often, done, rng, size)
        return _draw(texts, often, done, rng, size)

    def draw_first(texts: Sequence[int], reason: str) -> Choice | None:
        drawn = draw(texts, 1)
        return _asked(drawn[0], reason, REASONS[reason], rng, test=reason == TEST) if drawn else None

    tests = [text for text in test_order(pool.sources, seed) if text not in busy]
    rest = [text for text in range(len(pool)) if text not in apart and text not in busy]
    if is_test_turn(turn) and (choice := draw_first(tests, TEST)):
        return choice
    space = space_of(pool)
    known = [text for text in rest if space.usable[text]]
    if len(known) >= MIN_MEASURED_TEXTS and way != RANDOM and (drawn := draw(known, DRAWN_PAIRS)):
        return _asked(*_best(pool, space, judgements, drawn, way), rng)
    return draw_first(rest, RANDOM) or draw_first(tests, TEST)


def _asked(pair: tuple[int, int], reason: str, wording: str, rng: np.random.Generator, *, test: bool = False) -> Choice:
    """Return a question that shows a pair in random order, because raters favour one side."""
    first, second = pair if rng.random() < 0.5 else (pair[1], pair[0])
    return Choice((first, second), reason, wording, test=test)


def _draw(
    texts: Sequence[int], often: IntArray, done: AbstractSet[frozenset[int]], rng: np.random.Generator, size: int
) -> list[tuple[int, int]]:
    """Draw new pairs among the texts with the fewest comparisons."""
    if len(texts) < ALL_PAIRS_BELOW:
        remaining = [pair for pair in combinations(texts, 2) if frozenset(pair) not in done]
        order = rng.permutation(len(remaining))
        remaining = [remaining[index] for index in order]
        return sorted(remaining, key=lambda pair: int(often[list(pair)].sum()))[:size]
    candidates = np.array(texts, dtype=np.int64)
    candidates = candidates[np.argsort(often[candidates] + rng.random(len(candidates)), kind="stable")]
    candidates = candidates[: max(ALL_PAIRS_BELOW, len(candidates) // 2)]
    drawn: dict[frozenset[int], tuple[int, int]] = {}
    for _ in range(4):  # a second round is needed only if most pairs have already been compared
        first, second = rng.choice(candidates, (2, size))
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            if a != b and (pair := frozenset((a, b))) not in done:
                drawn.setdefault(pair, (a, b))
        if len(drawn) >= size / 2:
            break
    return list(drawn.values())[:size]


def _draw_within(
    texts: Sequence[int],
    contexts: Sequence[str],
    often: IntArray,
    done: AbstractSet[frozenset[int]],
    rng: np.random.Generator,
    size: int,
) -> list[tuple[int, int]]:
    """Draw new pairs of texts that share a context, among those with the fewest comparisons."""
    by_context: dict[str, list[int]] = {}
    for text in texts:
        by_context.setdefault(contexts[text], []).append(text)
    drawn = [pair for group in by_context.values() if len(group) > 1 for pair in _draw(group, often, done, rng, size)]
    order = rng.permutation(len(drawn))
    return sorted((drawn[index] for index in order), key=lambda pair: int(often[list(pair)].sum()))[:size]


def _best(
    pool: Pool, space: Space, judgements: Sequence[Judgement], drawn: list[tuple[int, int]], way: str
) -> tuple[tuple[int, int], str, str]:
    """Return the most informative pair, the key of its reason, and the reason in words."""
    pairs = np.array(drawn, dtype=np.int64)
    compared = [
        (judgement.text, judgement.other)
        for judgement in judgements
        if judgement.other is not None and space.usable[judgement.text] and space.usable[judgement.other]
    ]
    seen = _apart(space, np.array(compared, dtype=np.int64).reshape(-1, 2))
    gain = gain_of(space, covariance_of(space, seen), _apart(space, pairs))
    reason, wording = UNLIKE, REASONS[UNLIKE]
    if way in (UNCERTAIN, BOTH) and (scores := _scores(space, judgements)) is not None:
        distance = np.abs(scores[pairs[:, 0]] - scores[pairs[:, 1]])
        gain = np.where(distance <= np.quantile(distance, CLOSEST_SHARE), gain, -np.inf)
        reason, wording = CLOSE, REASONS[CLOSE]
    if way == CAUSE:
        may = np.zeros(len(pool), dtype=np.bool_)
        may[pairs] = True
        for cause, rated in rare_causes(pool, judgements, may).items():
            shows = shown_by(pool)[cause][pairs].any(axis=1)
            gain = np.where(shows, gain, -np.inf)
            reason, wording = CAUSE, wording_of_cause(cause, rated)
            break
    return drawn[int(gain.argmax())], reason, wording


def _apart(space: Space, pairs: IntArray) -> FloatArray:
    """Return, for each pair, the first point minus the second."""
    return space.points[pairs[:, 0]] - space.points[pairs[:, 1]]


def _scores(space: Space, judgements: Sequence[Judgement]) -> FloatArray | None:
    """Return a score for each text, from a model of the answers outside the test set; None if these are too few."""
    tests = {frozenset(judgement.asked) for judgement in judgements if judgement.test}
    taught = [
        judgement
        for judgement in judgements
        if judgement.other is not None
        and judgement.value
        and frozenset(judgement.asked) not in tests
        and space.usable[judgement.text]
        and space.usable[judgement.other]
    ]
    if len(taught) < MIN_MEASURED_TEXTS // 2:
        return None
    pairs = np.array([judgement.asked for judgement in taught], dtype=np.int64)
    better = np.array([judgement.value > 0 for judgement in taught])
    weights = weights_of(_apart(space, pairs), better, 1.0 / space.penalty)
    return space.points @ weights


def choose(
    pool: Pool,
    judgements: Sequence[Judgement],
    *,
    turn: int,
    busy: AbstractSet[int],
    taken: AbstractSet[tuple[int, ...]] = frozenset(),
    rater: str,
    seed: int,
    strategy: str = DEFAULT_STRATEGY,
    pairs: bool = False,
) -> Choice | None:
    """Return the next question for this rater; None if there is nothing left to ask.

    ``turn`` is the number of questions that the rater has had, including skipped ones. ``busy`` are texts not to ask
    about: those that other raters are being asked about now, those with enough answers, and those skipped by this
    rater; a repeated question may still use them. With ``pairs``, ``taken`` are pairs that have enough answers or were
    skipped; their texts may occur in other pairs.
    """
    way = way_of(strategy, chosen_before(turn))
    rng = np.random.default_rng(_number(seed, rater, turn))
    if is_again_turn(turn) and (before := ask_again(judgements, rater)) is not None:
        return Choice(before.asked, AGAIN, REASONS[AGAIN], again=True)
    asked = [judgement.asked for judgement in judgements if judgement.rater == rater]
    if pairs:
        done = set(map(frozenset, [*asked, *taken]))
        return choose_pair(pool, judgements, turn=turn, busy=busy, done=done, seed=seed, way=way, rng=rng)
    answered = {text for texts in asked for text in texts}
    tests = [t for t in test_order(pool.sources, seed) if t not in busy and t not in answered]
    excluded = {*set_apart(pool, judgements, seed), *busy, *answered}
    rest = np.array([t for t in range(len(pool)) if t not in excluded], dtype=np.int64)
    if tests and (is_test_turn(turn) or not len(rest)):
        return Choice((tests[0],), TEST, REASONS[TEST], test=True)
    if not len(rest):
        return None
    space = space_of(pool)
    known = rest[space.usable[rest]]
    if way == RANDOM or len(known) < min(MIN_MEASURED_TEXTS, len(rest)):
        # A random choice needs no features.
        return Choice((int(rng.choice(rest)),), RANDOM, REASONS[RANDOM])
    now = Situation(pool, space, _belief(pool, judgements, busy), judgements, known, rng)
    pick = WAYS[way](now)
    return Choice((pick.text,), pick.reason, pick.wording)


def _belief(pool: Pool, judgements: Sequence[Judgement], busy: AbstractSet[int]) -> Belief:
    """Return the current belief about all texts.

    Texts of the test set count as rated, because the final model learns from them too, so that texts like them need not
    be rated. Their values are not used: otherwise the choice of training texts would depend on the test set.
    """
    space = space_of(pool)
    rated = np.unique([*rated_texts(judgements).tolist(), *busy]).astype(np.int64)
    tests = {text for judgement in judgements if judgement.test for text in judgement.asked}
    taught, values = means_of([judgement for judgement in judgements if judgement.text not in tests])
    known = space.usable[taught]
    return believe(space, rated[space.usable[rated]], taught[known], values[known])


def _number(seed: int, rater: str, turn: int) -> int:
    """Return a seed that is unique to this question."""
    key = f"{seed}:{turn}:{rater}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big")
