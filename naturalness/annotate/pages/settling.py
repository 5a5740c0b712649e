"""What raters disagree about, for the page on which it is settled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from naturalness.annotate.pages.pieces import pieces
from naturalness.annotate.pages.scales import LONGEST_NOTE, on_scale, said
from naturalness.annotate.project.agreement import Disagreement
from naturalness.annotate.project.opinions import Opinion
from naturalness.explaining.causes import TITLES
from naturalness.web.refusals import Refusal

if TYPE_CHECKING:
    from naturalness.annotate.pages.desk import Desk


def describe(desk: Desk) -> list[dict[str, Any]]:
    """Open disagreements first, those most apart at the head."""
    found = desk.project.disagreements()
    return [_one(desk, one) for one in sorted(found, key=lambda one: one.settled is not None)]


def _one(desk: Desk, one: Disagreement) -> dict[str, Any]:
    texts = [desk.project.texts()[number].text for number in one.texts]
    scale, settled = desk.project.scale, one.settled
    return {
        "texts": list(one.texts),
        "plain": texts,
        "pieces": [pieces(text) for text in texts],
        "ratings": [_rating(desk, rater, opinion) for rater, opinion in sorted(one.opinions.items())],
        "settled": None
        if settled is None
        else {"value": settled.value, "said": said(scale, settled.value), "by": settled.by, "note": settled.note},
    }


def _rating(desk: Desk, rater: str, opinion: Opinion) -> dict[str, Any]:
    answer, scale = opinion.rating.answer, desk.project.scale
    later = sorted({said(scale, value) for value in opinion.later_values if value != opinion.value})
    return {
        "rater": rater,
        "said": said(scale, opinion.value),
        "later": f"asked again: {', '.join(later)}" if later else "",
        "note": answer.note,
        "cause": TITLES.get(answer.cause, ""),
        "marks": [list(mark) for mark in answer.marks],
    }


def settle(desk: Desk, given: Mapping[str, Any]) -> None:
    """Keep what a text, or a pair, is to count as; null opens it again."""
    by = desk.checked_name(given.get("rater"))
    texts, value, note = given.get("texts"), given.get("value"), given.get("note", "")
    if not isinstance(texts, list) or not all(type(number) is int for number in texts):
        raise Refusal(422, "expected the numbers of texts")
    if value is not None and not on_scale(desk.project.scale, value):
        raise Refusal(422, f"{value!r:.40} is not on the scale")
    if not isinstance(note, str) or len(note) > LONGEST_NOTE:
        raise Refusal(422, f"a note has at most {LONGEST_NOTE:,} characters")
    desk.project.settle(tuple(texts), None if value is None else float(value), by, note)
