"""Small projects, and a clock that stands still until it is moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from naturalness.studio.annotate.project import POINTS, Answer, Project, Rating, Scale

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
    """Stands still until it is moved."""

    at: datetime = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self.at += timedelta(seconds=seconds)


@dataclass(frozen=True)
class Choice:
    """What the part that chooses would say."""

    texts: tuple[int, ...]
    reason: str = "random"
    wording: str = "drawn at random"
    test: bool = False
    again: bool = False


@dataclass
class InOrder:
    """Chooses the first text neither busy nor rated by the rater; notes what it was told."""

    project: Project
    rater: str
    turns: list[tuple[frozenset[int], int]] = field(default_factory=list)

    def __call__(self, busy: frozenset[int], taken: frozenset[tuple[int, ...]], turn: int) -> Choice | None:
        self.turns.append((busy, turn))
        ratings = self.project.ratings()
        had = {r.question.texts[0] for r in ratings if r.question.rater == self.rater}
        free = [t.number for t in self.project.texts() if t.number not in busy | had]
        return Choice((free[0],)) if free else None


def rate(project: Project, rater: str, text: int | tuple[int, ...], value: float | None, **more: Any) -> Rating:
    """Ask and answer."""
    texts = (text,) if isinstance(text, int) else text
    again = more.pop("again", False)
    question = project.ask(rater, texts, again=again, test=more.pop("test", False))
    assert question is not None
    return project.answer(question, Answer(value, **more))
