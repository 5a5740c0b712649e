"""The texts that a report lists, as its page shows them: marked, with bars and findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from naturalness.explaining.explanation import SHOWN, SURE, Finding, index_of, strongest
from naturalness.explaining.marks import pieces

Data = Mapping[str, Any]
CAUSES = 5
"""Causes of a text that are shown, the strongest."""
FINDINGS = 6
FEATURES = 3
"""Features that are named, the strongest of all causes."""
CHARACTERS = 600
"""Of a text that are shown; longer ones are cut behind them."""


def list_cases(name: str, listed: Data, data: Data) -> dict[str, Any]:
    """A list with what is the same for all its rows."""
    cases = listed["cases"]
    longest = max((abs(one["value"]) for case in cases for one in case["explanation"]["contributions"]), default=0.0)
    return {
        "id": name,
        "total": listed["total"],
        "rows": [{**show(case, longest or 1.0), "other": _other(case, data)} for case in cases],
        "systems": bool(data["systems"]),
        "rated": any(case["rating"] is not None for case in cases),
        "several": len(data["classes"]) > 2,
    }


def _other(case: Data, data: Data) -> str:
    """The label that a doubtful one may have been meant to be."""
    classes = data["classes"]
    if case["label"] != classes[-1]:
        return str(classes[-1])
    return str(classes[0]) if len(classes) == 2 else f"not {classes[-1]}"


def show(case: Data, longest: float) -> dict[str, Any]:
    """One text; bars are in per cent of ``longest``, the strongest contribution of the list."""
    told, text = case["explanation"], case["text"]
    cut = text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"
    findings = [Finding(**{**one, "suggestions": tuple(one["suggestions"])}) for one in told["findings"]]
    sure = [one for one in findings if one.weight >= SURE] or findings[:1]
    parts = told["contributions"]
    values = [one["value"] or 0.0 for one in parts]
    named = index_of(told["cause"], [one["cause"] for one in parts])
    causes = [parts[i] for i in strongest(values, most=CAUSES, least=SHOWN, named=named)]
    features = sorted(
        (feature for one in parts if abs(one["value"] or 0.0) >= SHOWN for feature in one["features"]),
        key=lambda feature: -abs(feature["effect"] or 0.0),
    )
    return {
        **case,
        "pieces": pieces(cut, [one for one in sure if one.end <= CHARACTERS]),
        "causes": [{**one, "width": round(100 * abs(one["value"]) / longest)} for one in causes],
        "features": features[:FEATURES],
        "findings": [
            {
                "text": one.text,
                "message": one.message,
                "unsure": one.weight < SURE,
                "suggestions": [s or "(leave out)" for s in one.suggestions[:3]],
            }
            for one in findings[:FINDINGS]
        ],
        "low": told["low"],
        "high": told["high"],
        "unlike": told["unlike"],
    }
