"""Read, write and check the settings of a project."""

from __future__ import annotations

import json
import math
import sqlite3
import unicodedata
from dataclasses import asdict
from typing import Any

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project.records import KINDS, LABELS, Scale

MAX_NAME_CHARACTERS = 100
"""Maximum number of characters in a rater's name."""
FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20\t\r")
"""Characters with which a formula begins in spreadsheets, some of which accept full-width forms."""
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of characters that cannot be stored, or cannot be shown on one line."""


def get(db: sqlite3.Connection, key: str, default: Any = None) -> Any:
    """Return a setting, or the default if it is not set."""
    row = db.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
    return default if row is None else json.loads(row[0])


def put(db: sqlite3.Connection, key: str, value: Any) -> None:
    """Set a setting to any JSON value."""
    db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, json.dumps(value)))


def write_scale(scale: Scale) -> dict[str, Any]:
    """Return a scale as a JSON object."""
    return asdict(scale) | {"labels": list(scale.labels)}


def read_scale(fields: Any) -> Scale:
    """Return the scale that a JSON object describes."""
    if fields["kind"] == "pairs":
        raise ProjectError("projects of pairs of texts no longer open; export this one with naturalness 0.3")
    return check_scale(Scale(fields["kind"], fields["low"], fields["high"], tuple(fields["labels"])))


def check_scale(scale: Scale) -> Scale:
    """Return the scale; raise if it has no usable values."""
    low, high = limits = (scale.low, scale.high)
    if scale.kind == LABELS:
        names = {label.strip().casefold() for label in scale.labels}
        if len(names) < max(2, len(scale.labels)) or "" in names:
            raise ProjectError(
                f"found labels {', '.join(map(repr, scale.labels)) or '(none)'}; expected two or "
                "more different ones, the worst first"
            )
        limits = (0, len(names) - 1)
    if scale.kind not in KINDS or not -math.inf < low < high < math.inf or (low, high) != limits:
        raise ProjectError(f"found scale {scale.kind} from {low:g} to {high:g}; expected the lowest rating first")
    return scale


def check_rater(name: object) -> str:
    """Return a rater's name without surrounding white space; raise if it is invalid."""
    text = name.strip() if isinstance(name, str) else ""
    if not 0 < len(text) <= MAX_NAME_CHARACTERS or any(unicodedata.category(c) in UNPRINTABLE for c in text):
        raise ProjectError(
            f"{name!r:.100} cannot be the name of a rater; expected 1 to {MAX_NAME_CHARACTERS} characters on one line"
        )
    if text[0] in FORMULA:
        raise ProjectError(
            f"the rater's name {text!r} begins with {text[0]!r}, which a spreadsheet takes for a formula; "
            "begin it with a letter or a digit"
        )
    return text
