"""Which text is asked next: shares, order, strategies."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from naturalness.explaining.causes import TITLES
from naturalness.studio.annotate.asking import REASONS, STRATEGIES, Judgement, Pool, choose
from naturalness.studio.annotate.asking.choosing import test_order as order_of_test
from naturalness.studio.annotate.asking.slips import SLIPS as SLIPS_IN_WORDS
from naturalness.studio.annotate.asking.slips import rare_causes
from tests.support.pools import PLAIN, SLIPS, make_pool, planted, rate


def ask(pool: Pool, judgements: list[Judgement], turn: int, **how: object) -> tuple[int, ...]:
    """The texts of the next question."""
    settings: dict[str, object] = {"busy": frozenset(), "rater": "anna", "seed": 0, **how}
    choice = choose(pool, judgements, turn=turn, **settings)  # type: ignore[arg-type]
    assert choice is not None
    return choice.texts


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_fifth_tests_and_every_tenth_is_asked_again(strategy: str) -> None:
    """Of forty questions eight are of the test share, and four were asked before."""
    pool = make_pool()
    ratings = planted(pool)
    judgements = rate(pool, lambda i: float(ratings[i]), 40, strategy=strategy)
    assert [i for i, one in enumerate(judgements) if one.test] == list(range(4, 40, 5))
    assert [i for i, one in enumerate(judgements) if one.again] == [7, 17, 27, 37]
    new = [one.text for one in judgements if not one.again]
    assert len(set(new)) == len(new)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_question_for_the_same_turn_and_seed(strategy: str) -> None:
    """Equal pools, though not the same object, give equal questions."""
    ratings = planted(make_pool())
    first, second = (rate(make_pool(), lambda i: float(ratings[i]), 30, strategy=strategy) for _ in range(2))
    assert first == second


def test_another_seed_sets_other_texts_apart() -> None:
    """The test share is drawn, not the first texts of the table."""
    texts = make_pool().texts
    one, other = order_of_test(texts, 0), order_of_test(texts, 1)
    assert len(one) == len(other) == len(texts) // 5
    assert set(one) != set(other)
    assert 20 < float(np.mean(one)) < 180


def test_no_strategy_chooses_a_text_of_the_test_share() -> None:
    """Until nothing else is left; then all that is asked is of it."""
    pool = make_pool(60)
    apart = set(order_of_test(pool.texts, 0))
    judgements = rate(pool, lambda i: float(i % 3), 200)
    assert {one.text for one in judgements} == set(range(60))
    assert all(one.test == (one.text in apart) for one in judgements if not one.again)


def test_the_same_text_twice_is_on_one_side() -> None:
    """Else a text would teach what it is measured on."""
    pool = make_pool(100)
    pool = replace(pool, texts=tuple(f"Sentence {i // 2} stands here twice." for i in range(100)))
    apart = set(order_of_test(pool.texts, 0))
    assert 20 <= len(apart) <= 22
    assert all((i in apart) == (i + 1 in apart) for i in range(0, 100, 2))


def test_texts_after_one_context_are_on_one_side() -> None:
    """A context of many texts ties none of them: it would set most of them apart."""
    pool = make_pool(100)
    pool = replace(pool, contexts=tuple(f"Turn {i // 4}." if i < 80 else "" for i in range(100)))
    apart = set(order_of_test(pool.sources, 0))
    assert 20 <= len(apart) <= 23
    assert all(len({i + j in apart for j in range(4)}) == 1 for i in range(0, 80, 4))
    judgements = rate(pool, lambda i: float(i % 3), 60)
    assert all(judgement.test == (judgement.text in apart) for judgement in judgements if not judgement.again)
    assert replace(pool, contexts=("Turn.",) * 100).sources == pool.texts


def test_pairs_share_their_context() -> None:
    """Where any two texts do; each pair once, until no such pair is left."""
    pool = replace(make_pool(90), contexts=tuple(f"Turn {i // 3}." for i in range(90)))
    ratings = planted(pool)
    judgements = rate(pool, lambda i: float(ratings[i]), 200, pairs=True)
    assert all(judgement.text // 3 == (judgement.other or 0) // 3 for judgement in judgements)
    pairs = {frozenset(judgement.asked) for judgement in judgements}
    assert len(pairs) == 90 and any(judgement.test for judgement in judgements)
    lonely = replace(pool, contexts=tuple(f"Turn {i}." for i in range(90)))
    assert len({frozenset(one.asked) for one in rate(lonely, lambda i: float(ratings[i]), 100, pairs=True)}) > 80


def test_what_is_asked_again_lies_some_questions_back() -> None:
    """It is the rater's own, and not among the last five."""
    pool = make_pool()
    judgements = rate(pool, float, 7, rater="bert")
    judgements += rate(pool, float, 8, rater="anna", busy={one.text for one in judgements})[:8]
    last = judgements[-1]
    assert last.again
    annas_texts = [one.text for one in judgements[7:-1]]
    assert last.text in annas_texts[:-5]


