"""The queue of each rater, the overlap between raters, and answers that are stored, undone and read back."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project import LABELS, SLIDER, Answer, Project, Scale
from naturalness.studio.annotate.project.questions import SHARED
from naturalness.studio.annotate.project.records import TextChoice
from tests.support.annotation_projects import TEXTS, Clock, InOrder, Make, ask, busy, choice, nothing, rate

LEASE = 900


def many(number: int) -> list[str]:
    """Return different texts."""
    return [f"This is sentence number {n}." for n in range(number)]


def test_text_of_one_rater_is_busy_for_others(make: Make) -> None:
    """An open or answered text is busy for others; its own rater may be asked again."""
    project = make()
    first = project.next_question("ann", InOrder(project, "ann"))
    second = project.next_question("bob", InOrder(project, "bob"))
    assert first and second
    assert (first.text, second.text) == (0, 1)
    assert busy(project, "ann") == busy(project, "cid") == {0, 1}
    project.answer(first, Answer(3))
    assert (busy(project, "ann"), busy(project, "bob")) == ({1}, {0, 1})
    assert ask(project, "bob", 0) is None
    assert ask(project, "ann", 0) is None
    assert ask(project, "ann", 0, again=True) is not None


def test_skipped_text_is_left_to_others(make: Make) -> None:
    """A rater is not asked again about a skipped text, unless the skip is undone."""
    project = make()
    rate(project, "ann", 0, None)
    assert (busy(project, "ann"), busy(project, "bob")) == ({0}, frozenset())
    question = project.next_question("ann", InOrder(project, "ann"))
    assert question is not None and question.text == 1
    project.undo("ann")
    assert project.next_question("ann", nothing) is not None


@pytest.mark.parametrize(("raters", "share"), [(1, 1.0), (2, 1.0), (3, 1.0), (2, 0.3)])
def test_each_text_has_as_many_raters_as_the_overlap(make: Make, raters: int, share: float) -> None:
    """The overlap applies to a share of the texts; nobody rates a text twice."""
    project = make(many(60))
    project.settings.set_overlap(raters, share)
    names, done = ["ann", "bob", "cid"], 0
    while done < len(names):
        done = 0
        for rater in names:
            question = project.next_question(rater, InOrder(project, rater))
            if question is None:
                done += 1
            else:
                project.answer(question, Answer(2))
    who = Counter(r.question.text for r in project.ratings())
    each = Counter((r.question.rater, r.question.text) for r in project.ratings())
    assert len(who) == 60 and max(each.values()) == 1
    assert set(who.values()) == ({raters} if share == 1 else {1, raters})
    several = sum(n == raters for n in who.values()) / 60
    assert several == 1 if share == 1 else 0.15 < several < 0.45


def test_shared_questions_are_spread(make: Make) -> None:
    """Shared questions are spread among the others, and do not count as turns."""
    project = make(many(100))
    project.settings.set_overlap(2, 0.5)
    for text in range(40):
        rate(project, "ann", text, 3, test=text % 5 == 0)
    choose = InOrder(project, "bob")
    reasons = []
    for _ in range(30):
        question = project.next_question("bob", choose)
        assert question is not None
        reasons.append(question.reason)
        if question.reason == SHARED:
            assert question.test == (question.text % 5 == 0)
        project.answer(question, Answer(4))
    # Half of the other rater's texts, beside one's own: a third.
    assert reasons.count(SHARED) == 10
    assert all(SHARED in reasons[start : start + 4] for start in range(0, 28))
    assert [turn for _, turn in choose.turns] == list(range(20))


def test_overlap_can_be_raised_later(make: Make) -> None:
    """After the overlap is raised, rated texts are shared with other raters."""
    project = make(many(4))
    for text in range(4):
        rate(project, "ann", text, 3)
    assert project.next_question("bob", InOrder(project, "bob")) is None
    project.settings.set_overlap(2)
    question = project.next_question("bob", InOrder(project, "bob"))
    assert question is not None and question.reason == SHARED


def test_abandoned_question_is_given_to_others(make: Make, clock: Clock) -> None:
    """The first rater may still answer, but is not asked again after another rater's answer."""
    project = make()
    left = project.next_question("ann", InOrder(project, "ann"))
    assert left is not None
    clock.move(LEASE - 1)
    assert ask(project, "bob", left.text) is None
    clock.move(2)
    taken = ask(project, "bob", left.text)
    assert taken is not None
    assert project.next_question("ann", nothing) is None
    project.answer(taken, Answer(5))
    following = project.next_question("ann", InOrder(project, "ann"))
    assert following is not None and following.text == 1
    project.answer(left, Answer(2))
    assert len(project.ratings()) == 2


