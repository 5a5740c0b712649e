"""An answer counts once, an undone one not at all, and none is ever lost."""

from __future__ import annotations

import math

import pytest

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project import LABELS, PAIRS, SLIDER, AlreadyAnswered, Answer, Progress, Project, Scale
from tests.support.annotation_projects import TEXTS, Choice, Clock, Make, ask, nothing, rate


def test_an_answer_keeps_all_that_was_said(make: Make, clock: Clock) -> None:
    """And when; it is there after the file is opened again."""
    project = make()
    question = ask(project, "ann", (1,), reason="causes", wording="few slips", test=True)
    assert question is not None
    clock.move(12)
    said = Answer(2, "have → has", "agreement", ((4, 8), (0, 3)), 11.5)
    rating = project.answer(question, said)
    assert rating.question == question
    assert rating.answer == Answer(2.0, "have → has", "agreement", ((0, 3), (4, 8)), 11.5)
    assert rating.at == "2030-01-01T00:00:12.000+00:00"
    project.close()
    with Project.open(project.path) as reopened:
        assert reopened.ratings() == [rating]
        assert reopened.question(question.number) == question


def test_the_same_answer_twice_is_one(make: Make) -> None:
    """The page sends it again where it heard nothing; the time it took may differ then."""
    project = make()
    first = rate(project, "ann", 0, 4, note="fine", seconds=2.0)
    again = project.answer(first.question.number, Answer(4, "fine", seconds=9.0))
    assert again == first
    assert project.ratings() == [first]


def test_another_answer_needs_an_undo(make: Make) -> None:
    """Two windows with one question: the second to answer is told what counts."""
    project = make()
    first = rate(project, "ann", 0, 4)
    with pytest.raises(AlreadyAnswered) as caught:
        project.answer(first.question, Answer(1))
    assert caught.value.rating == first
    assert project.ratings() == [first]
    assert project.undo("ann") == first
    other = rate(project, "ann", 1, 3)
    second = project.answer(first.question, Answer(1))
    assert project.ratings() == [other, second]


def test_undo_goes_back_step_by_step(make: Make) -> None:
    """Answers and skips alike; questions come again in their order, with the old answer."""
    project = make()
    ratings = [rate(project, "ann", text, value) for text, value in ((0, 1), (1, None), (2, 3))]
    other = rate(project, "bob", 3, 5)
    waiting = ask(project, "ann", (4,))
    assert [project.undo("ann") for _ in range(4)] == [*reversed(ratings), None]
    assert project.ratings(skipped=True) == [other]
    for rating in ratings:
        question = project.next_question("ann", nothing)
        assert question == rating.question
        assert project.undone(question) == rating.answer
        project.answer(question, rating.answer)
    assert project.next_question("ann", nothing) == waiting
    assert waiting is not None
    assert project.undone(waiting) is None
    # The last answer is undone, whichever question it belongs to.
    project.undo("ann")
    project.undo("ann")
    project.answer(ratings[2].question, Answer(6))
    undone = project.undo("ann")
    assert undone is not None
    assert (undone.question, undone.answer.value) == (ratings[2].question, 6.0)


def test_a_skip_is_no_rating(make: Make) -> None:
    """It is stored, counted, and idempotent as answers are."""
    project = make()
    question = ask(project, "ann", (0,))
    assert question is not None
    skipped = project.answer(question, Answer(None, seconds=3.0))
    assert project.answer(question, Answer(None)) == skipped
    assert project.ratings() == []
    assert project.ratings(skipped=True) == [skipped]
    with pytest.raises(AlreadyAnswered):
        project.answer(question, Answer(3))


@pytest.mark.parametrize(
    ("scale", "value", "accepted"),
    [
        (Scale("points", 1, 6), 6, True),
        (Scale("points", 1, 6), 7, False),
        (Scale("points", 1, 6), 2.5, False),
        (Scale("points", 1, 6), math.nan, False),
        (Scale(SLIDER, 0, 100), 33.3, True),
        (Scale(SLIDER, 0, 100), -0.1, False),
        (Scale(SLIDER, 0, 100), math.inf, False),
        (Scale(LABELS, 0, 2, ("bad", "so-so", "good")), 2, True),
        (Scale(LABELS, 0, 2, ("bad", "so-so", "good")), 3, False),
    ],
)
def test_ratings_are_on_the_scale(make: Make, scale: Scale, value: float, accepted: bool) -> None:
    """Others are refused, and the question stays open."""
    project = make(scale=scale)
    question = ask(project, "ann", (0,))
    assert question is not None
    if accepted:
        assert project.answer(question, Answer(value)).answer.value == value
    else:
        with pytest.raises(ProjectError, match=r"the rating .* expected"):
            project.answer(question, Answer(value))
        assert project.next_question("ann", nothing) == question


@pytest.mark.parametrize(("value", "accepted"), [(1, True), (0, True), (-1, True), (0.5, False)])
def test_of_two_texts_one_is_better_or_neither(make: Make, value: float, accepted: bool) -> None:
    """1 the first, -1 the second, 0 neither."""
    project = make(scale=Scale(PAIRS, -1, 1))
    question = ask(project, "ann", (2, 0))
    assert question is not None
    if accepted:
        assert project.answer(question, Answer(value)).question.texts == (2, 0)
    else:
        with pytest.raises(ProjectError, match="expected a whole number"):
            project.answer(question, Answer(value))


