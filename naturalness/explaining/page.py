"""Explanations as one HTML page, which loads nothing: a card for each text, the worst of many.

Plain data is put in the order of reading here; `templates/explain.html.j2` has the words. The same
explanations give the same bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from naturalness import __version__
from naturalness.explaining import wording
from naturalness.explaining.causes import TITLES, cause_title
from naturalness.explaining.explanation import (
    LEAST,
    LOG_ODDS,
    STRONGEST,
    SURE,
    Edit,
    Explanation,
    index_of,
    strongest_causes,
)
from naturalness.explaining.marks import pieces
from naturalness.pages.templating import render

LARGEST = 1_980_000
"""Bytes that a page may have, unless it is told how many texts to show."""
MANY = 200
"""Cards on a page from which on only the strongest causes are told apart."""
OPEN = 3
"""Cards on a page up to which their causes are unfolded."""
BEGINNING = 90
"""Characters of a text in the table of all."""


def make_page(found: Sequence[Explanation], *, model: str, most: int | None = None) -> str:
    """The page; of more than ``most`` texts the worst, without it as many as the page can hold."""
    shown = len(found) if most is None else min(most, len(found))
    while True:
        page = _render(found, model, shown)
        size = len(page.encode("utf-8", "replace"))
        if most is not None or size <= LARGEST or shown <= 1:
            return page
        shown = min(shown - 1, shown * LARGEST // size)


def _render(found: Sequence[Explanation], model: str, shown: int) -> str:
    """All texts in their order, or ``shown`` of them with the lowest scores first."""
    order = list(range(len(found)))
    if shown < len(found):
        order = sorted(order, key=lambda i: _badness(found[i]))[:shown]
    return render(
        "explain.html.j2",
        cards=[card(found[i], i + 1, brief=shown >= MANY) for i in order],
        overview=overview(found),
        shown=shown,
        model=model,
        version=__version__,
        good=wording.GOOD,
        open=OPEN,
        in_log_odds=all(one.unit == LOG_ODDS for one in found),
        base=next((one.base for one in found if not math.isnan(one.base)), math.nan),
    )


def _badness(explained: Explanation) -> float:
    """Texts without a score come last."""
    return 2.0 if math.isnan(explained.naturalness) else explained.naturalness


def overview(found: Sequence[Explanation]) -> dict[str, Any]:
    """What there is to say of all texts together."""
    scores = [one.naturalness for one in found if not math.isnan(one.naturalness)]
    low = [one for one in found if one.naturalness < wording.GOOD]
    causes = Counter(one.cause for one in low if one.cause)
    return {
        "texts": len(found),
        "scored": len(scores),
        "low": len(low),
        "unlike": sum(bool(one.unlike) for one in found),
        "mean": sum(scores) / len(scores) if scores else math.nan,
        "causes": [(cause_title(cause), n) for cause, n in causes.most_common(3) if n > 1],
    }


def card(explained: Explanation, number: int, *, brief: bool = False) -> dict[str, Any]:
    """What is shown of a text; ``brief`` puts weak causes together."""
    text = " ".join(explained.text.split())
    return {
        "number": number,
        "text": explained.text,
        "beginning": text if len(text) <= BEGINNING else text[: BEGINNING - 1] + "…",
        "score": explained.naturalness,
        "scored": not math.isnan(explained.naturalness),
        "good": explained.naturalness >= wording.GOOD,
        "verdict": wording.verdict(explained),
        "cause": cause_title(explained.cause) if explained.naturalness < wording.GOOD else "",
        "interval": wording.interval(explained),
        "low": explained.low,
        "high": explained.high,
        "reason": explained.reason,
        "unlike": explained.unlike,
        "pieces": marked(explained),
        "findings": [
            {
                "place": wording.place_of(one, explained.text),
                "message": one.message,
                "could": wording.suggested(one),
                "sure": one.weight >= SURE,
            }
            for one in explained.findings
        ],
        "why": wording.why(explained),
        "causes": causes(explained, STRONGEST if brief else len(TITLES)),
        "total": explained.total,
        "unit": explained.unit,
        "edits": [edit(explained, one) for one in explained.edits],
    }


def marked(explained: Explanation) -> list[dict[str, Any]]:
    """The text in pieces with the finding that each leads to, and what all of them say."""
    found = explained.findings
    return [
        {
            "text": piece.text,
            "leads": found.index(piece.finding) + 1 if piece.finding else 0,
            "sure": piece.sure,
            "told": "; ".join(dict.fromkeys(one.message for one in piece.findings)),
        }
        for piece in pieces(explained.text, found)
    ]


def causes(explained: Explanation, most: int) -> list[dict[str, Any]]:
    """A typical text, then the causes, the strongest first; their rounded values add up.

    All but the strongest ``most``, and the one that is named, are put together.
    """
    if not explained.contributions:
        return []
    told = strongest_causes(explained, most=most, least=0)
    rest = sum(one.value for one in explained.contributions if one not in told)
    named = index_of(explained.cause, [one.cause for one in told])
    values = [*(one.value for one in told), rest, explained.base]
    *moved, others, base = wording.adding_up(values, explained.total, spared=named)
    longest = max(map(abs, [*moved, others])) or 1.0
    rows = [_row("a typical text", base, 0)]
    for one, value in zip(told, moved, strict=True):
        feature = wording.mover(one) if abs(one.value) >= LEAST else None
        rows.append(_row(one.title, value, value / longest))
        rows[-1]["why"] = wording.moved_in_words(feature) if feature else ""
    rows.append(_row("all others", others, others / longest))
    return [row for row in rows if row["value"]]


def _row(title: str, value: float, share: float) -> dict[str, Any]:
    return {"title": title, "value": value, "width": round(50 * abs(share)), "why": ""}


def edit(explained: Explanation, one: Edit) -> dict[str, Any]:
    """A change in its text: what stays before it, what it puts there, what stays behind."""
    behind = len(one.text) - (len(explained.text) - one.end)
    return {
        "gain": one.gain,
        "score": one.naturalness,
        "told": wording.edit_in_words(one),
        "before": one.text[: one.start],
        "new": one.text[one.start : behind],
        "behind": one.text[behind:],
    }
