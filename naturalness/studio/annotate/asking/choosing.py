"""Choose which question a rater gets next, and give a reason for the choice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

import numpy as np

from naturalness.arrays import IntArray
from naturalness.studio.annotate.asking.pool import GivenRating, Pool, asked_texts, means_of, test_texts
from naturalness.studio.annotate.asking.slips import SLIPS, shown_by
from naturalness.studio.annotate.asking.space import certainty, coverage_gain, space_of
from naturalness.studio.annotate.project.records import TextChoice

TEST, AGAIN, RANDOM, UNLIKE, DOUBTFUL, CAUSE = "test", "again", "random", "unlike", "doubtful", "cause"
REASONS: Mapping[str, str] = {
    TEST: "drawn at random, to test the model",
    AGAIN: "asked again, to see how well you agree with yourself",
    RANDOM: "drawn at random",
    UNLIKE: "like many sentences that are not rated yet",
    DOUBTFUL: "the model is not sure about it, and few like it are rated so far",
    CAUSE: "no sentence with {} so far",
}
"""Reasons for asking a question, and their wording for raters."""

EVERY_TEST, EVERY_AGAIN, EVERY_CAUSE = 5, 10, 8
TEST_AT, AGAIN_AT, CAUSE_AT = 4, 7, 2
"""Positions, counted from 0, of the test question in every five questions, of the repeated question in every ten, and
of the question for a cause in every eight that the model chooses."""
RECENT_ANSWERS = 5
"""Number of most recent answers whose questions are not repeated, because the rater would remember them."""
DOUBTED_SHARE = 0.3
"""Share of the texts that count as least certain; of these, the text most unlike the rated ones is picked."""
MIN_MEASURED_TEXTS = 20
"""Minimum number of measured texts for a choice by features; below it, texts are drawn at random."""


def is_test_turn(turn: int) -> bool:
    """Return whether a rater's question, counted from 0, is for the test set."""
    return turn % EVERY_TEST == TEST_AT


def is_again_turn(turn: int) -> bool:
    """Return whether a rater's question, counted from 0, repeats an earlier one."""
    return turn % EVERY_AGAIN == AGAIN_AT


@lru_cache(maxsize=8)
def test_order(texts: tuple[str, ...], seed: int) -> tuple[int, ...]:
    """Return the texts of the test set in the order in which they are asked about."""
    marks = [_digest(f"{seed}:{' '.join(text.split()).casefold()}") for text in texts]
    order = sorted(range(len(texts)), key=lambda index: (marks[index], index))
    size = round(len(texts) / EVERY_TEST)
    while 0 < size < len(texts) and marks[order[size]] == marks[order[size - 1]]:
        size += 1  # duplicates of a text stay on one side
    return tuple(order[:size])


def _digest(key: str) -> bytes:
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def ask_again(judgements: Sequence[GivenRating]) -> GivenRating | None:
    """Return the earliest of a rater's answers whose question may be asked again; None if there is none."""
    excluded = asked_texts([judgement for judgement in judgements if judgement.again])
    excluded |= asked_texts(judgements[-RECENT_ANSWERS:])
    return next((judgement for judgement in judgements if judgement.text not in excluded), None)


def choose(
    pool: Pool, judgements: Sequence[GivenRating], *, turn: int, busy: AbstractSet[int], rater: str, seed: int
) -> TextChoice | None:
    """Return the next question for this rater; None if there is nothing left to ask.

    ``turn`` is the number of questions that the rater has had, including skipped ones. ``busy`` are texts not to ask
    about: those that other raters are being asked about now, those with enough answers, and those skipped by this
    rater; a repeated question may still use them.
    """
    answered = [judgement for judgement in judgements if judgement.rater == rater]
    if is_again_turn(turn) and (before := ask_again(answered)) is not None:
        return TextChoice(before.text, AGAIN, REASONS[AGAIN], again=True)
    rng = np.random.default_rng(int.from_bytes(_digest(f"{seed}:{turn}:{rater}"), "big"))
    left_out = busy | asked_texts(answered)
    order = test_order(pool.texts, seed)
    tests = [text for text in order if text not in left_out]
    # A text that was ever used for testing is never chosen, even if the test set has changed.
    apart = left_out | set(order) | test_texts(judgements)
    rest = [text for text in range(len(pool)) if text not in apart]
    if tests and (is_test_turn(turn) or not rest):
        return TextChoice(tests[0], TEST, REASONS[TEST], test=True)
    if not rest:
        return None
    candidates = np.array(rest, dtype=np.int64)
    known = candidates[pool.usable[candidates]]
    if len(known) < min(MIN_MEASURED_TEXTS, len(rest)):
        return TextChoice(int(rng.choice(candidates)), RANDOM, REASONS[RANDOM])
    return _choose_text(pool, judgements, known, busy, turn)


def _choose_text(
    pool: Pool, judgements: Sequence[GivenRating], known: IntArray, busy: AbstractSet[int], turn: int
) -> TextChoice:
    """Return the measured text that is most unlike the rated ones, taken from those that the model is least sure
    about; in some turns, from those that show a cause of low scores that no rated text shows.

    Texts of the test set count as rated, because `naturalness train` learns from them too, so that texts like them need
    not be rated. Their values are not used: otherwise the choice of training texts would depend on the test set.
    """
    space = space_of(pool)
    tests = test_texts(judgements)
    asked = asked_texts(judgements)
    taught, values = means_of([judgement for judgement in judgements if judgement.text not in tests])
    measured = pool.usable[taught]
    rated = np.array(sorted(asked | busy), dtype=np.int64)
    rated = rated[pool.usable[rated]]
    sure = certainty(space, rated, taught[measured], values[measured])
    doubted, reason, wording = known, UNLIKE, REASONS[UNLIKE]
    if sure is not None:
        order = known[np.argsort(sure[known], kind="stable")]
        doubted = np.sort(order[: max(1, round(DOUBTED_SHARE * len(order)))])
        reason, wording = DOUBTFUL, REASONS[DOUBTFUL]
    chosen_before = sum(not is_test_turn(past) and not is_again_turn(past) for past in range(turn))
    if chosen_before % EVERY_CAUSE == CAUSE_AT:
        for cause, shows in shown_by(pool).items():
            if shows[known].any() and not shows[list(asked)].any():
                doubted = doubted[shows[doubted]] if shows[doubted].any() else known[shows[known]]
                reason, wording = CAUSE, REASONS[CAUSE].format(SLIPS[cause])
                break
    gain = coverage_gain(space, rated, doubted)
    return TextChoice(int(doubted[gain.argmax()]), reason, wording)
