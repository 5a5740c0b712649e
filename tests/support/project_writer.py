"""A program that answers questions as fast as it can, and prints each stored answer."""

from __future__ import annotations

import sys

from naturalness.studio.annotate.project import Answer, Project
from naturalness.studio.annotate.project.records import TextChoice
from tests.support.annotation_projects import choice


def main(path: str, rater: str) -> None:
    """Ask and answer in an endless loop; every fifth answer is undone and given again.

    It prints ``? question`` before each answer, ``+ question value`` after a stored answer, and ``- question`` after
    an undone one.
    """
    project = Project.open(path)
    had = [r.question.text for r in project.ratings() if r.question.rater == rater]
    left = iter(range(max(had, default=-1) + 1, len(project.texts())))

    def choose(busy: frozenset[int], turn: int) -> TextChoice:
        return choice(next(number for number in left if number not in busy))

    while True:
        question = project.next_question(rater, choose)
        assert question is not None
        value = question.number % 6 + 1
        _say(f"? {question.number}")
        project.answer(question, Answer(value, note=f"note {question.number}" * 50))
        _say(f"+ {question.number} {value}")
        if question.number % 5 == 0:
            _say(f"? {question.number}")
            project.undo(rater)
            _say(f"- {question.number}")
            _say(f"? {question.number}")
            project.answer(question, Answer(1))
            _say(f"+ {question.number} 1")


def _say(line: str) -> None:
    # Written at once and in one piece, so that a line describes something that has happened.
    sys.stdout.buffer.write(f"{line}\n".encode())
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
