"""Single texts as a page shows them: score, marked text, causes and findings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from naturalness.explaining.explanation import SHOWN, Explanation, Finding, strongest_causes
from naturalness.explaining.marks import pieces
from naturalness.reports.systems.answers import sure
from naturalness.reports.systems.changes import Change
from naturalness.reports.systems.worst import Worst

CAUSES = 5
"""Causes of a text that are listed, the strongest."""
CHARACTERS = 600
"""Of a text that are shown; longer ones are cut behind them."""


def shown_worst(one: Worst) -> dict[str, Any]:
    """A text among the least natural of its system."""
    told = one.answer.explanation
    return {**_text(told), "row": one.answer.row + 1, "alike": one.alike}


def shown_change(one: Change) -> dict[str, Any]:
    """A text of both runs."""
    return {
        "row": one.after.row + 1,
        "key": one.after.key,
        "system": one.after.system,
        "gain": one.gain,
        "before": _text(one.before.explanation),
        "after": _text(one.after.explanation),
        "same": one.before.explanation.text == one.after.explanation.text,
        "causes": [pair for pair in one.causes if abs(pair[1]) >= SHOWN][:CAUSES],
        "new": _findings(one.new),
        "gone": _findings(one.gone),
    }


def _text(told: Explanation) -> dict[str, Any]:
    text, findings = told.text, sure(told)
    cut = text if len(text) <= CHARACTERS else text[:CHARACTERS] + " …"
    low = None if math.isnan(told.low) else (told.low, told.high)
    return {
        "naturalness": told.naturalness,
        "interval": low,
        "pieces": pieces(cut, [one for one in findings if one.end <= CHARACTERS]),
        "causes": [(one.title, one.value) for one in strongest_causes(told, most=CAUSES, least=SHOWN)],
        "findings": _findings(told.findings),
        "unlike": told.unlike,
        "reason": told.reason,
    }


def _findings(found: Sequence[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "text": one.text,
            "message": one.message,
            "weight": one.weight,
            "suggestions": [s or "(leave out)" for s in one.suggestions[:3]],
        }
        for one in found
    ]
