"""What raters decided together where they had differed; their own ratings stay as they are."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from naturalness.annotate.project.standing import Item, item


@dataclass(frozen=True, slots=True)
class Settled:
    """A decision about a text, or about a pair of texts."""

    texts: tuple[int, ...]
    """Of pairs the lower number first."""
    value: float
    """On the scale; of pairs 1 where the text of the lower number is better."""
    by: str
    note: str
    at: str
    """Time in UTC, ISO 8601."""


def settle(
    db: sqlite3.Connection, texts: tuple[int, ...], value: float | None, by: str, note: str, at: str
) -> Settled | None:
    """Store a decision, in place of an earlier one; None opens the item again."""
    what = item(texts)
    if value is not None and texts != what:
        value = 0.0 - value
    first, second = (*what, None)[:2]
    db.execute(
        "INSERT INTO settled (first, second, value, by, note, at) VALUES (?, ?, ?, ?, ?, ?)",
        (first, second, value, by, note, at),
    )
    return None if value is None else Settled(what, value, by, note, at)


def settled(db: sqlite3.Connection) -> dict[Item, Settled]:
    """The decisions that stand, by item."""
    found: dict[Item, Settled] = {}
    for first, second, value, by, note, at in db.execute(
        "SELECT first, second, value, by, note, at FROM settled ORDER BY number"
    ):
        what = (first,) if second is None else (first, second)
        found.pop(what, None)
        if value is not None:
            found[what] = Settled(what, value, by, note, at)
    return found
