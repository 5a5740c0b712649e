"""A project at work: its file, its texts as they are measured, the model as it learns.

All that pages ask for and do goes through here, from several threads at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.annotate.asking.choosing import choose
from naturalness.annotate.asking.pool import Choice
from naturalness.annotate.pages.measuring import Measuring
from naturalness.annotate.pages.teaching import State, Teaching, as_given
from naturalness.annotate.project import PAIRS, Answer, Project, Question, Rating
from naturalness.annotate.project.settings import check_rater
from naturalness.errors import ProjectError
from naturalness.web.refusals import Refusal

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel

IDENTITY, GOAL = "identity", "goal"
"""Settings: what tells this project from another at the same address; how many texts to rate."""
NONE = -1
"""The number of no question."""
USUAL_GOAL = 400
"""Texts, where nothing is said: some hours of work at most, and enough for a first model."""


class Desk:
    """What the pages of one project stand on."""

    def __init__(self, project: Project, measuring: Measuring, *, model: NaturalnessModel | None = None) -> None:
        """``model`` gives the opinion that is shown until the project's own has learned."""
        self.project = project
        self.measuring = measuring
        self.model = model
        self.teaching = Teaching(self._state, project.scale)
        measuring.told = self.teaching.wake
        self.identity = self._identity()
        """By which browsers keep apart what they keep of projects."""
        self.shown: dict[str, int] = {}
        """The question that each rater was shown last, in whatever window; `NONE` where none was
        left."""

    def start(self) -> None:
        """Measure and learn in the background from now on."""
        self.measuring.start()
        self.teaching.start()

    def close(self) -> None:
        """End what runs in the background, and close the file."""
        self.measuring.stop()
        self.teaching.stop()
        self.project.close()

    @property
    def goal(self) -> int:
        """Texts to rate, as the project was told, or as many as usually do."""
        texts = len(self.project.texts())
        return min(texts, int(self.project.setting(GOAL, USUAL_GOAL)))

    @property
    def version(self) -> str:
        """Changes when there is something new to see."""
        return f"{self.teaching.version}.{self.measuring.done}.{len(self.project.settled())}"

    def checked_name(self, name: object) -> str:
        """The name of a rater, or a refusal in words."""
        if not isinstance(name, str):
            raise Refusal(422, "expected the name of a rater")
        return check_rater(name)

    def known_name(self, name: str) -> str:
        """A name as a cookie has it; empty where it is none."""
        try:
            return check_rater(name)
        except ProjectError:
            return ""

    def next(self, rater: str) -> Question | None:
        """What to ask a rater now: what is open, or something new; None where nothing is left."""
        scale = self.project.scale

        def chosen(busy: frozenset[int], turn: int) -> Choice | None:
            pool, given = self._state()
            return choose(
                pool,
                given,
                scale.low,
                scale.high,
                turn=turn,
                busy=busy,
                rater=rater,
                seed=self.project.seed,
                pairs=scale.kind == PAIRS,
            )

        found = self.project.next_question(rater, chosen)
        self.shown[rater] = NONE if found is None else found.number
        return found

    def answer(self, number: int, answer: Answer) -> Rating:
        """Store an answer, and have it learned from."""
        rating = self.project.answer(number, answer)
        self.teaching.wake()
        return rating

    def undo(self, rater: str, number: int) -> None:
        """Take back this rater's last answer, which is that to the question of this number.

        Asked again, because the first reply was lost on the way, nothing more is taken back.
        """
        self.project.undo(rater, number)
        self.teaching.wake()

    def answered(self, rater: str) -> list[Rating]:
        """What a rater has answered or skipped, in that order."""
        return [r for r in self.project.ratings(skipped=True) if r.question.rater == rater]

    def opinions(self, texts: Sequence[int]) -> tuple[str, list[float]]:
        """Who judges, and the naturalness of texts in 0..1; NaN where it is not known."""
        taught = self.teaching.taught
        if taught is not None and taught.known:
            return "your model", [float(taught.naturalness[text]) for text in texts]
        if self.model is None:
            return "", [float("nan")] * len(texts)
        table = self.measuring.pool.table[list(texts)]
        unknown = [bool(np.isnan(row).all()) for row in table]
        found, _ = self.model.judge(table[:, self.model.places()])
        return f"the model {self.model.name}", [
            float("nan") if gone else float(value) for value, gone in zip(found, unknown, strict=True)
        ]

    def _state(self) -> State:
        return self.measuring.pool, as_given(self.project.ratings())

    def _identity(self) -> str:
        found = self.project.setting(IDENTITY)
        if not isinstance(found, str):
            found = secrets.token_hex(8)
            self.project.set_setting(IDENTITY, found)
        return found
