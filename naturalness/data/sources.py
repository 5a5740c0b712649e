"""Group rows that share a source or a text, either directly or through a chain of other rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


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
