"""Store and undo answers; old answers stay in the file, and no answer counts twice."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project.questions import QuestionCount, as_answer, read
from naturalness.studio.annotate.project.records import Answer, Question, Rating, Scale
from naturalness.text.normalisation import SURROGATE

MAX_SECONDS = 86400.0
"""Maximum number of seconds recorded for an answer; longer times carry no information."""


def find(db: sqlite3.Connection, number: int) -> QuestionCount:
    """Return the question with this number, and the answer in force."""
    for standing in read(db, "WHERE number = ?", number):
        return standing
    raise ProjectError(f"no question {number} belongs to this project")


def clean(answer: Answer, scale: Scale, length: int) -> Answer:
    """Return the answer in the form in which it is stored; raise if its value is not on the scale.

    Lone surrogates in notes become U+FFFD, marks outside the text are clipped or dropped, and an impossible time
    becomes 0: an error of this kind in the page must not cause the loss of the answer.
    """
    value, seconds = answer.value, answer.seconds
    if value is not None and not scale.has(value):
        kind = "a whole number" if scale.whole else "a number"
        raise ProjectError(f"the rating {value!r:.40}; expected {kind} from {scale.low:g} to {scale.high:g}")
    spans = {(max(0, start), min(length, end)) for start, end in answer.marks}
    return replace(
        answer,
        value=None if value is None else float(value),
        note=SURROGATE.sub("\ufffd", answer.note),
        cause=SURROGATE.sub("\ufffd", answer.cause),
        marks=tuple(sorted((start, end) for start, end in spans if start < end)),
        seconds=float(seconds) if 0 < seconds < MAX_SECONDS else 0.0,
    )


def give(db: sqlite3.Connection, question: Question, answer: Answer, at: str) -> Rating:
    """Store an answer; resending it changes nothing, but a different answer is refused."""
    there = find(db, question.number).rating
    if there is not None:
        # When a page resends an answer, its time differs.
        if replace(there.answer, seconds=0.0) == replace(answer, seconds=0.0):
            return there
        raise ProjectError(
            f"question {question.number} was answered by {question.rater!r} already, otherwise; "
            "perhaps in another window. Undo that answer to change it"
        )
    db.execute(
        "INSERT INTO answers (question, value, note, cause, marks, seconds, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (question.number, answer.value, answer.note, answer.cause, json.dumps(answer.marks), answer.seconds, at),
    )
    return Rating(question, answer, at)


def undo(db: sqlite3.Connection, rater: str, at: str, number: int | None = None) -> Rating | None:
    """Undo and return a rater's latest answer that is still in force; None if there is none.

    If ``number`` is given, undo only the answer to that question: return None if it was already undone, and raise
    `ProjectError` if there is a later answer.
    """
    sql = "SELECT answer, number FROM standing WHERE rater = ? AND answer IS NOT NULL"
    row = db.execute(f"{sql} ORDER BY answer DESC LIMIT 1", (rater,)).fetchone()
    if row is None:
        return None
    if number not in (None, row[1]):
        asked = find(db, number)
        if asked.rating is None or asked.question.rater != rater:
            return None
        raise ProjectError("there is a later answer, perhaps of another window; look again")
    rating = find(db, row[1]).rating
    db.execute("INSERT INTO undone VALUES (?, ?)", (row[0], at))
    return rating


def undone(db: sqlite3.Connection, number: int) -> Answer | None:
    """Return the last undone answer to a question; None if there is none."""
    row = db.execute(
        "SELECT value, note, cause, marks, seconds FROM answers a JOIN undone u "
        "ON u.answer = a.number WHERE a.question = ? ORDER BY a.number DESC LIMIT 1",
        (number,),
    ).fetchone()
    return None if row is None else as_answer(*row)


def ratings(db: sqlite3.Connection, *, skipped: bool) -> list[Rating]:
    """Return the answers in force in the order in which they were given; include skips only if ``skipped`` is true."""
    all_of_them = read(db, "WHERE answer IS NOT NULL", order="answer")
    in_force = [standing.rating for standing in all_of_them if standing.rating is not None]
    return [rating for rating in in_force if skipped or rating.answer.value is not None]