def test_slips_of_the_page_cost_no_answer(make: Make) -> None:
    """Marks outside of the text, half characters, times that are none."""
    project = make()
    marks = ((-3, 2), (3, 3), (9, 4), (len(TEXTS[0]) - 1, 999), (-3, 2))
    rating = rate(project, "ann", 0, 3, note="odd \ud800", cause="\udfff", marks=marks, seconds=math.nan)
    end = len(TEXTS[0])
    assert rating.answer == Answer(3.0, "odd \ufffd", "\ufffd", ((0, 2), (end - 1, end)), 0.0)
    assert project.ratings() == [rating]


@pytest.mark.parametrize("note", ["", "line\nline", "nul \0 inside", "'; DROP TABLE answers; --", "<script>", "𝔘🙂"])
def test_notes_are_kept_as_they_are(make: Make, note: str) -> None:
    """Whatever is written in them."""
    project = make([(f"A text{note}.", {"note": note})])
    rate(project, "ann", 0, 3, note=note)
    project.close()
    with Project.open(project.path) as reopened:
        assert reopened.ratings()[0].answer.note == note
        assert reopened.texts()[0].text == f"A text{note}."


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101, "\ud800"])
def test_names_that_are_none(make: Make, name: str) -> None:
    """A rater has a name of one line."""
    with pytest.raises(ProjectError, match="of a rater; expected"):
        make().next_question(name, nothing)


@pytest.mark.parametrize("name", ["=1+1", "@ann", "-ann", " +1", "\uff1d1", "\uff0bann", "\uff20ann"])
def test_names_that_are_formulas(make: Make, name: str) -> None:
    """For a spreadsheet that opens an export."""
    with pytest.raises(ProjectError) as caught:
        make().next_question(name, nothing)
    stripped = name.strip()
    assert str(caught.value) == (
        f"the name {stripped!r} of a rater begins with {stripped[0]!r}, which a spreadsheet takes for a formula; "
        "begin it with a letter or a digit"
    )


def test_blanks_around_a_name_do_not_matter(make: Make) -> None:
    """A name typed twice is one rater."""
    project = make()
    question = project.next_question("Ann Lee ", lambda *_: Choice((0,), "random", ""))
    assert question is not None and question.rater == "Ann Lee"
    project.answer(question, Answer(3))
    assert project.undo(" Ann Lee") is not None


def test_progress(make: Make) -> None:
    """Of one rater, and of all."""
    project = make()
    rate(project, "ann", 0, 3)
    rate(project, "ann", 1, None)
    rate(project, "ann", 0, 4, again=True)
    rate(project, "bob", 2, 6)
    rate(project, "cid", 3, 6)
    project.undo("cid")
    assert [project.progress(rater) for rater in ("ann", None, "cid")] == [
        Progress(1, 2),
        Progress(2, 3),
        Progress(0, 0),
    ]
    assert project.raters() == ["ann", "bob", "cid"]


def test_a_correction_replaces_the_answer_and_keeps_it(make: Make, clock: Clock) -> None:
    """The last one counts and is exported; all stay in the file, and the time that the first took."""
    project = make()
    first = rate(project, "ann", 0, 4, note="fine", seconds=7.0)
    other = rate(project, "ann", 1, 3)
    clock.move(60)
    second = project.correct(first.question, Answer(2, "odd", "order", ((0, 3),)))
    assert second.answer == Answer(2.0, "odd", "order", ((0, 3),), 7.0)
    assert second.at > other.at
    assert project.ratings() == [other, second]
    third = project.correct(first.question.number, Answer(None))
    assert project.ratings() == [other] and project.ratings(skipped=True) == [other, third]
    assert project.earlier("ann") == {first.question.number: [first.answer, second.answer]}
    assert project.earlier("bob") == {}
    with pytest.raises(ProjectError, match="a whole number from 1 to 6"):
        project.correct(first.question, Answer(9))
    project.close()
    with Project.open(project.path) as reopened:
        assert reopened.ratings() == [other]
        assert len(reopened.earlier("ann")[first.question.number]) == 2


def test_the_same_correction_twice_is_one(make: Make, clock: Clock) -> None:
    """The page sends it again where it heard nothing; the answer that is there already is no correction either."""
    project = make()
    first = rate(project, "ann", 0, 4, seconds=7.0)
    assert project.correct(first.question, Answer(4, seconds=1.0)) == first
    second = project.correct(first.question, Answer(2))
    clock.move(60)
    assert project.correct(first.question, Answer(2)) == second
    assert project.earlier("ann") == {first.question.number: [first.answer]}


def test_what_was_taken_back_is_not_corrected(make: Make) -> None:
    """Its question is open; a correction is taken back like any answer."""
    project = make()
    first = rate(project, "ann", 0, 4)
    second = project.correct(first.question, Answer(2))
    assert project.undo("ann") == second
    with pytest.raises(ProjectError, match="no answer to correct"):
        project.correct(first.question, Answer(2))
    assert project.answer(first.question, Answer(3)).answer.value == 3.0
