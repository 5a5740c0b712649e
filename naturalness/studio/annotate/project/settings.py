"""The settings of a project: scale, overlap, seed, keys."""

from __future__ import annotations

import json
import math
import sqlite3
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from naturalness.data.batch import check_columns
from naturalness.errors import ProjectError
from naturalness.studio.annotate.project.records import KINDS, LABELS, PAIRS, POINTS, Scale

MAX_NAME_CHARACTERS = 100
"""Maximum number of characters in a rater's name."""
FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20\t\r")
"""Characters with which a formula begins in spreadsheets, some of which accept full-width forms."""


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
    return check_scale(Scale(fields["kind"], fields["low"], fields["high"], tuple(fields["labels"])))


def check_scale(scale: Scale) -> Scale:
    """Return the scale; raise if it has no usable values."""
    if scale.kind not in KINDS:
        raise ProjectError(f"the scale {scale.kind!r}; choose from: {', '.join(KINDS)}")
    if scale.kind == LABELS and len(scale.labels) == 1:
        raise ProjectError(f"found one label, {scale.labels[0]!r}; expected two or more, the worst first")
    low, high = scale.low, scale.high
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ProjectError(f"the scale {low:g} to {high:g}; expected the lowest rating first")
    if scale.kind == POINTS and not (float(low).is_integer() and float(high).is_integer()):
        raise ProjectError(f"the scale {low:g} to {high:g}; expected whole numbers")
    if scale.kind == PAIRS and (low, high) != (-1, 1):
        raise ProjectError(f"the scale {low:g} to {high:g}; of pairs, -1 to 1 is expected")
    if scale.kind == LABELS:
        names = [label.strip() for label in scale.labels]
        if len(names) < 2 or len({name.casefold() for name in names}) < len(names) or "" in names:
            raise ProjectError(
                f"the labels {', '.join(map(repr, scale.labels)) or '(none)'}; expected two or "
                "more different ones, the worst first"
            )
        if (low, high) != (0, len(names) - 1):
            raise ProjectError(f"{len(names)} labels on a scale of {low:g} to {high:g}; expected 0 to {len(names) - 1}")
    elif scale.labels:
        raise ProjectError(f"a scale of {scale.kind} has no labels, found {len(scale.labels)}")
    return scale


def check_overlap(overlap: int, share: float) -> None:
    """Raise if ``overlap`` is less than one rater, or if ``share`` is outside 0 to 1."""
    if isinstance(overlap, bool) or not isinstance(overlap, int) or overlap < 1:
        raise ProjectError(f"an overlap of {overlap!r} raters; expected at least 1")
    if not 0 <= share <= 1:
        raise ProjectError(f"a share of {share!r} of the texts for several raters; expected 0 to 1")


def check_context(names: Sequence[str], columns: Sequence[str], text_column: str) -> list[str]:
    """Return the context columns, each once; raise if the table lacks one of them."""
    if isinstance(names, str):
        raise TypeError(f"context is the string {names!r}; expected a list of columns")
    if text_column in names:
        raise ProjectError(f"the context {text_column!r} is the column of texts itself; name other columns")
    check_columns(names, columns, "the table of the project")
    return list(dict.fromkeys(names))


def check_rater(name: str) -> str:
    """Return a rater's name without surrounding white space; raise if it is invalid."""
    name = name.strip()
    if not name or len(name) > MAX_NAME_CHARACTERS or any(map(_odd, name)):
        raise ProjectError(
            f"the name {name[:MAX_NAME_CHARACTERS]!r} of a rater; "
            f"expected 1 to {MAX_NAME_CHARACTERS} characters on one line"
        )
    if name[0] in FORMULA:
        raise ProjectError(
            f"the name {name!r} of a rater begins with {name[0]!r}, which a spreadsheet takes for a formula; "
            "begin it with a letter or a digit"
        )
    return name


def _odd(character: str) -> bool:
    """Return whether a character cannot be stored, or cannot be shown on one line."""
    return unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
