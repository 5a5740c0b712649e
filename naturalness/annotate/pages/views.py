"""What pages and their scripts are told, and what they ask to be done, as plain data.

Every reply that brings a turn has the same shape: ``said``, words for who cannot see the page, and
``turn``, which is null only where what was asked for is done and what comes next is not known yet.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from naturalness.annotate.pages import keys as keyboard
from naturalness.annotate.pages import settling
from naturalness.annotate.pages.learned import describe_figure
from naturalness.annotate.pages.pace import seconds_each, told
from naturalness.annotate.pages.pieces import checked_marks, pieces
from naturalness.annotate.pages.scales import LONGEST_NOTE, on_scale, said
from naturalness.annotate.project import PAIRS, Answer, Question, Rating
from naturalness.explaining.causes import TITLES
from naturalness.web.refusals import Refusal

if TYPE_CHECKING:
    from naturalness.annotate.pages.desk import Desk

Given = Mapping[str, Any]
MOST_MARKS = 2000
"""Of a text."""
DAY = 86400.0
"""Seconds; an answer that took longer tells no time."""
LOG = logging.getLogger("naturalness")
WITHHELD = "the model’s opinion is not shown: this one measures the model"


def turn(desk: Desk, given: Given) -> dict[str, Any]:
    """What a rater sees now."""
    return {"said": "", "turn": _turn(desk, _rater(desk, given))}


def _after(desk: Desk, rater: str, words: str) -> dict[str, Any]:
    """The reply to what is stored: it must not be asked for again, whatever becomes of the next
    question, for which the page then asks by itself."""
    try:
        after = _turn(desk, rater)
    except Exception:
        LOG.exception("no next question")
        after = None
    return {"said": words, "turn": after}


def _rater(desk: Desk, given: Given) -> str:
    return desk.checked_name(given.get("rater"))


def _turn(desk: Desk, rater: str) -> dict[str, Any]:
    question = desk.next(rater)
    own = desk.answered(rater)
    return {
        "question": None if question is None else _question(desk, question),
        "last": _last(desk, own[-1]) if own else None,
        "progress": _progress(desk, rater, own),
        "live": _live(desk, rater),
    }


def _question(desk: Desk, question: Question) -> dict[str, Any]:
    texts = [desk.project.texts()[number].text for number in question.texts]
    before = desk.project.undone(question)
    return {
        "number": question.number,
        "told": question.told[:1].upper() + question.told[1:],
        "texts": [{"plain": text, "pieces": pieces(text)} for text in texts],
        "answer": None
        if before is None
        else {"value": before.value, "note": before.note, "cause": before.cause, "marks": before.marks},
    }


def _last(desk: Desk, rating: Rating) -> dict[str, Any]:
    """The answer before, with what the model says now that it can sway nobody."""
    question, answer = rating.question, rating.answer
    texts = [desk.project.texts()[number].text for number in question.texts]
    extra = [TITLES.get(answer.cause, ""), f"“{answer.note}”" if answer.note else ""]
    value = said(desk.project.scale, answer.value)
    return {
        "question": question.number,
        "text": " / ".join(texts),
        "said": "; ".join(filter(None, [value, *extra])),
        "opinion": "" if answer.value is None else _opinion(desk, question),
    }


def _opinion(desk: Desk, question: Question) -> str:
    if question.test:
        # Who undoes after having seen it would no longer measure the model without it.
        return WITHHELD
    who, found = desk.opinions(question.texts)
    if any(map(math.isnan, found)):
        return ""
    if len(found) == 1:
        return f"{who} says {found[0]:.2f}, from 0 unnatural to 1 natural"
    first, second = found
    better = "the first" if first > second else "the second"
    return f"{who} prefers {better} ({first:.2f} against {second:.2f})"


def _progress(desk: Desk, rater: str, own: list[Rating]) -> dict[str, Any]:
    all_of_them = desk.project.progress()
    goal = desk.goal
    each = seconds_each([rating.at for rating in own])
    several = len(desk.project.raters()) > 1
    mine = desk.project.progress(rater).rated if several else 0
    return {
        "done": all_of_them.rated,
        "goal": goal,
        "mine": f", {mine} by you" if several else "",
        "pace": told(each, max(0, goal - all_of_them.rated)),
    }


def live(desk: Desk, given: Given) -> dict[str, Any]:
    """What changes by itself: how far measuring and learning are."""
    return _live(desk, _rater(desk, given))


def _live(desk: Desk, rater: str) -> dict[str, Any]:
    taught = desk.teaching.taught
    return {
        "open": desk.shown.get(rater),
        "measured": desk.measuring.done,
        "texts": len(desk.measuring.texts),
        "figure": describe_figure(taught),
        "advice": "" if taught is None else taught.advice.words,
        "trouble": " ".join(filter(None, [desk.measuring.trouble, desk.teaching.trouble])),
    }


def version(desk: Desk, given: Given) -> dict[str, Any]:
    """By which a page notices that there is something new."""
    return {"version": desk.version}


def answer(desk: Desk, given: Given) -> dict[str, Any]:
    """Store an answer; what comes next."""
    rater = _rater(desk, given)
    question = desk.project.question(_number(given))
    if question.rater != rater:
        raise Refusal(409, f"this question was put before {question.rater}")
    rating = desk.answer(question.number, _answer(desk, question, given))
    value = said(desk.project.scale, rating.answer.value)
    return _after(desk, rater, f"{value[:1].upper()}{value[1:]}.")


def _answer(desk: Desk, question: Question, given: Given) -> Answer:
    """What a page sends, checked."""
    value, note, cause = given.get("value"), given.get("note", ""), given.get("cause", "")
    scale = desk.project.scale
    if value is not None and not on_scale(scale, value):
        raise Refusal(422, f"{value!r:.40} is not on the scale from {scale.low:g} to {scale.high:g}")
    if not isinstance(note, str) or len(note) > LONGEST_NOTE:
        raise Refusal(422, f"a note has at most {LONGEST_NOTE:,} characters")
    if cause not in ("", *TITLES):
        raise Refusal(422, f"unknown cause {cause!r:.40}")
    marks, seconds = given.get("marks", []), given.get("seconds", 0.0)
    if not isinstance(seconds, int | float) or not 0 <= seconds < DAY:
        seconds = 0.0
    if not isinstance(marks, list):
        raise Refusal(422, "expected marks as a list")
    text = desk.project.texts()[question.texts[0]].text
    try:
        kept = checked_marks(marks[:MOST_MARKS], text) if scale.kind != PAIRS else ()
    except (TypeError, ValueError) as error:
        raise Refusal(422, f"marks: {error}") from None
    return Answer(None if value is None else float(value), note, cause, kept, float(seconds))


def undo(desk: Desk, given: Given) -> dict[str, Any]:
    """Take back the last answer; its question comes again."""
    rater = _rater(desk, given)
    desk.undo(rater, _number(given))
    return _after(desk, rater, "Taken back.")


def keys(desk: Desk, given: Given) -> dict[str, Any]:
    """Keep the keys of a rater; null: those at first."""
    rater = _rater(desk, given)
    scale = desk.project.scale
    try:
        chosen = given.get("keys")
        bound = keyboard.usual(scale) if chosen is None else keyboard.checked(scale, chosen)
    except ValueError as error:
        raise Refusal(422, str(error)) from None
    desk.project.set_keys(rater, bound)
    return {"keys": bound}


def _number(given: Given) -> int:
    found = given.get("question")
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < 1 << 62:
        raise Refusal(422, f"expected the number of a question, found {found!r:.40}")
    return found


def disagreements(desk: Desk, given: Given) -> dict[str, Any]:
    """What raters disagree about."""
    may = desk.project.may_settle(_rater(desk, given))
    return {"items": settling.describe(desk), "may": may}


def settle(desk: Desk, given: Given) -> dict[str, Any]:
    """Settle a disagreement; what is left."""
    settling.settle(desk, given)
    return disagreements(desk, given)
