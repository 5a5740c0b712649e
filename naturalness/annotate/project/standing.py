"""Questions and what is in force of their answers, as the file has them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from naturalness.annotate.project.records import Answer, Question, Rating

Item = tuple[int, ...]
"""What is asked about, in whatever order it is shown: a text, or two, the lower number first."""


def item(texts: Sequence[int]) -> Item:
    """What is asked about."""
    return tuple(sorted(texts))


@dataclass(frozen=True, slots=True)
class Standing:
    """A question, and the answer in force where there is one."""

    question: Question
    seen: str
    """When it was last put before its rater."""
    rating: Rating | None

    @property
    def item(self) -> Item:
        """What it asks about."""
        return item(self.question.texts)

    @property
    def value(self) -> float | None:
        """What was answered; None where it was skipped, too."""
        return None if self.rating is None else self.rating.answer.value


def read(db: sqlite3.Connection, where: str = "", *given: object, order: str = "number") -> Iterator[Standing]:
    """Questions that meet a condition, in the order in which they were asked."""
    sql = (
        "SELECT number, rater, first, second, reason, told, test, again, "
        "answer, value, note, cause, marks, seconds, at, seen FROM standing"
    )
    # All at once: a statement that is not read to its end would keep the file open.
    for row in db.execute(f"{sql} {where} ORDER BY {order}", given).fetchall():
        number, rater, first, second, reason, told, test, again, answer = row[:9]
        texts = (first,) if second is None else (first, second)
        question = Question(number, rater, texts, reason, told, bool(test), bool(again))
        rating = None
        if answer is not None:
            rating = Rating(question, as_answer(*row[9:14]), row[14])
        yield Standing(question, row[15], rating)


def as_answer(value: float | None, note: str, cause: str, marks: str, seconds: float) -> Answer:
    """An answer from its cells."""
    spans = tuple((start, end) for start, end in json.loads(marks))
    return Answer(value, note, cause, spans, seconds)
