"""Raters who work at the same time, restarts, and killed processes lose no answer."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project import Answer, Project, Question
from tests.support import project_writer as writer
from tests.support.annotation_projects import SCALE, Clock, InOrder, Make, ask

raters = st.sampled_from(["ann", "bob", "cid"])
values = st.sampled_from([1.0, 2.0, 6.0, None])


class Annotating(RuleBasedStateMachine):
    """A project, with a list of the expected answers."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.asked: dict[int, Question] = {}
        self.answers: dict[str, list[tuple[int, Answer]]] = {}

    @initialize(overlap=st.integers(1, 3), share=st.sampled_from([0.0, 0.5, 1.0]))
    def make(self, overlap: int, share: float) -> None:
        """Create a project of six texts, so that raters run out of them."""
        rows = [(f"Text number {number}.", {}) for number in range(6)]
        self.project = Project.create(Path(self.folder.name) / "p", rows, SCALE, clock=self.clock)
        self.project.settings.set_overlap(overlap, share)

    def teardown(self) -> None:
        """Remove the folder."""
        self.project.close()
        self.folder.cleanup()

    @rule(rater=raters)
    def ask(self, rater: str) -> None:
        """Ask the next question; require that it stays until it is answered."""
        question = self.project.next_question(rater, InOrder(self.project, rater))
        if question is not None:
            assert question.rater == rater
            assert self.project.next_question(rater, lambda busy, turn: None) == question
            self.asked[question.number] = question

    @rule(rater=raters, text=st.integers(0, 5))
    def ask_again(self, rater: str, text: int) -> None:
        """Repeat a question that this rater has answered."""
        ratings = [r for r in self.project.ratings() if r.question.rater == rater]
        question = ask(self.project, rater, text, again=True)
        if question is not None:
            assert text in {rating.question.text for rating in ratings}
            self.asked[question.number] = question

    @rule(data=st.data(), value=values)
    def answer(self, data: st.DataObject, value: float | None) -> None:
        """Answer any question that was ever asked, open or not."""
        if not self.asked:
            return
        question = self.asked[data.draw(st.sampled_from(sorted(self.asked)))]
        before = dict(self._in_force())
        answer = Answer(value, note=f"{question.number}")
        try:
            rating = self.project.answer(question, answer)
        except ProjectError:
            assert before[question.number] != answer
            return
        assert rating.answer == answer
        if question.number in before:
            assert before[question.number] == answer
        else:
            self.answers.setdefault(question.rater, []).append((question.number, answer))

    @rule(rater=raters)
    def undo(self, rater: str) -> None:
        """Undo the latest answer of this rater."""
        taken = self.project.undo(rater)
        answers = self.answers.get(rater, [])
        if answers:
            number, answer = answers.pop()
            assert taken is not None
            assert (taken.question.number, taken.answer) == (number, answer)
            assert self.project.undone(number) == answer
        else:
            assert taken is None

    @rule()
    def reopen(self) -> None:
        """Close and open the project, as a restart does."""
        path = self.project.path
        self.project.close()
        self.project = Project.open(path, clock=self.clock)

    @rule(seconds=st.sampled_from([1.0, 600.0, 4000.0]))
    def wait(self, seconds: float) -> None:
        """Let questions expire."""
        self.clock.move(seconds)

    def _in_force(self) -> list[tuple[int, Answer]]:
        return [one for answers in self.answers.values() for one in answers]

    @invariant()
    def nothing_is_lost_or_stored_twice(self) -> None:
        """The stored answers are those that were given and not undone."""
        ratings = self.project.ratings(skipped=True)
        stored = [(rating.question.number, rating.answer) for rating in ratings]
        assert sorted(stored, key=lambda one: one[0]) == sorted(self._in_force(), key=lambda one: one[0])
        assert all(self.asked[r.question.number] == r.question for r in ratings)

    @invariant()
    def no_rater_has_two_questions_per_text(self) -> None:
        """Each rater has at most one open question per text, apart from undone and repeated ones."""
        answered = {number for number, _ in self._in_force()}
        fresh = [(one.rater, one.text) for one in self.asked.values() if one.number not in answered and not one.again]
        assert max(Counter(fresh).values(), default=1) == 1


