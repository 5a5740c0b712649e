"""The context of a text: cells of other columns, such as the dialogue turn to which the text replies."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

Context = tuple[tuple[str, str], ...]
"""Pairs of a column name and its cell, in the order in which the page shows them."""


def context_of(cells: Mapping[str, Any], columns: Sequence[str]) -> Context:
    """Return the cells that a rater sees, leaving out empty ones."""
    parts = [(name, readable(cells.get(name))) for name in columns]
    return tuple((name, text) for name, text in parts if text)


def readable(cell: Any) -> str:
    """Return a cell formatted for people: a list line by line, a pair of strings as ``speaker: words``."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, list | tuple):
        return "\n".join(filter(None, map(readable, cell)))
    if isinstance(cell, Mapping):
        values = list(cell.values())
        if len(values) == 2 and all(isinstance(value, str) for value in values):
            return f"{values[0].strip()}: {values[1].strip()}"
        lines = [(name, readable(value)) for name, value in cell.items()]
        return "\n".join(f"{name}: {text}" for name, text in lines if text)
    return json.dumps(cell, ensure_ascii=False, default=str)
