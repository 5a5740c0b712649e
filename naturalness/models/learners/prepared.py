"""A feature table made ready for a learner: gaps filled, numbers standardised, tails cut.

Plain numpy, so that fitting and scoring run the same lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray, IntArray

LIMIT = 4.0
"""Standard deviations at which a value is cut: a text unlike all of training moves a score no
further than the most extreme that it saw, and one wild number cannot decide alone."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """The numbers that training froze. Columns: the features, then one mark per column with gaps.

    *Shapes:* ``fill`` (d,), ``marked`` (m,) of column numbers, ``mean`` and ``scale`` (d + m,),
    ``kept`` (p,) of column numbers among the d + m.
    """

    fill: FloatArray
    marked: IntArray
    mean: FloatArray
    scale: FloatArray
    kept: IntArray

    @property
    def n_features(self) -> int:
        """Columns of the feature table."""
        return len(self.fill)

    def apply(self, table: FloatArray) -> FloatArray:
        """Standardised values of shape (n, p); a value within 4 deviations of the mean, no NaN."""
        gaps = np.isnan(table)
        filled = np.where(gaps, self.fill, table)
        columns = np.hstack([filled, gaps[:, self.marked].astype(np.float64)])
        with np.errstate(over="ignore"):
            standard = (columns - self.mean) / self.scale
        cut = np.clip(standard, -LIMIT, LIMIT)
        return np.ascontiguousarray(cut[:, self.kept])

    def names(self, columns: list[str]) -> list[str]:
        """Names of the kept columns; a mark is ``undefined(name)``."""
        every = [*columns, *(f"undefined({columns[i]})" for i in self.marked)]
        return [every[i] for i in self.kept]

    def keeping(self, kept: IntArray) -> Preparation:
        """The same with other columns kept; numbers are among all d + m."""
        return Preparation(self.fill, self.marked, self.mean, self.scale, kept)


def learn_preparation(table: FloatArray, weight: FloatArray | None = None) -> Preparation:
    """Medians, marks, means and deviations of a training table; all columns are kept.

    A column without any value is filled with 0 and never moves a score. Of columns with gaps in
    the same rows one mark is enough: the first column's.
    """
    gaps = np.isnan(table)
    fill = np.zeros(table.shape[1])
    for j in range(table.shape[1]):
        values = table[~gaps[:, j], j]
        if len(values):
            fill[j] = np.median(values)
    seen: set[bytes] = set()
    marked = []
    for j in np.flatnonzero(gaps.any(axis=0) & ~gaps.all(axis=0)).tolist():
        pattern = gaps[:, j].tobytes()
        if pattern not in seen:
            seen.add(pattern)
            marked.append(j)
    numbers = np.array(marked, dtype=np.int64)
    columns = np.hstack([np.where(gaps, fill, table), gaps[:, numbers].astype(np.float64)])
    share = np.full(len(table), 1.0) if weight is None else weight
    share = share / share.sum()
    mean = share @ columns
    deviation = np.sqrt(share @ (columns - mean) ** 2)
    # What rounding leaves of a constant column is no deviation.
    flat = deviation <= 1e-12 * np.maximum(np.abs(mean), 1.0)
    scale = np.where(flat, 1.0, deviation)
    return Preparation(fill, numbers, mean, scale, np.arange(columns.shape[1], dtype=np.int64))
