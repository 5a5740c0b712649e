"""Answers are stored, undone and read back."""

from __future__ import annotations

import math

import pytest

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project import LABELS, SLIDER, Answer, Project, Scale
from tests.support.annotation_projects import TEXTS, Clock, Make, ask, choice, nothing, rate

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
        with pytest.raises(ProjectError, match=r"the rating .* expected"):
            project.answer(question, Answer(value))
        assert project.next_question("ann", nothing) == question
    for value in accepted:
        assert project.answer(question, Answer(value)).answer.value == value
        project.undo("ann")


def test_other_mistakes_of_the_page_cost_no_answer(make: Make) -> None:
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
