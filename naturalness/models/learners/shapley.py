"""Exact Shapley values of groups of a model's columns (parts), relative to a background sample.

A coalition is a set of parts. The columns of its parts keep the text's values, and all other columns take those of a
background row; the coalition's worth is the unit's mean output over the background rows. A part's Shapley value is the
mean, over all orders in which parts can join, of the worth that it adds (Shapley 1953; Lundberg & Lee 2017 for models).
Nothing is sampled: every kind of unit has a closed form. This file contains the code that they share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from naturalness.arrays import FloatArray, IntArray

Parts = Sequence[IntArray]
"""The column indices of each part; every column of the model belongs to exactly one part."""


def by_row(values: Callable[[FloatArray], FloatArray], rows: FloatArray, parts: Parts) -> FloatArray:
    """Return the Shapley values of all rows, (n, n_parts), given a function that returns the values of one row."""
    return np.array([values(row) for row in rows], dtype=np.float64).reshape(len(rows), len(parts))


def distances(points: FloatArray, row: FloatArray, parts: Parts) -> FloatArray:
    """Return the squared distances between points and a row within the columns of each part, (n_points, n_parts)."""
    squared = (points - row) ** 2
    return np.column_stack([squared[:, part].sum(axis=1) for part in parts])
