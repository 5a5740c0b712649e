"""Who is asked what: own queues, with as much overlap as was chosen, and nothing asked twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from naturalness.errors import ProjectError
from naturalness.studio.annotate.asking import Judgement, choose
from naturalness.studio.annotate.project import PAIRS, SHARED, Answer, Project, Scale, records
from naturalness.studio.annotate.project.questions import Item, item
from tests.support.annotation_projects import Choice, Clock, InOrder, Make, ask, busy, nothing, rate
from tests.support.pools import make_pool

PAIR_SCALE = Scale(PAIRS, -1, 1)


def many(number: int) -> list[str]:
    """Different texts."""
    return [f"This is sentence number {n}." for n in range(number)]


def test_an_open_question_comes_again(make: Make) -> None:
    """In another window, and after a restart."""
    project = make()
    question = project.next_question("ann", InOrder(project, "ann"))
    assert question is not None
    assert (question.number, question.texts, question.reason) == (1, (0,), "random")
    assert project.next_question("ann", InOrder(project, "ann")) == question
    project.close()
    with Project.open(project.path) as reopened:
        assert reopened.next_question("ann", nothing) == question
        assert reopened.next_question("bob", nothing) is None
        assert reopened.next_question("ann", InOrder(reopened, "ann")) == question


def test_raters_get_different_texts(make: Make) -> None:
    """What is before one, or answered by one, is busy for the others."""
    project = make()
    first = project.next_question("ann", InOrder(project, "ann"))
    second = project.next_question("bob", InOrder(project, "bob"))
    assert first and second
    assert (first.texts, second.texts) == ((0,), (1,))
    assert busy(project, "ann") == {0, 1}
    assert busy(project, "cid") == {0, 1}
    project.answer(first, Answer(3))
    # Of the rater's own it may be asked again, so it is not busy.
    assert busy(project, "ann") == {1}
    assert busy(project, "bob") == {0, 1}
    assert ask(project, "bob", (0,)) is None
    assert ask(project, "ann", (0,)) is None
    assert ask(project, "ann", (0,), again=True) is not None


def test_nothing_is_asked_again_that_was_not_rated(make: Make) -> None:
    """Neither what is new, nor what was skipped, nor what was undone."""
    project = make()
    rate(project, "ann", 1, None)
    rate(project, "ann", 2, 4)
    project.undo("ann")
    assert [ask(project, "ann", (text,), again=True) for text in (0, 1, 2)] == [None] * 3


def test_a_skipped_text_is_for_others(make: Make) -> None:
    """Its rater is not asked again."""
    project = make()
    rate(project, "ann", 0, None)
    assert busy(project, "ann") == {0}
    assert busy(project, "bob") == frozenset()
    question = project.next_question("ann", InOrder(project, "ann"))
    assert question is not None
    assert question.texts == (1,)
    project.undo("ann")
    assert project.next_question("ann", nothing) is not None


def test_every_text_is_asked_once_and_then_none(make: Make) -> None:
    """Two raters in turn share all texts."""
    project = make(many(9))
    for turn in range(9):
        rater = ("ann", "bob")[turn % 2]
        question = project.next_question(rater, InOrder(project, rater))
        assert question is not None
        project.answer(question, Answer(2))
    assert sorted(r.question.texts[0] for r in project.ratings()) == list(range(9))
    assert project.next_question("ann", InOrder(project, "ann")) is None


@pytest.mark.parametrize(("raters", "share"), [(2, 1.0), (3, 1.0), (2, 0.3)])
def test_overlap(make: Make, raters: int, share: float) -> None:
    """So many raters answer each of a share of the texts, one the others; nobody any twice."""
    project = make(many(60), overlap=raters, overlap_share=share, seed=5)
    names, done = ["ann", "bob", "cid"], 0
    while done < len(names):
        done = 0
        for rater in names:
            question = project.next_question(rater, InOrder(project, rater))
            if question is None:
                done += 1
            else:
                project.answer(question, Answer(2))
    who = Counter(r.question.texts[0] for r in project.ratings())
    each = Counter((r.question.rater, r.question.texts) for r in project.ratings())
    assert max(each.values()) == 1
    assert set(who.values()) == ({raters} if share == 1 else {1, raters})
    several = sum(many == raters for many in who.values()) / 60
    assert several == 1 if share == 1 else 0.15 < several < 0.45


def test_shared_questions_are_spread(make: Make) -> None:
    """One who comes later gets them between others, not in a row; the turn counts the others."""
    project = make(many(100), overlap=2, overlap_share=0.5)
    for text in range(40):
        rate(project, "ann", text, 3, test=text % 5 == 0)
    choose = InOrder(project, "bob")
    reasons = []
    for _ in range(30):
        question = project.next_question("bob", choose)
        assert question is not None
        reasons.append(question.reason)
        if question.reason == SHARED:
            assert question.test == (question.texts[0] % 5 == 0)
        project.answer(question, Answer(4))
    # Half of the others' texts, beside one's own: a third.
    assert reasons.count(SHARED) == 10
    assert all(SHARED in reasons[start : start + 4] for start in range(0, 28))
    assert [turn for _, turn in choose.turns] == list(range(20))


def test_a_question_left_lying_is_given_to_others(make: Make, clock: Clock) -> None:
    """After the lease; its rater is not asked again once it is answered, but may still answer."""
    project = make(lease=60.0)
    left = project.next_question("ann", InOrder(project, "ann"))
    assert left is not None
    clock.move(59)
    assert ask(project, "bob", left.texts) is None
    clock.move(2)
    taken = ask(project, "bob", left.texts)
    assert taken is not None
    assert project.next_question("ann", nothing) is None
    project.answer(taken, Answer(5))
    following = project.next_question("ann", InOrder(project, "ann"))
    assert following is not None
    assert following.texts == (1,)
    project.answer(left, Answer(2))
    assert len(project.ratings()) == 2


def test_looking_at_a_question_renews_it(make: Make, clock: Clock) -> None:
    """Who opens the page again has it for as long again."""
    project = make(lease=60.0)
    question = ask(project, "ann", (0,))
    clock.move(50)
    assert project.next_question("ann", nothing) == question
    clock.move(50)
    assert ask(project, "bob", (0,)) is None
    clock.move(50)
    assert project.next_question("ann", nothing) == question
    assert busy(project, "bob") == {0}


def test_an_undone_question_stays_with_its_rater(make: Make, clock: Clock) -> None:
    """However long that takes, even where another has answered meanwhile."""
    project = make(lease=60.0)
    rate(project, "ann", 0, 3)
    undone = project.undo("ann")
    clock.move(100)
    rate(project, "bob", 0, 5)
    assert undone is not None
    assert project.next_question("ann", nothing) == undone.question


def test_a_choice_that_is_taken_is_made_again(make: Make) -> None:
    """Another rater may be faster while one chooses; then what was taken is busy."""
    project = make()
    busy_sets: list[frozenset[int]] = []

    def choose(busy: frozenset[int], taken: frozenset[Item], turn: int) -> Choice | None:
        busy_sets.append(busy)
        if len(busy_sets) == 1:
            assert ask(project, "bob", (3,)) is not None
            return Choice((3,))
        return Choice((4,))

    question = project.next_question("ann", choose)
    assert question is not None
    assert question.texts == (4,)
    assert busy_sets == [frozenset(), frozenset({3})]


def test_a_stubborn_choice_ends(make: Make) -> None:
    """Where nothing else is ever chosen, there is no question."""
    project = make()
    rate(project, "bob", 3, 4)
    assert project.next_question("ann", lambda busy, taken, turn: Choice((3,))) is None


def test_two_windows_of_one_rater_get_one_question(make: Make) -> None:
    """Also where both choose at the same time."""
    project = make()

    def choose(busy: frozenset[int], taken: frozenset[Item], turn: int) -> Choice | None:
        assert project.next_question("ann", lambda busy, taken, turn: Choice((2,))) is not None
        return Choice((4,))

    question = project.next_question("ann", choose)
    assert question is not None
    assert question.texts == (2,)


def test_a_wider_overlap_asks_what_is_lacking(make: Make) -> None:
    """It may be changed at any time."""
    project = make(many(4))
    for text in range(4):
        rate(project, "ann", text, 3)
    assert project.next_question("bob", InOrder(project, "bob")) is None
    project.settings.set_overlap(2)
    question = project.next_question("bob", InOrder(project, "bob"))
    assert question is not None
    assert question.reason == SHARED


@pytest.mark.parametrize("texts", [(), (5,), (-1,), (0, 1)])
def test_texts_that_are_none(make: Make, texts: tuple[int, ...]) -> None:
    """One number of a text."""
    with pytest.raises(ProjectError, match="expected"):
        make().next_question("ann", lambda *_: Choice(texts))


def test_pairs_are_taken_one_by_one(make: Make) -> None:
    """A text stands in many pairs; the same two in the other order are the same pair."""
    project = make(scale=PAIR_SCALE)
    rate(project, "ann", (0, 1), 1)
    assert busy(project, "bob") == frozenset()
    assert ask(project, "bob", (1, 0)) is None
    assert ask(project, "ann", (1, 0)) is None
    assert ask(project, "bob", (1, 2)) is not None
    assert busy(project, "ann") == {1, 2}
    assert ask(project, "ann", (1, 0), again=True) is not None
    for texts in ((3,), (3, 3)):
        with pytest.raises(ProjectError, match="expected 2 of different"):
            project.next_question("cid", lambda *_, texts=texts: Choice(texts))


def asked(
    project: Project, rater: str, answer: Callable[[int], float | None], contexts: tuple[str, ...] = ()
) -> set[Item]:
    """Return the pairs that a rater gets until nothing is left; each is answered by its number from 0."""
    pool = replace(make_pool(len(project.texts())), contexts=contexts)
    pairs: list[Item] = []

    def chosen(busy: frozenset[int], taken: frozenset[Item], turn: int) -> records.Choice | None:
        judgements = [
            Judgement(r.question.texts[0], r.answer.value, False, r.question.again, rater, other=r.question.texts[1])
            for r in project.ratings()
            if r.answer.value is not None and r.question.rater == rater
        ]
        return choose(pool, judgements, turn=turn, busy=busy, taken=taken, rater=rater, seed=0, pairs=True)

    while question := project.next_question(rater, chosen):
        project.answer(question, Answer(answer(len(pairs))))
        if not question.again:
            pairs.append(item(question.texts))
    assert len(set(pairs)) == len(pairs)
    return set(pairs)


@pytest.mark.parametrize("skipped", [range(1), range(8), range(2, 200, 3)])
def test_skipped_pairs_leave_the_others_of_their_texts(make: Make, skipped: range) -> None:
    """A rater who skips gets all the pairs that one who does not gets."""
    every = asked(make(many(9), PAIR_SCALE, "all.project"), "ann", lambda number: 1.0)
    assert len(every) >= 15
    assert asked(make(many(9), PAIR_SCALE), "ann", lambda number: None if number in skipped else 1.0) == every


def test_skipped_pairs_of_a_context_are_no_end(make: Make) -> None:
    """However many are skipped in a row."""
    contexts = tuple(f"context {n % 2}" for n in range(12))
    every = asked(make(many(12), PAIR_SCALE, "all.project"), "ann", lambda number: 1.0, contexts)
    assert all(contexts[first] == contexts[second] for first, second in every)
    assert asked(make(many(12), PAIR_SCALE), "ann", lambda number: None, contexts) == every


def test_pairs_that_others_answered_are_no_end(make: Make) -> None:
    """Of few texts, another rater gets what the first has left."""
    every = asked(make(many(9), PAIR_SCALE, "all.project"), "ann", lambda number: 1.0)
    project = make(many(9), PAIR_SCALE)
    for pair in sorted(every)[::2]:
        rate(project, "ann", pair, 1)
    assert asked(project, "bob", lambda number: 1.0) == set(sorted(every)[1::2])


def test_pairs_overlap_too(make: Make) -> None:
    """The pair that another has answered comes as it stood there."""
    project = make(scale=PAIR_SCALE, overlap=2)
    rate(project, "ann", (3, 1), 1)
    question = project.next_question("bob", lambda busy, taken, turn: Choice((0, 2)))
    assert question is not None
    assert (set(question.texts), question.reason) == ({1, 3}, SHARED)
