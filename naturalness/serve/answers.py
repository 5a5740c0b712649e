"""What is answered, as plain data: scores, explanations, comparisons; what is undefined is null."""

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
from naturalness.reports.systems.scores import Compared
from naturalness.serve.worker import Judged


def told_scores(found: Sequence[Judged]) -> dict[str, Any]:
    """One entry per text, in order."""
    return {"scores": [one._asdict() for one in found]}


def told_explanations(found: Sequence[Explanation], *, in_words: bool) -> dict[str, Any]:
    """One entry per text; ``in_words`` adds what the page shows of each."""
    rows = [as_row(one) for one in found]
    if in_words:
        rows = [row | {"shown": card(one, i + 1)} for i, (row, one) in enumerate(zip(rows, found, strict=True))]
    return {"explanations": rows}


def told_comparison(found: Compared, scores: Mapping[str, Sequence[float]], *, paired: bool) -> dict[str, Any]:
    """Systems with their scores, the best first, and their pairs; six significant digits."""
    told: dict[str, Any] = rounded(
        {
            "paired": paired,
            "systems": [asdict(one) | {"naturalness": list(scores[one.system])} for one in found.systems],
            "pairs": [asdict(one) | {"differs": one.differs} for one in found.pairs],
            "verdict": list(found.verdict),
        }
    )
    return told


def as_bytes(value: Mapping[str, Any]) -> bytes:
    """JSON in plain ASCII: halves of characters, which a text may hold, cannot be sent else."""
    told = json.dumps(finite(_listed(value)), allow_nan=False)
    return f"{told}\n".encode("ascii")


def _listed(value: Any) -> Any:
    """Tuples as lists, at any depth."""
    if isinstance(value, (tuple, list)):
        return [_listed(item) for item in value]
    if isinstance(value, dict):
        return {name: _listed(item) for name, item in value.items()}
    return value