def test_nothing_is_asked_again_of_a_rater_who_has_just_begun() -> None:
    """Whoever skipped all so far gets a new question on that turn."""
    choice = choose(make_pool(), [], turn=7, busy=frozenset(), rater="anna", seed=0)
    assert choice is not None
    assert not choice.again


@pytest.mark.parametrize("turn", range(10))
def test_busy_texts_are_left_alone(turn: int) -> None:
    """What is before another rater is not asked, on any turn."""
    pool = make_pool(40)
    busy = frozenset(range(39))
    assert ask(pool, [], turn, busy=busy) == (39,)
    assert choose(pool, [], turn=turn, busy=frozenset(range(40)), rater="anna", seed=0) is None


def test_a_rater_is_not_asked_what_they_have_answered_but_another_is() -> None:
    """How many raters a text needs is for whoever says which are busy."""
    pool = make_pool(30)
    judgements = [Judgement(i, 3.0, False, False, "anna") for i in range(29)]
    assert ask(pool, judgements, 0) == (29,)
    assert len({ask(pool, judgements, 0, rater="bert", busy={29}) for _ in range(3)}) == 1


def test_while_little_is_measured_it_is_chance() -> None:
    """Also texts that are not measured are asked then."""
    pool = make_pool(100)
    measured = np.zeros(100, dtype=np.bool_)
    measured[:10] = True
    table = np.where(measured[:, None], pool.table, np.nan)
    early = Pool(pool.texts, table, pool.columns, measured)
    asked = {ask(early, [], turn)[0] for turn in (0, 1, 2, 3, 5, 6)}
    assert len(asked) > 3
    assert max(asked) >= 10
    choice = choose(early, [], turn=0, busy=frozenset(), rater="anna", seed=0)
    assert choice is not None
    assert choice.reason == "random"


def test_of_a_part_that_is_measured_the_strategy_chooses() -> None:
    """Rows that are not measured are no points in the middle."""
    pool = make_pool(100)
    measured = np.zeros(100, dtype=np.bool_)
    measured[::2] = True
    half = Pool(pool.texts, np.where(measured[:, None], pool.table, np.nan), pool.columns, measured)
    judgements = rate(half, lambda i: float(pool.table[i, 0]), 20, strategy="unlike")
    assert all(measured[one.text] for one in judgements if not one.test)


def test_texts_unlike_those_rated_are_found() -> None:
    """Twenty texts that lie apart are asked before long."""
    pool = make_pool(300)
    table = pool.table.copy()
    table[280:] += 4.0
    far = replace(pool, table=table)
    judgements = rate(far, lambda i: float(table[i, 0]), 8, strategy="unlike")
    assert any(one.text >= 280 for one in judgements)
    # Rated ones of the other sort say nothing of them.
    near = [Judgement(i, 3.0, False, False, "anna") for i in range(60)]
    choice = choose(far, near, turn=0, busy=frozenset(), rater="anna", seed=0, strategy="unlike")
    assert choice is not None
    assert (choice.reason, choice.wording) == ("unlike", REASONS["unlike"])
    assert "rated so far" not in REASONS["unlike"]  # the first question may be asked for this reason
    assert choice.texts[0] >= 280


