"""Exact Shapley values of groups of a model's columns (parts), relative to a background sample.

A coalition is a set of parts. The columns of its parts keep the text's values, and all other columns take those of a
background row; the coalition's worth is the unit's mean output over the background rows. A part's Shapley value is the
mean, over all orders in which parts can join, of the worth that it adds (Shapley 1953; Lundberg & Lee 2017 for models).
Nothing is sampled: most kinds of units have a closed form. This file contains the code that they share, and the
enumeration of all coalitions for the other kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial

import numpy as np

from naturalness.arrays import FloatArray, IntArray

Parts = Sequence[IntArray]
"""The column indices of each part; every column of the model belongs to exactly one part."""


def by_row(values: Callable[[FloatArray], FloatArray], rows: FloatArray, parts: Parts) -> FloatArray:
    """Return the Shapley values of all rows, (n, n_parts), given a function that returns the values of one row."""
    return np.array([values(row) for row in rows], dtype=np.float64).reshape(len(rows), len(parts))


def by_coalitions(
    decide: Callable[[FloatArray], FloatArray], row: FloatArray, background: FloatArray, parts: Parts
) -> FloatArray:
    """Return the Shapley values of one row, (n_parts,), for any function of rows, by enumerating all coalitions."""
    inside = coalitions(len(parts), 0, 1 << len(parts)).astype(bool)
    worths = np.empty(len(inside))
    for number, coalition in enumerate(inside):
        mixed = background.copy()
        for part, member in zip(parts, coalition, strict=True):
            if member:
                mixed[:, part] = row[part]
        worths[number] = decide(mixed).mean()
    return from_worths(worths, len(parts))


def coalitions(n_parts: int, start: int, stop: int) -> FloatArray:
    """Return the coalitions numbered ``start`` to ``stop - 1`` as rows of 0 and 1, the bits of the numbers."""
    numbers = np.arange(start, stop)[:, None]
    return ((numbers >> np.arange(n_parts)) & 1).astype(np.float64)


def from_worths(worths: FloatArray, n_parts: int) -> FloatArray:
    """Return the Shapley values, (n_parts,), from the worths of all coalitions."""
    numbers = np.arange(1 << n_parts)
    sizes = coalitions(n_parts, 0, len(numbers)).sum(axis=1).astype(int)
    share = np.array([factorial(size) * factorial(n_parts - size - 1) / factorial(n_parts) for size in range(n_parts)])
    values = np.empty(n_parts)
    for part in range(n_parts):
        without = numbers[(numbers >> part) & 1 == 0]
        gain = worths[without | (1 << part)] - worths[without]
        values[part] = (share[sizes[without]] * gain).sum()
    return values


def distances(points: FloatArray, row: FloatArray, parts: Parts) -> FloatArray:
    """Return the squared distances between points and a row within the columns of each part, (n_points, n_parts)."""
    squared = (points - row) ** 2
    return np.column_stack([squared[:, part].sum(axis=1) for part in parts])
