"""Render explanations as an HTML page or as part of a notebook, with a card per text; of many texts, only the worst.

This module arranges the data; `templates/explain.html.j2` contains the wording. Pages load nothing, and the same
explanations always give the same bytes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from naturalness import __version__
from naturalness.explaining import wording
from naturalness.explaining.causes import cause_title
from naturalness.explaining.explanation import Edit, Explanation, Repair
from naturalness.explaining.shown import SURE, pieces
from naturalness.judging.fields import LOG_ODDS
from naturalness.pages.formats import beginning
from naturalness.pages.templating import render, render_part

OPEN_CARDS = 3
"""The largest number of cards whose list of causes is open when the page is loaded."""
BEGINNING = 90
"""The number of characters shown of each text in the table of all texts."""
MAX_CARDS, MAX_NOTEBOOK_CARDS = 500, 10
"""The largest numbers of cards on a page, which then has about 1.5 MB, and in a notebook."""


def make_page(explanations: Sequence[Explanation], *, model: str) -> str:
    """Return a page with the cards of all texts or, of more than `MAX_CARDS`, of those with the lowest scores."""
    return render(
        "explain.html.j2",
        **_shown(explanations, MAX_CARDS),
        model=model,
        version=__version__,
        in_log_odds=all(explained.unit == LOG_ODDS for explained in explanations),
        base=next((explained.base for explained in explanations if not math.isnan(explained.base)), math.nan),
    )


def make_part(explanations: Sequence[Explanation]) -> str:
    """Return the cards for a notebook; if there are many texts, only those with the lowest scores."""
    return render_part("explained_part.html.j2", **_shown(explanations, MAX_NOTEBOOK_CARDS))


def _shown(explanations: Sequence[Explanation], most: int) -> dict[str, Any]:
    """Return an overview and the cards of all texts in their order or, if there are more than ``most``, of those with
    the lowest scores, the lowest first.
    """
    order = list(range(len(explanations)))
    if most < len(explanations):
        order = sorted(order, key=lambda i: _sort_key(explanations[i]))[:most]
    return {
        "cards": [card(explanations[i], i + 1) for i in order],
        "overview": overview(explanations),
        "shown": len(order),
        "threshold": explanations[0].threshold if explanations else math.nan,
        "open": OPEN_CARDS,
    }


def _sort_key(explained: Explanation) -> float:
    """Return a sort key that puts low scores first and texts without a score last."""
    return 2.0 if math.isnan(explained.naturalness) else explained.naturalness


def overview(explanations: Sequence[Explanation]) -> dict[str, Any]:
    """Return figures that summarise all texts."""
    scores = [explained.naturalness for explained in explanations if not math.isnan(explained.naturalness)]
    low = [explained for explained in explanations if explained.naturalness < explained.threshold]
    causes = Counter(explained.cause for explained in low if explained.cause)
    return {
        "texts": len(explanations),
        "scored": len(scores),
        "low": len(low),
        "unlike": sum(bool(explained.unlike) for explained in explanations),
        "mean": sum(scores) / len(scores) if scores else math.nan,
        "causes": [(cause_title(cause), n) for cause, n in causes.most_common(3) if n > 1],
    }


def card(explained: Explanation, number: int) -> dict[str, Any]:
    """Return the data for the card of a text."""
    return {
        "number": number,
        "text": explained.text,
        "beginning": beginning(explained.text, BEGINNING),
        "score": explained.naturalness,
        "voice": explained.voice,
        "scored": not math.isnan(explained.naturalness),
        "good": explained.good,
        "threshold": explained.threshold,
        "verdict": explained.verdict,
        "cause": cause_title(explained.cause) if explained.naturalness < explained.threshold else "",
        "interval": explained.interval,
        "low": explained.low,
        "high": explained.high,
        "reason": explained.reason,
        "beside": wording.beside(explained.standing, explained.axes),
        "unlike": explained.unlike,
        "pieces": marked(explained),
        "findings": [
            {
                "place": wording.quotation(finding, explained.text),
                "message": finding.message,
                "could": wording.suggested(finding),
                "sure": finding.weight >= SURE,
            }
            for finding in explained.findings
        ],
        "why": wording.why(explained),
        "causes": causes(explained),
        "total": explained.total,
        "unit": explained.unit,
        "repair": repair(explained.repair) if explained.repair else None,
        "edits": [edit(explained, change) for change in explained.edits],
    }


def marked(explained: Explanation) -> list[dict[str, Any]]:
    """Return the pieces of the text, each with the number of its surest finding and the messages of all its
    findings.
    """
    findings = explained.findings
    return [
        {
            "text": piece.text,
            "leads": findings.index(piece.finding) + 1 if piece.finding else 0,
            "sure": piece.sure,
            "message": "; ".join(dict.fromkeys(finding.message for finding in piece.findings)),
        }
        for piece in pieces(explained.text, findings)
    ]


def causes(explained: Explanation) -> list[dict[str, Any]]:
    """Return table rows for the base and for the causes, the strongest first, with the widths of their bars."""
    rows = wording.cause_rows(explained)
    longest = max((abs(value) for _, value, _ in rows[1:]), default=1.0)
    return [
        {"title": title, "value": value, "width": round(50 * abs(value) / longest) if n else 0, "why": why}
        for n, (title, value, why) in enumerate(rows)
    ]


NEARBY = 90
"""The number of characters shown on each side of a change."""


def edit(explained: Explanation, change: Edit) -> dict[str, Any]:
    """Return an edit with the text around it; for a long text, only the nearby part."""
    return {
        "gain": change.gain,
        "score": change.naturalness,
        "words": wording.edit_in_full(change),
        "text": change.text,
        "before": _end(explained.text[: change.start]),
        "new": change.after,
        "behind": _beginning(explained.text[change.end :]),
    }


def repair(change: Repair) -> dict[str, Any]:
    """Return a repair in the same form as an edit, with the whole text."""
    whole = {"text": change.text, "before": change.text, "new": "", "behind": ""}
    return {"gain": change.gain, "score": change.naturalness, "words": wording.repair_in_words(change), **whole}


def _beginning(text: str) -> str:
    return text if len(text) <= NEARBY else f"{text[:NEARBY].rpartition(' ')[0] or text[:NEARBY]} …"


def _end(text: str) -> str:
    return text if len(text) <= NEARBY else f"… {text[-NEARBY:].partition(' ')[2] or text[-NEARBY:]}"
