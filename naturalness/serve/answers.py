"""Answers as plain data: scores, explanations, comparisons; what is undefined is null."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from naturalness.data.writing import finite
from naturalness.explaining.explanation import Explanation
from naturalness.explaining.page import card
from naturalness.explaining.plain import as_row
from naturalness.pipelines.summary import rounded
from naturalness.reports.systems.pairs import Compared
from naturalness.serve.worker import Judged


def score_answer(scores: Sequence[Judged]) -> dict[str, Any]:
    """Return one entry per text, in order."""
    return {"scores": [score._asdict() for score in scores]}


def explanation_answer(explanations: Sequence[Explanation], *, in_words: bool) -> dict[str, Any]:
    """Return one entry per text; ``in_words`` adds what the page shows of each."""
    rows = [as_row(explanation) for explanation in explanations]
    if in_words:
        rows = [
            row | {"shown": card(explanation, i + 1)}
            for i, (row, explanation) in enumerate(zip(rows, explanations, strict=True))
        ]
    return {"explanations": rows}


def comparison_answer(comparison: Compared, scores: Mapping[str, Sequence[float]], *, paired: bool) -> dict[str, Any]:
    """Return the systems with their scores, the best first, and their pairs; six significant digits."""
    answer: dict[str, Any] = rounded(
        {
            "paired": paired,
            "systems": [asdict(part) | {"naturalness": list(scores[part.system])} for part in comparison.systems],
            "pairs": [asdict(part) | {"differs": part.differs} for part in comparison.pairs],
            "verdict": list(comparison.verdict),
        }
    )
    return answer


def as_bytes(value: Mapping[str, Any]) -> bytes:
    """Return JSON in plain ASCII, the only way to send the lone surrogates that a text may hold."""
    text = json.dumps(finite(_listed(value)), allow_nan=False)
    return f"{text}\n".encode("ascii")


def _listed(value: Any) -> Any:
    """Return tuples as lists, at any depth."""
    if isinstance(value, (tuple, list)):
        return [_listed(item) for item in value]
    if isinstance(value, dict):
        return {name: _listed(item) for name, item in value.items()}
    return value
