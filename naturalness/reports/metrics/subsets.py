"""Subsets of the rated texts on which metrics are evaluated, in addition to the set of all texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import IntArray
from naturalness.errors import TableError

ALL, GIVEN_LENGTH, MEANS = "all", "given length", "system means"
SYSTEM = "system"
MAX_PARTS = 60
"""The largest number of distinct values in a column by which texts are grouped."""


@dataclass(frozen=True, slots=True)
class Subset:
    """A subset of the texts, given by row indices."""

    name: str
    """The name of the subset: ``all``, ``given length``, ``system=…`` and so on."""
    kind: str
    """How the rows were chosen: `ALL`, `GIVEN_LENGTH`, or the name of a column."""
    rows: IntArray


def make_subsets(n_texts: int, systems: Sequence[str | None] | None, by: Mapping[str, Sequence[str]]) -> list[Subset]:
    """Return all subsets, the first of which contains all texts."""
    all_rows = np.arange(n_texts)
    subsets = [Subset(ALL, ALL, all_rows), Subset(GIVEN_LENGTH, GIVEN_LENGTH, all_rows)]
    if systems is not None and 1 < len(set(systems) - {None}) <= MAX_PARTS:
        subsets += by_column(SYSTEM, systems)
    for name, values in by.items():
        if any(part.kind == name == SYSTEM for part in subsets):
            continue
        if len(set(values)) > MAX_PARTS:
            raise TableError(
                f"column {name!r} has {len(set(values)):,} different values; `by` takes one with {MAX_PARTS} or fewer"
            )
        subsets += by_column(name, values)
    return subsets


def by_column(column: str, values: Sequence[str | None]) -> list[Subset]:
    """Return one subset per value, sorted by value; empty strings form a subset, but None does not."""
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        if value is not None:
            rows.setdefault(str(value), []).append(row)
    return [Subset(f"{column}={name}", column, np.array(rows[name])) for name in sorted(rows)]
