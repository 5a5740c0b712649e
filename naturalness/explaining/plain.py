"""An explanation as dictionaries and lists, for JSON; offsets count characters of the text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from naturalness.explaining.explanation import Explanation


def as_row(explained: Explanation) -> dict[str, Any]:
    """All fields, the cause behind the label; NaN stays NaN."""
    fields = {name: _listed(value) for name, value in asdict(explained).items()}
    cause = fields.pop("cause")
    row: dict[str, Any] = {}
    for name, value in fields.items():
        row[name] = value
        if name == "label":
            row["cause"] = cause
    return row


def _listed(value: Any) -> Any:
    """Tuples as lists, at any depth."""
    if isinstance(value, (tuple, list)):
        return [_listed(item) for item in value]
    if isinstance(value, dict):
        return {name: _listed(item) for name, item in value.items()}
    return value
