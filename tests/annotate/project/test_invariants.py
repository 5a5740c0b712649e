"""Whatever raters do, in whatever order: nothing is lost, and nothing counts twice."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from naturalness.annotate.project import AlreadyAnswered, Answer, Project, Question
from tests.annotate.project.conftest import SCALE, Clock, InOrder

raters = st.sampled_from(["ann", "bob", "cid"])
values = st.sampled_from([1.0, 2.0, 6.0, None])


class Annotating(RuleBasedStateMachine):
    """A project beside a list of what should be in force, in the order of the answers."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.asked: dict[int, Question] = {}
        self.given: dict[str, list[tuple[int, Answer]]] = {}

    @initialize(overlap=st.integers(1, 3), share=st.sampled_from([0.0, 0.5, 1.0]))
    def make(self, overlap: int, share: float) -> None:
        """A few texts, so that they run out."""
        rows = [(f"Text number {number}.", {}) for number in range(6)]
        self.overlap = overlap
        self.project = Project.create(
            Path(self.folder.name) / "p",
            rows,
            SCALE,
            overlap=overlap,
            overlap_share=share,
            lease=60.0,
            clock=self.clock,
        )

    def teardown(self) -> None:
        """Nothing stays behind."""
        self.project.close()
        self.folder.cleanup()

    @rule(rater=raters)
    def ask(self, rater: str) -> None:
        """What comes next; the same again until it is answered."""
        question = self.project.next_question(rater, InOrder(self.project, rater))
        if question is not None:
            assert question.rater == rater
            assert self.project.next_question(rater, lambda busy, turn: None) == question
            self.asked[question.number] = question

    @rule(rater=raters, text=st.integers(0, 5))
    def ask_again(self, rater: str, text: int) -> None:
        """Only what this rater has rated, and not while it is open."""
        own = [r for r in self.project.ratings() if r.question.rater == rater]
        question = self.project.ask(rater, (text,), again=True)
        if question is not None:
            assert text in {rating.question.texts[0] for rating in own}
            self.asked[question.number] = question

    @rule(data=st.data(), value=values)
    def answer(self, data: st.DataObject, value: float | None) -> None:
        """Any question that was ever asked, open or not."""
        if not self.asked:
            return
        question = self.asked[data.draw(st.sampled_from(sorted(self.asked)))]
        before = dict(self._in_force())
        answer = Answer(value, note=f"{question.number}")
        try:
            rating = self.project.answer(question, answer)
        except AlreadyAnswered as error:
            assert before[question.number] == error.rating.answer != answer
            return
        assert rating.answer == answer
        if question.number in before:
            assert before[question.number] == answer
        else:
            self.given.setdefault(question.rater, []).append((question.number, answer))

    @rule(rater=raters)
    def undo(self, rater: str) -> None:
        """The last answer of this rater, and no one else's."""
        taken = self.project.undo(rater)
        own = self.given.get(rater, [])
        if own:
            number, answer = own.pop()
            assert taken is not None
            assert (taken.question.number, taken.answer) == (number, answer)
            assert self.project.undone(number) == answer
        else:
            assert taken is None

    @rule()
    def reopen(self) -> None:
        """As after a restart."""
        path = self.project.path
        self.project.close()
        self.project = Project.open(path, clock=self.clock)

    @rule(seconds=st.sampled_from([1.0, 45.0, 300.0]))
    def wait(self, seconds: float) -> None:
        """Questions may become stale."""
        self.clock.move(seconds)

    def _in_force(self) -> list[tuple[int, Answer]]:
        return [one for own in self.given.values() for one in own]

    @invariant()
    def nothing_is_lost_or_double(self) -> None:
        """In force is exactly what was given and not undone."""
        ratings = self.project.ratings(skipped=True)
        found = [(rating.question.number, rating.answer) for rating in ratings]
        assert sorted(found, key=lambda one: one[0]) == sorted(self._in_force(), key=lambda one: one[0])
        assert all(self.asked[r.question.number] == r.question for r in ratings)

    @invariant()
    def nobody_is_asked_the_same_at_once(self) -> None:
        """A text is open once before one rater, unless it was undone or is asked again."""
        answered = {number for number, _ in self._in_force()}
        fresh = [(one.rater, one.texts) for one in self.asked.values() if one.number not in answered and not one.again]
        assert max(Counter(fresh).values(), default=1) == 1


Annotating.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestAnnotating = Annotating.TestCase
