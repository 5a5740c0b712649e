"""Group rows that share a source or a text, either directly or through a chain of other rows."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from naturalness.data.cells import name

SOURCE_NAME = re.compile(
    r"(source|origin(al)?|doc(ument)?|prompt|context|question|input|passage|article|story|thread|dialog(ue)?|conversation)"
    r"([ _-]?ids?)?",
    re.IGNORECASE,
)
"""The names of columns that probably contain sources."""
MIN_SOURCES = 10
"""The smallest number of sources that a hint proposes to keep together; splits of fewer are too uneven."""


def source_note(rows: Sequence[tuple[Hashable, Mapping[str, Any]]], what: str, used: str | None) -> str:
    """Return a note on the column of sources that is used. If none is, return a hint to name the first column of
    sources whose values repeat; an empty string if there is none.

    ``rows`` has a key and the cells of each row; ``what`` is the word for the things that the keys stand for.
    """
    if used:
        return f"{what} with the same {used!r} are kept together"
    for column in filter(SOURCE_NAME.fullmatch, rows[0][1]):
        sources = {key: source for key, cells in rows if (source := name(cells.get(column)))}
        if MIN_SOURCES <= (many := len({*sources.values()})) < len(sources):
            return (
                f"{len(sources):,} {what} have {many:,} values of {column!r}: if these are their sources, "
                f"`source_column={column}` keeps {what} of the same source together"
            )
    return ""


def connected(rows: Iterable[Iterable[Hashable]]) -> list[int]:
    """Return the number of each row's group, from 0 in order of appearance; ``rows`` has the keys of each row.

    Groups are the connected components of rows that share keys. A row that has no keys is a group of its own.
    """
    parents: list[int] = []
    owners: dict[Hashable, int] = {}
    for row, keys in enumerate(rows):
        parents.append(row)
        for key in keys:
            owner = _root(parents, owners.setdefault(key, row))
            parents[_root(parents, row)] = owner
    numbers: dict[int, int] = {}
    return [numbers.setdefault(_root(parents, row), len(numbers)) for row in range(len(parents))]


def _root(parents: list[int], row: int) -> int:
    """Return the root of a row's group (union-find with path halving)."""
    while parents[row] != row:
        parents[row] = parents[parents[row]]
        row = parents[row]
    return row
