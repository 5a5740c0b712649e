"""The API behind the pages' scripts: JSON in, JSON out."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from naturalness.explaining.causes import TITLES
from naturalness.studio.annotate.pages.pages import MAX_NOTE_CHARACTERS, describe_figure, said
from naturalness.studio.annotate.project import Answer, Question, Rating
from naturalness.studio.annotate.project.settings import check_rater
from naturalness.studio.web.refusals import Refusal

if TYPE_CHECKING:
    from naturalness.studio.annotate.pages.desk import Desk

WORD = re.compile(r"\w+(?:[’'\-]\w+)*|[^\w\s]+")
"""Pattern for a word with inner marks (don't, well-known), or a run of other characters."""
Piece = tuple[str] | tuple[str, int, int]
"""Text between words, or a word with its start and end in characters.

The server computes the offsets, because JavaScript counts some characters as two.
"""


def pieces(text: str) -> list[Piece]:
    """Split a text into words and the text between them, in order."""
    parts: list[Piece] = []
    last = 0
    for match in WORD.finditer(text):
        if match.start() > last:
            parts.append((text[last : match.start()],))
        parts.append((match.group(), match.start(), match.end()))
        last = match.end()
    if last < len(text):
        parts.append((text[last:],))
    return parts


Arguments = Mapping[str, Any]
MAX_MARKS = 2000
"""Maximum number of marks in a text."""
GOAL = 400
"""Number of texts to rate, for the progress bar: a few hours of work at most, and enough for a first model."""
LOG = logging.getLogger("naturalness")


def turn(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """Return the question that a rater is to answer now, with everything else that the page shows."""
    return {"said": "", "turn": _turn(desk, check_rater(arguments.get("rater")))}


def _after(desk: Desk, rater: str, words: str) -> dict[str, Any]:
    """Return the reply to the page after an answer has been stored.

    The page must not resend the answer, even if finding the next question fails; in that case, the page requests the
    question separately.
    """
    try:
        after = _turn(desk, rater)
    except Exception:
        LOG.exception("no next question")
        after = None
    return {"said": words, "turn": after}


def _turn(desk: Desk, rater: str) -> dict[str, Any]:
    question = desk.next(rater)
    answered = desk.answered(rater)
    return {
        "question": None if question is None else _question(desk, question),
        "last": _last(desk, answered[-1]) if answered else None,
        "progress": _progress(desk, rater),
        "live": _live(desk, rater),
    }


def _question(desk: Desk, question: Question) -> dict[str, Any]:
    before = desk.project.undone(question)
    text = desk.project.texts()[question.text].text
    return {
        "number": question.number,
        "wording": question.wording[:1].upper() + question.wording[1:],
        "text": text,
        "pieces": pieces(text),
        "answer": None if before is None else asdict(before),
    }


def _last(desk: Desk, rating: Rating) -> dict[str, Any]:
    """Return an answer as the page shows it beside the next question."""
    question, answer = rating.question, rating.answer
    extra = [TITLES.get(answer.cause, ""), f"“{answer.note}”" if answer.note else ""]
    value = said(desk.project.scale, answer.value)
    text = desk.project.texts()[question.text].text
    return {"question": question.number, "text": text, "said": "; ".join(filter(None, [value, *extra]))}


def _progress(desk: Desk, rater: str) -> dict[str, Any]:
    several = len(desk.project.raters()) > 1
    mine = f", {desk.project.progress(rater)} by you" if several else ""
    return {"done": desk.project.progress(), "goal": min(len(desk.project.texts()), GOAL), "mine": mine}


def live(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """Return the values that change without any action of the rater: the progress of measuring and learning."""
    return _live(desk, str(arguments.get("rater")))


def _live(desk: Desk, rater: str) -> dict[str, Any]:
    taught = desk.learning.taught
    return {
        "version": desk.version,
        "open": desk.shown.get(rater),
        "measured": desk.learning.measured,
        "texts": len(desk.project.texts()),
        "figure": describe_figure(taught),
        "advice": "" if taught is None else taught.advice,
        "trouble": desk.learning.trouble,
    }


def _question_of(desk: Desk, arguments: Arguments) -> tuple[str, Question]:
    """Return the rater and the question of a request; raise if it is another rater's question."""
    rater = check_rater(arguments.get("rater"))
    question = desk.project.question(_number(arguments))
    if question.rater != rater:
        raise Refusal(409, f"this question belongs to {question.rater}")
    return rater, question


def answer(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """Store an answer; return the reply with the next question."""
    rater, question = _question_of(desk, arguments)
    rating = desk.answer(question.number, _answer(desk, arguments))
    value = said(desk.project.scale, rating.answer.value)
    return _after(desk, rater, f"{value[:1].upper()}{value[1:]}.")


def _answer(desk: Desk, arguments: Arguments) -> Answer:
    """Return the answer in a request; `Project.answer` checks whether the value is on the scale."""
    note, cause = arguments.get("note", ""), arguments.get("cause", "")
    if not isinstance(note, str) or len(note) > MAX_NOTE_CHARACTERS:
        raise Refusal(422, f"a note has at most {MAX_NOTE_CHARACTERS:,} characters")
    if cause not in ("", *TITLES):
        raise Refusal(422, f"unknown cause {cause!r:.40}")
    seconds = arguments.get("seconds", 0.0)
    try:
        marks = tuple((int(start), int(end)) for start, end in arguments.get("marks", [])[:MAX_MARKS])
    except (TypeError, ValueError, OverflowError):
        raise Refusal(422, "expected marks as a list of pairs of numbers") from None
    return Answer(arguments.get("value"), note, cause, marks, seconds if isinstance(seconds, int | float) else 0.0)


def undo(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    """Undo the last answer; return the reply that shows its question again."""
    rater = check_rater(arguments.get("rater"))
    desk.undo(rater, _number(arguments))
    return _after(desk, rater, "Taken back.")


def _number(arguments: Arguments) -> int:
    number = arguments.get("question")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 62:
        raise Refusal(422, f"expected the number of a question, found {number!r:.40}")
    return number
