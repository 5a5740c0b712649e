"""Texts of a table with the columns that name things: systems, inputs, keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from naturalness.data.cells import name
from naturalness.data.formats import Location
from naturalness.data.rated_columns import missing_column
from naturalness.data.reading import read_batches


@dataclass(slots=True)
class NamedTexts:
    """One entry per row, in every list."""

    texts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why a row cannot be used; empty where it can."""
    columns: dict[str, list[str]] = field(default_factory=dict)
    """The cells of the columns that were asked for and are there; empty where a row has none."""


def read_named(
    where: Location, *, text_column: str | None, needed: Sequence[str], wanted: Sequence[str] = ()
) -> NamedTexts:
    """All rows; columns that are ``needed`` must be there, those that are ``wanted`` may."""
    found = NamedTexts()
    seen: dict[str, None] = {}
    for batch in read_batches(where, text_column=text_column, batch_size=1024):
        seen |= dict.fromkeys(batch.columns)
        for column in dict.fromkeys((*needed, *wanted)):
            before = [""] * len(found.texts)
            cells = [name(row.get(column)) for row in batch.rows]
            found.columns.setdefault(column, before).extend(cells)
        found.texts += batch.texts
        found.problems += batch.problems
    for column in needed:
        if column not in seen:
            raise missing_column(where.path, column, list(seen))
    found.columns = {column: cells for column, cells in found.columns.items() if column in seen}
    return found
