"""Subsets of the rated texts on which metrics are evaluated, in addition to the set of all texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TableError
from naturalness.statistics.correlation import MIN_ROWS

ALL, GIVEN_LENGTH, MEANS = "all", "given length", "system means"
SYSTEM = "system"
MAX_PARTS = 60
"""The largest number of distinct values in a column by which texts are grouped."""


@dataclass(frozen=True, slots=True)
class Subset:
    """A subset of the texts, given by row indices."""

    name: str
    """The name of the subset: ``all``, ``system=…``, ``band 1/3 (…)`` and so on."""
    kind: str
    """How the rows were chosen: `ALL`, `GIVEN_LENGTH`, the name of a column, or ``band``."""
    rows: IntArray
    note: str = ""
    """A remark on how the rows were chosen, or the reason why there are no figures."""


def make_subsets(
    ratings: FloatArray, systems: Sequence[str | None] | None, by: Mapping[str, Sequence[str]], bands: int
) -> list[Subset]:
    """Return all subsets, the first of which contains all texts; a subset with fewer than `MIN_ROWS` rows has a note
    that says so.
    """
    all_rows = np.arange(len(ratings))
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
    subsets += by_band(ratings, bands)
    return [_checked(subset) for subset in subsets]


def _checked(subset: Subset) -> Subset:
    if len(subset.rows) >= MIN_ROWS:
        return subset
    few = f"{len(subset.rows)} rows, fewer than {MIN_ROWS}: no figures"
    return Subset(subset.name, subset.kind, subset.rows, few)


def by_column(column: str, values: Sequence[str | None]) -> list[Subset]:
    """Return one subset per value, sorted by value; empty strings form a subset, but None does not."""
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        if value is not None:
            rows.setdefault(str(value), []).append(row)
    return [Subset(f"{column}={name}", column, np.array(rows[name])) for name in sorted(rows)]


def by_band(ratings: FloatArray, bands: int) -> list[Subset]:
    """Split the texts into bands of about equal size, from the lowest ratings to the highest.

    Texts with equal ratings stay in one band, so bands may differ in size, and there may be fewer than requested.
    """
    known = np.sort(ratings[~np.isnan(ratings)])
    values, first = np.unique(known, return_index=True)
    if bands < 2 or len(values) < 2:
        return []
    # Move each target to the nearest boundary between two different ratings.
    targets = np.arange(1, bands) * len(known) / bands
    cuts = sorted({1 + int(np.abs(first[1:] - at).argmin()) for at in targets})
    ends = [0, *cuts, len(values)]
    parts = []
    for number, (start, stop) in enumerate(pairwise(ends), 1):
        low, high = values[start], values[stop - 1]
        span = f"{low:.3g} to {high:.3g}" if low < high else f"{low:.3g}"
        rows = np.flatnonzero((ratings >= low) & (ratings <= high))
        why = "" if low < high else "all have the same rating: no correlation"
        parts.append(Subset(f"band {number}/{len(ends) - 1} ({span})", "band", rows, why))
    return parts
