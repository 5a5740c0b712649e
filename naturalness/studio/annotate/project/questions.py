"""Questions, the queue of each rater, and answers: old answers stay in the file, and no answer counts twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project import settings
from naturalness.studio.annotate.project.records import Answer, Question, Rating, Scale, TextChoice
from naturalness.text.normalisation import SURROGATE


@dataclass(frozen=True, slots=True)
class QuestionCount:
    """A question, and the answer in force if there is one."""

    question: Question
    seen: str
    """Time at which it was last shown to its rater."""
    rating: Rating | None

    @property
    def value(self) -> float | None:
        """The rating; None if there is no answer, or if the question was skipped."""
        return None if self.rating is None else self.rating.answer.value


def read(
    db: sqlite3.Connection, where: str = "", *parameters: object, order: str = "number"
) -> Iterator[QuestionCount]:
    """Yield the questions that meet an SQL condition, by default in the order of asking."""
    sql = (
        "SELECT number, rater, first, reason, told, test, again, "
        "answer, value, note, cause, marks, seconds, at, seen FROM standing"
    )
    # Fetch all rows: a statement that is not read to its end would keep the file open.
    for row in db.execute(f"{sql} {where} ORDER BY {order}", parameters).fetchall():
        number, rater, text, reason, wording, test, again, answer = row[:8]
        question = Question(number, rater, text, reason, wording, bool(test), bool(again))
        rating = None
        if answer is not None:
            rating = Rating(question, as_answer(*row[8:13]), row[13])
        yield QuestionCount(question, row[14], rating)


def as_answer(value: float | None, note: str, cause: str, marks: str, seconds: float) -> Answer:
    """Return an answer, given its cells in the file."""
    spans = tuple((start, end) for start, end in json.loads(marks))
    return Answer(value, note, cause, spans, seconds)


SHARED = "shared"
"""Reason of a question that another rater has already answered."""
IMPORTED = "imported"
"""Reason of a question whose answer 0.2 imported from a table."""
SHARED_WORDING = "another rater has answered this: it shows how well you agree"


@dataclass(slots=True)
class _Stand:
    """The state of a text for one rater."""

    open: bool = False
    """Whether this rater has been asked about the text and has not answered."""
    rated: bool = False
    skipped: bool = False
    others: set[str] = field(default_factory=set)
    """Other raters who have rated the text, or are being asked about it now."""
    rated_by_others: bool = False
    test: bool = False


class Queue:
    """The texts that one rater may be asked about, in the current state of the file."""

    def __init__(self, db: sqlite3.Connection, rater: str, stale: str) -> None:
        self._db = db
        self.rater = rater
        self._stale = stale
        self._raters: int = settings.get(db, "overlap")
        self._share: float = settings.get(db, "overlap_share")
        self._seed: int = settings.get(db, "seed")
        self.stands: dict[int, _Stand] = {}
        self.questions = list(read(db, "WHERE rater = ?", rater))
        for standing in self.questions:
            stand = self._stand(standing.question.text, standing.question.test)
            stand.open |= standing.rating is None
            stand.rated |= standing.value is not None
            stand.skipped |= standing.rating is not None and standing.value is None
        # For questions to other raters, of which there may be many, a few cells suffice.
        sql = "SELECT rater, first, test, answer, value, seen FROM standing"
        for other, text, test, answer, value, seen in db.execute(f"{sql} WHERE rater <> ? ORDER BY number", (rater,)):
            stand = self._stand(text, bool(test))
            if value is not None:
                stand.others.add(other)
                stand.rated_by_others = True
            elif answer is None and seen > stale:
                stand.others.add(other)

    def _stand(self, text: int, test: bool) -> _Stand:
        stand = self.stands.setdefault(text, _Stand())
        stand.test |= test
        return stand

    def wanted(self, text: int) -> int:
        """Return the number of raters needed for a text, determined by the seed."""
        key = f"{self._seed}:{text}".encode()
        drawn = int.from_bytes(hashlib.blake2b(key, digest_size=6).digest(), "big") / (1 << 48)
        return self._raters if drawn < self._share else 1

    def full(self, text: int) -> bool:
        """Return whether enough other raters have rated the text or are being asked about it."""
        stand = self.stands.get(text)
        return stand is not None and len(stand.others) >= self.wanted(text)

    def free(self, text: int, *, again: bool) -> bool:
        """Return whether this rater may be asked about a text, for the first time or again."""
        stand = self.stands.get(text)
        if stand is None:
            return not again
        if stand.open:
            return False
        return stand.rated if again else not (stand.rated or stand.skipped or self.full(text))

    def busy(self) -> frozenset[int]:
        """Return the texts that this rater must not be asked about now.

        These are texts that this rater is being asked about or has skipped, texts that enough other raters are being
        asked about, and texts rated by another rater (if they need several raters, `shared` returns them). Texts rated
        by this rater are not included, since they may be asked again.
        """

        def is_busy(text: int, stand: _Stand) -> bool:
            taken = stand.rated_by_others or self.full(text)
            return stand.open or stand.skipped or (taken and not stand.rated)

        return frozenset(text for text, stand in self.stands.items() if is_busy(text, stand))

    @property
    def turn(self) -> int:
        """The number of questions chosen for this rater, without shared and imported ones.

        If shared questions were counted, they could take the turns of test questions.
        """
        return sum(standing.question.reason not in (SHARED, IMPORTED) for standing in self.questions)

    def open(self) -> Question | None:
        """Return the first unanswered question, if any, skipping those that expired and were taken by other raters."""
        for standing in self.questions:
            if standing.rating is None:
                lying = standing.seen <= self._stale and not standing.question.again
                if not (lying and self.full(standing.question.text)) or self._answered_once(standing.question):
                    return standing.question
        return None

    def _answered_once(self, question: Question) -> bool:
        """Return whether an answer to the question was undone, so that its rater wants to answer again."""
        sql = "SELECT 1 FROM answers WHERE question = ? LIMIT 1"
        return self._db.execute(sql, (question.number,)).fetchone() is not None

    def shared(self, *, always: bool = False) -> TextChoice | None:
        """Return a question about a text that another rater has rated and this rater should rate too; None if there is
        none.

        Shared questions are spread evenly among this rater's own questions, so that nobody gets them all in a row.
        With ``always``, one is returned as long as there is any.
        """
        each = self._share * (self._raters - 1)
        had = sum(standing.question.reason == SHARED for standing in self.questions)
        asked = sum(standing.question.reason != IMPORTED for standing in self.questions)
        if not always and had >= each / (1 + each) * (asked + 1):
            return None
        for text, stand in self.stands.items():
            if stand.rated_by_others and self.wanted(text) > 1 and self.free(text, again=False):
                return TextChoice(text, SHARED, SHARED_WORDING, test=stand.test)
        return None


def add(db: sqlite3.Connection, rater: str, choice: TextChoice, at: str) -> Question:
    """Store a question."""
    fields = rater, choice.text, choice.reason, choice.wording, bool(choice.test), bool(choice.again)
    stored = db.execute(
        "INSERT INTO questions (rater, first, reason, told, test, again, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*fields, at),
    )
    return Question(int(stored.lastrowid or 0), *fields)


def show(db: sqlite3.Connection, question: Question, at: str) -> None:
    """Record that a question is shown to its rater now."""
    db.execute("INSERT INTO shown (question, at) VALUES (?, ?)", (question.number, at))


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
        raise ProjectError(f"found rating {value!r:.40}; expected {kind} from {scale.low:g} to {scale.high:g}")
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
            f"question {question.number} was answered by {question.rater!r} already, differently; "
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
        raise ProjectError("there is a later answer, perhaps from another window; reload the page")
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