def test_reopening_the_page_restarts_the_lease(make: Make, clock: Clock) -> None:
    """The question stays reserved for its rater."""
    project = make()
    question = ask(project, "ann", 0)
    clock.move(LEASE - 10)
    assert project.next_question("ann", nothing) == question
    clock.move(LEASE - 10)
    assert ask(project, "bob", 0) is None
    clock.move(20)
    assert project.next_question("ann", nothing) == question
    assert busy(project, "bob") == {0}


def test_undone_question_stays_with_its_rater(make: Make, clock: Clock) -> None:
    """A rater can answer an undone question even after another rater's answer."""
    project = make()
    rate(project, "ann", 0, 3)
    undone = project.undo("ann")
    clock.move(LEASE + 1)
    rate(project, "bob", 0, 5)
    assert undone is not None
    assert project.next_question("ann", nothing) == undone.question


def test_choice_is_repeated_if_another_rater_was_faster(make: Make) -> None:
    """A text that another rater took in the meantime is busy in the next attempt."""
    project = make()
    busy_sets: list[frozenset[int]] = []

    def choose(busy: frozenset[int], turn: int) -> TextChoice | None:
        busy_sets.append(busy)
        if len(busy_sets) == 1:
            assert ask(project, "bob", 3) is not None
            return choice(3)
        return choice(4)

    question = project.next_question("ann", choose)
    assert question is not None and question.text == 4
    assert busy_sets == [frozenset(), frozenset({3})]
    assert project.next_question("cid", lambda busy, turn: choice(3)) is None


LABELLED = Scale(LABELS, 0, 2, ("bad", "so-so", "good"))


def test_answer_is_stored_with_everything_and_its_time(make: Make, clock: Clock) -> None:
    """A reopened project has the same answer."""
    project = make()
    question = ask(project, "ann", 1, reason="causes", wording="few slips", test=True)
    assert question is not None
    clock.move(12)
    rating = project.answer(question, Answer(2, "have → has", "agreement", ((4, 8), (0, 3)), 11.5))
    assert rating.question == question
    assert rating.answer == Answer(2.0, "have → has", "agreement", ((0, 3), (4, 8)), 11.5)
    assert rating.at == "2030-01-01T00:00:12.000+00:00"
    project.close()
    with Project.open(project.path) as reopened:
        assert reopened.ratings() == [rating]
        assert reopened.question(question.number) == question


@pytest.mark.parametrize(
    ("scale", "accepted", "refused"),
    [
        (Scale("points", 1, 6), (6,), (0, 7, 2.5, math.nan, math.inf, True, "3")),
        (Scale(SLIDER, 0, 100), (33.3,), (-0.1, 101, math.inf)),
        (LABELLED, (2,), (3, 1.5)),
    ],
)
def test_rating_must_be_on_the_scale(
    make: Make, scale: Scale, accepted: tuple[float, ...], refused: tuple[float, ...]
) -> None:
    """A value outside the scale is refused, and the question stays open."""
    project = make(scale=scale)
    question = ask(project, "ann", 0)
    assert question is not None
    for value in refused:
        with pytest.raises(ProjectError, match=r"found rating .* expected"):
            project.answer(question, Answer(value))
        assert project.next_question("ann", nothing) == question
    for value in accepted:
        assert project.answer(question, Answer(value)).answer.value == value
        project.undo("ann")


def test_malformed_fields_lose_no_answer(make: Make) -> None:
    """Marks are clipped to the text; lone surrogates and impossible durations are replaced."""
    project = make()
    end = len(TEXTS[0])
    marks = ((-3, 2), (3, 3), (9, 4), (end - 1, 999), (-3, 2))
    rating = rate(project, "ann", 0, 3, note="odd \ud800", cause="\udfff", marks=marks, seconds=math.nan)
    assert rating.answer == Answer(3.0, "odd \ufffd", "\ufffd", ((0, 2), (end - 1, end)), 0.0)
    assert project.ratings() == [rating]


@pytest.mark.parametrize("note", ["", "line\nline", "nul \0 inside", "'; DROP TABLE answers; --", "<script>", "𝔘🙂"])
def test_notes_and_texts_are_stored_unchanged(make: Make, note: str) -> None:
    """Notes and texts may contain any character."""
    project = make([(f"A text{note}.", {"note": note})])
    rate(project, "ann", 0, 3, note=note)
    project.close()
    with Project.open(project.path) as reopened:
        assert reopened.ratings()[0].answer.note == note
        assert reopened.texts()[0].text == f"A text{note}."


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101, "\ud800", "=1+1", "@ann", "-ann", " +1", "\uff1d1"])
def test_invalid_names_of_raters_are_refused(make: Make, name: str) -> None:
    """A name is one line that does not begin like a formula; surrounding white space is removed."""
    project = make()
    with pytest.raises(ProjectError, match=r"be the name of a rater; expected|takes for a formula"):
        project.next_question(name, nothing)
    question = project.next_question("Ann Lee ", lambda *_: choice(0))
    assert question is not None and question.rater == "Ann Lee"
