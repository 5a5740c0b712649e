"""The choice of the next question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from naturalness.explaining.causes import TITLES
from naturalness.studio.annotate.asking.choosing import SLIPS as SLIPS_IN_WORDS
from naturalness.studio.annotate.asking.choosing import GivenRating, Pool, choose
from naturalness.studio.annotate.asking.choosing import test_order as order_of_test
from naturalness.studio.annotate.project.records import TextChoice
from tests.support.pools import PLAIN, SLIPS, judge, make_pool, planted, rate


def ask(pool: Pool, judgements: list[GivenRating], turn: int, **how: object) -> TextChoice:
    """Return the next question."""
    settings: dict[str, object] = {"busy": frozenset(), "rater": "anna", "seed": 0, **how}
    choice = choose(pool, judgements, turn=turn, **settings)  # type: ignore[arg-type]
    assert choice is not None
    return choice


def test_every_fifth_question_tests_and_every_tenth_repeats() -> None:
    """No other question repeats a text."""
    pool = make_pool()
    ratings = planted(pool)
    judgements, others = (rate(make_pool(), lambda i: float(ratings[i]), 60) for _ in range(2))
    assert judgements == others  # the same question for the same turn, though the pool is another object
    apart = set(order_of_test(pool.texts, 0))
    assert [i for i, one in enumerate(judgements) if one.test] == list(range(4, 60, 5))
    assert [i for i, one in enumerate(judgements) if one.again] == list(range(7, 60, 10))
    new = [one for one in judgements if not one.again]
    assert len({one.text for one in new}) == len(new)
    assert all((one.text in apart) == one.test for one in new)


def test_all_texts_are_asked_about_in_the_end() -> None:
    """Texts of the test set are asked about only in test questions."""
    pool = make_pool(60)
    apart = set(order_of_test(pool.texts, 0))
    judgements = rate(pool, lambda i: float(i % 3), 200)
    assert {one.text for one in judgements} == set(range(60))
    assert all(one.test == (one.text in apart) for one in judgements if not one.again)


def test_duplicates_are_on_one_side_of_the_test_split() -> None:
    """Equal texts are all in the test set or all outside it."""
    pool = make_pool(100)
    twice = replace(pool, texts=tuple(f"Sentence {i // 2} stands here twice." for i in range(100)))
    apart = set(order_of_test(twice.texts, 0))
    assert 20 <= len(apart) <= 22
    assert all((i in apart) == (i + 1 in apart) for i in range(0, 100, 2))


def test_repeated_question_is_an_earlier_one_of_the_same_rater() -> None:
    """The rater's last five questions are not repeated; without earlier answers, a new text is chosen."""
    pool = make_pool()
    judgements = [judge(i, 3.0, "bert") for i in range(7)] + [judge(i, 3.0) for i in range(10, 17)]
    again = ask(pool, judgements, 7)
    assert again.again and again.text == 10
    assert not ask(pool, judgements[:7], 7).again


@pytest.mark.parametrize("turn", range(10))
def test_busy_texts_are_left_out(turn: int) -> None:
    """No turn chooses a text that another rater is being asked about."""
    pool = make_pool(40)
    assert ask(pool, [], turn, busy=frozenset(range(39))).text == 39
    assert choose(pool, [], turn=turn, busy=frozenset(range(40)), rater="anna", seed=0) is None


def test_texts_are_drawn_at_random_until_enough_are_measured() -> None:
    """Unmeasured texts can be drawn; once 20 are measured, only measured ones are chosen."""
    pool = make_pool(100)
    early = replace(pool, table=np.where(np.arange(100)[:, None] < 10, pool.table, np.nan))
    choices = [ask(early, [], turn) for turn in (0, 1, 2, 3, 5, 6)]
    assert {choice.reason for choice in choices} == {"random"}
    assert len({choice.text for choice in choices}) > 3
    half = replace(pool, table=np.where(np.arange(100)[:, None] % 2, pool.table, np.nan))
    judgements = rate(half, lambda i: float(pool.table[i, 0]), 20)
    assert all(one.text % 2 for one in judgements if not one.test)


def test_first_questions_are_about_texts_unlike_the_rated_ones() -> None:
    """While all ratings are equal, texts are chosen by coverage alone."""
    pool = make_pool(300)
    table = pool.table.copy()
    table[280:] += 4.0
    choice = ask(replace(pool, table=table), [judge(i, 3.0) for i in range(60)], 0)
    assert (choice.reason, choice.wording) == ("unlike", "like many sentences that are not rated yet")
    assert choice.text >= 280


def test_model_asks_about_uncertain_texts() -> None:
    """If ratings depend on one column, texts near its middle are chosen."""
    pool = make_pool(300)
    judgements = [judge(i, float(pool.table[i, 0] > 0)) for i in range(100)]
    choices = [ask(pool, judgements, turn) for turn in (0, 1, 3, 5)]
    assert {choice.reason for choice in choices} == {"doubtful"}
    assert max(abs(pool.table[choice.text, 0]) for choice in choices) < 0.5


def test_answers_to_test_questions_do_not_influence_the_choice() -> None:
    """The next question is the same for different ratings of the test set."""
    pool = make_pool()
    ratings = planted(pool)
    judgements = rate(pool, lambda i: float(ratings[i]), 40)
    other = [replace(one, value=7 - one.value) if one.test else one for one in judgements]
    for turn in range(40, 46):
        assert ask(pool, judgements, turn) == ask(pool, other, turn)


def test_cause_that_no_rated_text_shows_is_asked_about() -> None:
    """The reason names the cause, and the chosen text shows it."""
    pool = make_pool(300, columns=PLAIN + SLIPS)
    assert set(SLIPS_IN_WORDS) == set(TITLES) - {"soundness", "rating"}
    plain = [i for i in range(300) if not pool.table[i, -3:].any()][:60]
    judgements = [judge(i, float(i % 5)) for i in plain]
    choice = ask(pool, judgements, 2)
    assert (choice.reason, choice.wording) == ("cause", "no sentence with agreement slips so far")
    assert pool.table[choice.text, pool.columns.index(SLIPS[0])] > 0
    judgements += [judge(i, 1.0) for i in range(300) if pool.table[i, -3:].any()]
    assert ask(pool, judgements, 2).reason == "doubtful"