def test_the_model_is_asked_about_what_is_on_the_edge() -> None:
    """With ratings that follow one column, texts in its middle are the uncertain ones."""
    pool = make_pool(300)
    judgements = [Judgement(i, float(pool.table[i, 0] > 0), False, False, "anna") for i in range(100)]
    choice = choose(pool, judgements, turn=0, busy=frozenset(), rater="anna", seed=0, strategy="uncertain")
    assert choice is not None
    assert choice.reason == "uncertain"
    assert abs(pool.table[choice.texts[0], 0]) < 0.5


def test_answers_of_the_test_share_sway_nothing() -> None:
    """Whatever is said of them, the next question is the same."""
    pool = make_pool()
    ratings = planted(pool)
    judgements = rate(pool, lambda i: float(ratings[i]), 40)
    other = [replace(one, value=7 - one.value) if one.test else one for one in judgements]
    for turn in range(40, 46):
        assert ask(pool, judgements, turn) == ask(pool, other, turn)


def test_a_cause_that_nobody_rated_is_asked_in_words() -> None:
    """The question says so, and the text has the slip."""
    pool = make_pool(300, columns=PLAIN + SLIPS)
    positions = {name: i for i, name in enumerate(pool.columns)}
    texts_by_wording = {}
    judgements: list[Judgement] = []
    for turn in range(60):
        choice = choose(pool, judgements, turn=turn, busy=frozenset(), rater="anna", seed=0)
        assert choice is not None
        judgements.append(Judgement(choice.texts[0], float(turn % 5), choice.test, choice.again, "anna"))
        if choice.reason == "cause":
            texts_by_wording.setdefault(choice.wording, choice.texts[0])
    assert "no sentence with agreement slips so far" in texts_by_wording or any(
        pool.table[one.text, positions["damage__agreement_share"]] > 0 for one in judgements
    )
    for words, text in texts_by_wording.items():
        (cause,) = [c for c, slip in SLIPS_IN_WORDS.items() if slip in words]
        column = {"agreement": SLIPS[0], "order": SLIPS[1], "small_words": SLIPS[2]}[cause]
        assert pool.table[text, positions[column]] > 0
    assert texts_by_wording


def test_a_cause_that_raters_have_named_is_rated() -> None:
    """Whatever the features say of the text."""
    pool = make_pool(300, columns=PLAIN + SLIPS)
    everywhere = np.ones(300, dtype=np.bool_)
    plain = [i for i in range(300) if not pool.table[i, -3:].any()]
    judgements = [Judgement(plain[0], 2.0, False, False, "anna")]
    assert rare_causes(pool, judgements, everywhere) == {"agreement": 0, "small_words": 0, "order": 0}
    judgements.append(Judgement(plain[1], 2.0, False, False, "anna", "order"))
    assert list(rare_causes(pool, judgements, everywhere)) == ["agreement", "small_words"]


def test_every_cause_has_words() -> None:
    """All but the soundness of the whole and opinions of it."""
    assert set(SLIPS_IN_WORDS) == set(TITLES) - {"soundness", "rating"}


def test_texts_without_words_are_never_chosen_by_their_features() -> None:
    """Their rows are NaN although they are measured."""
    pool = make_pool(100)
    table = pool.table.copy()
    table[::2] = np.nan
    empty = replace(pool, table=table)
    judgements = rate(empty, float, 10, strategy="unlike")
    assert all(one.text % 2 for one in judgements if not one.test)


def test_five_thousand_texts_are_no_wait() -> None:
    """A question takes about a hundredth of a second of the processor; ten of them are allowed."""
    pool = make_pool(5000, columns=tuple(f"surface__c{i}" for i in range(350)))
    judgements = [Judgement(i, float(i % 6), i % 5 == 4, False, "anna") for i in range(0, 2000, 5)]
    for turn in (0, 1):
        ask(pool, judgements, turn)
    started = time.process_time()
    for turn in (0, 1, 2, 3):
        ask(pool, judgements, turn)
    assert (time.process_time() - started) / 4 < 0.1