Annotating.TestCase.settings = settings(
    max_examples=20, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestAnnotating = pytest.mark.slow(Annotating.TestCase)


def work(project: Project, rater: str, many: int) -> list[int]:
    """Ask and answer; return the numbers of the questions."""
    done = []
    for _ in range(many):
        question = project.next_question(rater, InOrder(project, rater))
        if question is None:
            break
        project.answer(question, Answer(question.number % 6 + 1))
        done.append(question.number)
    return done


def test_raters_work_at_the_same_time(make: Make) -> None:
    """Each text gets as many raters as the overlap requires, and every answer is stored."""
    project = make([f"This is sentence number {n}." for n in range(40)], overlap=2)
    with ThreadPoolExecutor(6) as pool:
        names = [f"rater {n}" for n in range(6)]
        done = list(pool.map(lambda name: work(project, name, 100), names))
    ratings = project.ratings()
    assert sorted(r.question.number for r in ratings) == sorted(n for numbers in done for n in numbers)
    assert {rating.answer.value for rating in ratings} <= {1, 2, 3, 4, 5, 6}
    assert set(Counter(rating.question.text for rating in ratings).values()) == {2}
    assert max(Counter((r.question.text, r.question.rater) for r in ratings).values()) == 1


def test_rater_works_in_several_windows(make: Make) -> None:
    """Windows may show the same question; each text is rated once."""
    project = make([f"This is sentence number {n}." for n in range(30)])

    def window(value: int) -> int:
        refused = 0
        while question := project.next_question("ann", InOrder(project, "ann")):
            try:
                project.answer(question, Answer(value))
            except ProjectError:
                refused += 1
        return refused

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(window, (1, 2, 3)))
    texts = [rating.question.text for rating in project.ratings()]
    assert sorted(texts) == list(range(30))


ROOT = Path(writer.__file__).parents[2]


def start(path: Path, rater: str = "ann") -> subprocess.Popen[bytes]:
    """Start a process that answers until it is killed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.project_writer", str(path), rater],
        stdout=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )


def kill(process: subprocess.Popen[bytes], after: int, wait: float) -> list[list[str]]:
    """Kill a process some seconds after a line of its output; return the words of each line."""
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(after)]
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split(b"\n")[:-1]  # what follows the last line end is cut short
    process.stdout.close()
    process.wait()
    return [line.decode().split() for line in (*lines, *rest)]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing to kill with")
@pytest.mark.parametrize("kills", range(3))
def test_no_confirmed_answer_is_lost_if_the_process_is_killed(make: Make, kills: int) -> None:
    """Only the answer that was being stored may be missing."""
    project = make([f"This is sentence number {n}." for n in range(3000)])
    project.close()
    rng = random.Random(kills)
    for _ in range(2):  # the second one takes up the log that the first has left
        before = _values(project.path)
        said = kill(start(project.path), rng.randrange(3, 40), rng.choice([0.0, rng.random() / 50]))
        expected = dict(before)
        for kind, number, *value in said:
            if kind == "+":
                expected[int(number)] = float(value[0])
            elif kind == "-":
                del expected[int(number)]
        actual = _values(project.path)
        # The last line says what was being stored: an answer or an undo that was not confirmed.
        open_end = int(said[-1][1]) if said[-1][0] == "?" else None
        certain = {n: v for n, v in expected.items() if n != open_end}
        assert {n: v for n, v in actual.items() if n != open_end} == certain
        assert len(certain) > len(before) or open_end is not None


def _values(path: Path) -> dict[int, float]:
    """Return values by question; require that the file opens and contains nothing twice."""
    with Project.open(path) as project:
        ratings = project.ratings()
        for rating in ratings:
            number = rating.question.number
            assert rating.answer.value in (number % 6 + 1, 1)
            assert rating.answer.note in (f"note {number}" * 50, "")
    assert len({rating.question.number for rating in ratings}) == len(ratings)
    assert len({rating.question.text for rating in ratings}) == len(ratings)
    return {r.question.number: r.answer.value for r in ratings if r.answer.value is not None}
