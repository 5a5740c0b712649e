"""Values of features that were calculated by hand (`tests/features/values.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

TABLE = Path(__file__).parents[1] / "features" / "values.toml"


def read_values() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """Return the value of each feature by group and document."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {
        group: {name: {key: _number(value) for key, value in values.items()} for name, values in documents.items()}
        for group, documents in table.items()
    }


def _number(value: float | str) -> float:
    return float(Fraction(value)) if isinstance(value, str) else float(value)


VALUES = read_values()
