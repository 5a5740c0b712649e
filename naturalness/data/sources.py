"""Rows that belong together: they share a source or a text, directly or through other rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


def connected(rows: Iterable[Iterable[Hashable]]) -> list[int]:
    """Return the group of each row, from 0 in order of appearance; a row is given by its keys.

    Rows with a key in common are in one group, and so are rows that others link (a shares a source
    with b, b a text with c). A row without keys is a group of its own.
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
    """Return the row that stands for a group; the way to it is halved, so that it stays short."""
    while parents[row] != row:
        parents[row] = parents[parents[row]]
        row = parents[row]
    return row
