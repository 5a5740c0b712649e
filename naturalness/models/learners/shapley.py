"""Exact Shapley values of parts of a model's columns, against a background sample.

A coalition of parts keeps its columns as they are in the text, all others are those of a background
row; its worth is the mean of the unit over the background rows. A part's value is its mean gain
over all orders in which parts can join (Shapley 1953; Lundberg & Lee 2017 for models). Nothing is
sampled: most kinds of unit have a form of their own in which the mean can be had exactly. Here is
what they share, and the trial of every coalition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial

import numpy as np

from naturalness.arrays import FloatArray, IntArray

Parts = Sequence[IntArray]
"""The columns of each part; every column of the model is in one of them."""


def by_row(values: Callable[[FloatArray], FloatArray], rows: FloatArray, parts: Parts) -> FloatArray:
    """Return the values of all rows, (n, n_parts), by a function of one."""
    return np.array([values(row) for row in rows], dtype=np.float64).reshape(len(rows), len(parts))


def by_coalitions(
    decide: Callable[[FloatArray], FloatArray], row: FloatArray, background: FloatArray, parts: Parts
) -> FloatArray:
    """Return the values of one row, (n_parts,), of any function of rows: every coalition is tried."""
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
    """Return some of the 2**n coalitions as rows of 0 and 1: the bits of their numbers."""
    numbers = np.arange(start, stop)[:, None]
    bits: FloatArray = ((numbers >> np.arange(n_parts)) & 1).astype(np.float64)
    return bits


def from_worths(worths: FloatArray, n_parts: int) -> FloatArray:
    """Return the values, (n_parts,), by Shapley's sum over the worths of all coalitions."""
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
    """Return squared distances (n_points, n_parts) to a row, part by part."""
    squared = (points - row) ** 2
    return np.column_stack([squared[:, part].sum(axis=1) for part in parts])
