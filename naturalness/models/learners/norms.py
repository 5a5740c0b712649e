"""Norms: how usual a text's values are, as a sum of one term per column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.prepared import MAX_DEVIATIONS
from naturalness.models.learners.shapley import Parts, by_row
from naturalness.models.learners.units import POSITIVE, require, require_shapes


@dataclass(frozen=True, slots=True)
class Norms:
    """The function ``along . z - apart . |z|``, where z is (value - usual) / spread, clipped to -4..4.

    *Shapes:* all arrays are (p,), for p columns.
    """

    kind: ClassVar[str] = "norms"
    usual: FloatArray
    spread: FloatArray = field(metadata=POSITIVE)
    along: FloatArray
    """Gain of each column per standard deviation above its usual value; below it, a loss."""
    apart: FloatArray
    """Cost of each column per standard deviation from its usual value, in either direction; 0 or more."""

    def by_column(self, row: FloatArray) -> FloatArray:
        """Return the contribution of each column, for one row or several."""
        z = np.clip((row - self.usual) / self.spread, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        return self.along * z - self.apart * np.abs(z)

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the sum of the contributions of each row's columns, (n,); higher means more usual."""
        return np.array([self.by_column(row).sum() for row in rows], dtype=np.float64)

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless each array has one number per column and costs are 0 or more."""
        require_shapes(self, name, usual=(width,), spread=(width,), along=(width,), apart=(width,))
        require(bool((self.apart >= 0).all()), f"{name}.apart", "value (below 0)")

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values.

        Since columns do not interact, a part's value is the sum over its columns of the row's contribution minus the
        mean contribution in the background.
        """
        mean = self.by_column(background).mean(axis=0)

        def values(row: FloatArray) -> FloatArray:
            moved = self.by_column(row) - mean
            return np.array([moved[part].sum() for part in parts])

        return by_row(values, rows, parts)