@pytest.mark.parametrize("strategy", ["random", "uncertain", "mix"])
def test_shares_hold_for_pairs(strategy: str) -> None:
    """Every fifth of the test share, both texts of it; every tenth again, the very same."""
    pool = make_pool(100)
    ratings = planted(pool)
    judgements = rate(pool, lambda i: float(ratings[i]), 60, strategy=strategy, pairs=True)
    apart = set(order_of_test(pool.texts, 0))
    assert [i for i, one in enumerate(judgements) if one.test] == list(range(4, 60, 5))
    assert [i for i, one in enumerate(judgements) if one.again] == list(range(7, 60, 10))
    for one in judgements:
        if not one.again:
            assert {text in apart for text in one.asked} == {one.test}
            assert len(set(one.asked)) == 2
    new = [frozenset(one.asked) for one in judgements if not one.again]
    assert len(set(new)) == len(new)


def test_pairs_end_when_all_are_compared() -> None:
    """Of a handful of texts all pairs within their share are asked, then nothing."""
    pool = make_pool(10)
    judgements = rate(pool, float, 200, pairs=True)
    pairs = {frozenset(one.asked) for one in judgements}
    assert len(pairs) == 8 * 7 // 2 + 1
    assert choose(pool, judgements, turn=201, busy=frozenset(), rater="anna", seed=0, pairs=True) is None


def test_pairs_of_near_scores_are_asked() -> None:
    """Once it is known which column counts, the uncertain pairs are near in it."""
    pool = make_pool(300)
    rng = np.random.default_rng(0)
    judgements = []
    for first, second in rng.permutation(300)[:200].reshape(-1, 2).tolist():
        better = float(np.sign(pool.table[first, 0] - pool.table[second, 0]))
        judgements.append(Judgement(first, better, False, False, "anna", other=second))
    apart = []
    for turn in (0, 1, 2, 3, 5, 6):
        choice = choose(
            pool, judgements, turn=turn, busy=frozenset(), rater="bert", seed=0, strategy="uncertain", pairs=True
        )
        assert choice is not None
        assert choice.reason == "close"
        apart.append(abs(pool.table[choice.texts[0], 0] - pool.table[choice.texts[1], 0]))
    assert np.mean(apart) < 0.7  # 1.13 for any two


def test_busy_texts_are_in_no_pair() -> None:
    """Nor is a pair made of what is left when that is one text."""
    pool = make_pool(40)
    choice = choose(pool, [], turn=0, busy=frozenset(range(30)), rater="anna", seed=0, pairs=True)
    assert choice is not None
    assert min(choice.texts) >= 30
    assert choose(pool, [], turn=0, busy=frozenset(range(39)), rater="anna", seed=0, pairs=True) is None


@pytest.mark.parametrize("contexts", [(), ("a", "b") * 20, tuple("abcdefghij") * 4])
def test_taken_pairs_are_asked_no_more(contexts: tuple[str, ...]) -> None:
    """In whatever order their texts stand; others of the same texts are."""
    pool = replace(make_pool(40), contexts=contexts)
    taken: set[tuple[int, ...]] = set()
    while choice := choose(pool, [], turn=0, busy=frozenset(), taken=taken, rater="anna", seed=0, pairs=True):
        assert choice.texts not in taken and choice.texts[::-1] not in taken
        taken.add(choice.texts)
    judgements = rate(pool, float, 1000, pairs=True)
    assert {frozenset(pair) for pair in taken} == {frozenset(one.asked) for one in judgements}


def test_texts_take_turns() -> None:
    """After as many pairs as half the texts hardly one was asked about thrice."""
    pool = make_pool(200)
    judgements = rate(pool, lambda i: float(pool.table[i, 0]), 80, pairs=True)
    often = np.bincount([t for one in judgements if not one.again for t in one.asked], minlength=200)
    assert often.max() <= 3
