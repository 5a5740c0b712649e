"""Small projects, and a clock that tests set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from naturalness.studio.annotate.project import POINTS, Answer, Project, Question, Rating, Scale, questions
from naturalness.studio.annotate.project.records import TextChoice

SCALE = Scale(POINTS, 1, 6)
TEXTS = (
    "The lamp on the desk is broken.",
    "She have two brother in Leeds.",
    "We walked home after the film.",
    "Rain the all day fell.",
    "Nobody knew where the keys were.",
)
Make = Callable[..., Project]


@dataclass
class Clock:
    """A clock that only ``move`` advances."""

    at: datetime = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def move(self, seconds: float) -> None:
        """Advance the clock."""
        self.at += timedelta(seconds=seconds)


def choice(text: int, reason: str = "random", wording: str = "drawn at random", **flags: bool) -> TextChoice:
    """Return the choice of a text."""
    return TextChoice(text, reason, wording, **flags)


@dataclass
class InOrder:
    """Choose the first text that is neither busy nor rated by the rater, and record the calls."""

    project: Project
    rater: str
    turns: list[tuple[frozenset[int], int]] = field(default_factory=list)

    def __call__(self, busy: frozenset[int], turn: int) -> TextChoice | None:
        self.turns.append((busy, turn))
        ratings = self.project.ratings()
        had = {r.question.text for r in ratings if r.question.rater == self.rater}
        free = [t.number for t in self.project.texts() if t.number not in busy | had]
        return choice(free[0]) if free else None


def nothing(*_: Any) -> None:
    """Choose nothing new, so that `Project.next_question` returns an open question or None."""


def ask(project: Project, rater: str, text: int, *, again: bool = False, **more: Any) -> Question | None:
    """Ask a rater about a text; return None if it is taken."""
    with project._store.writing() as db:
        if not project._queue(db, rater).free(text, again=again):
            return None
        return questions.add(db, rater, choice(text, again=again, **more), project._store.time())


def busy(project: Project, rater: str) -> frozenset[int]:
    """Return the texts that are not to be chosen for a rater."""
    with project._store.reading() as db:
        return project._queue(db, rater).busy()


def rate(project: Project, rater: str, text: int, value: float | None, **more: Any) -> Rating:
    """Ask a question and answer it."""
    flags = {name: more.pop(name, False) for name in ("again", "test")}
    question = ask(project, rater, text, **flags)
    assert question is not None
    return project.answer(question, Answer(value, **more))
