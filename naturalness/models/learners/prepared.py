"""Preparation of a feature table for a learner: imputation, standardisation, and clipping.

It is written in plain numpy, so that training and scoring run the same code.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.units import INTEGERS, POSITIVE

MAX_DEVIATIONS = 4.0
"""Number of standard deviations from the mean at which values are clipped, so that a text unlike all training texts
gets no score far beyond theirs, and a single outlier cannot decide a score."""

UNDEFINED = "undefined("
"""Prefix of the name of a mark: ``undefined(column)`` is 1 where the column has no value, and 0 elsewhere."""


def measured(column: str) -> str:
    """Return the name of a feature column, given its own name or that of its mark, ``undefined(column)``."""
    return column.removeprefix(UNDEFINED).removesuffix(")") if column.startswith(UNDEFINED) else column


@dataclass(frozen=True, slots=True)
class Preparation:
    """The preparation of columns, learned in training: d features, then m marks, which indicate undefined values.

    *Shapes:* ``fill`` (d,); ``marked`` (m,), the indices of the marked features; ``mean`` and ``scale`` (d + m,);
    ``selected`` (p,), the indices, among all d + m columns, of the columns that the learner receives.
    """

    fill: FloatArray
    marked: IntArray = field(metadata=INTEGERS)
    mean: FloatArray
    scale: FloatArray = field(metadata=POSITIVE)
    selected: IntArray = field(metadata={"name": "kept", **INTEGERS})

    @property
    def n_features(self) -> int:
        """Number of columns of the feature table."""
        return len(self.fill)

    @property
    def n_read(self) -> int:
        """Number of features whose values, marks or both are selected."""
        columns = np.concatenate([np.arange(self.n_features), self.marked])
        return len(np.unique(columns[self.selected]))

    def apply(self, table: FloatArray) -> FloatArray:
        """Return standardised values, (n, p), clipped to 4 standard deviations from the mean; none of them is NaN."""
        gaps = np.isnan(table)
        filled = np.where(gaps, self.fill, table)
        columns = np.hstack([filled, gaps[:, self.marked].astype(np.float64)])
        with np.errstate(over="ignore"):
            standard = (columns - self.mean) / self.scale
        cut = np.clip(standard, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        return np.ascontiguousarray(cut[:, self.selected])

    def names(self, columns: list[str]) -> list[str]:
        """Return the names of the selected columns; a mark is ``undefined(name)``."""
        every = [*columns, *(f"{UNDEFINED}{columns[i]})" for i in self.marked)]
        return [every[i] for i in self.selected]

    def selecting(self, columns: IntArray) -> Preparation:
        """Return the same preparation with other columns selected, given as indices among all d + m columns."""
        return replace(self, selected=columns)


def learn_preparation(
    table: FloatArray, weight: FloatArray | None = None, marked: IntArray | None = None
) -> Preparation:
    """Learn medians, marks, means and standard deviations from a training table; all columns are selected.

    A column that has no value at all is filled with 0, and its standard deviation counts as 1. Columns that have gaps
    in the same rows share one mark, named after the first of these columns. If ``marked`` is given, these columns are
    marked.
    """
    gaps = np.isnan(table)
    fill = np.zeros(table.shape[1])
    for j in range(table.shape[1]):
        values = table[~gaps[:, j], j]
        if len(values):
            fill[j] = np.median(values)
    if marked is None:
        partial = np.flatnonzero(gaps.any(axis=0) & ~gaps.all(axis=0))[::-1].tolist()
        patterns = {gaps[:, j].tobytes(): j for j in partial}
        marked = np.array(sorted(patterns.values()), dtype=np.int64)
    columns = np.hstack([np.where(gaps, fill, table), gaps[:, marked].astype(np.float64)])
    share = np.full(len(table), 1.0) if weight is None else weight
    share = share / share.sum()
    mean = share @ columns
    deviation = np.sqrt(share @ (columns - mean) ** 2)
    # Rounding may give a constant column a tiny standard deviation.
    flat = deviation <= 1e-12 * np.maximum(np.abs(mean), 1.0)
    scale = np.where(flat, 1.0, deviation)
    return Preparation(fill, marked, mean, scale, np.arange(columns.shape[1], dtype=np.int64))
