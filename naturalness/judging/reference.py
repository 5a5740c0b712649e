"""Quantiles of every feature in the training texts, which a model stores for explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray

QUANTILES = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


def quantiles_of(table: FloatArray) -> FloatArray:
    """Return the quantiles of each column, shape (n_columns, len(`QUANTILES`)); NaN for a column without values."""
    values = [column[~np.isnan(column)] for column in table.T]
    return np.array([np.quantile(v, QUANTILES) if len(v) else np.full(len(QUANTILES), np.nan) for v in values])


@dataclass(frozen=True, slots=True)
class Usual:
    """Quantiles of features in the training texts, keyed by feature name."""

    quantiles: Mapping[str, FloatArray]
    """Quantiles of each feature, shape (len(`QUANTILES`),), in ascending order; features without values are absent."""

    @classmethod
    def of(cls, columns: Sequence[str], quantiles: FloatArray) -> Usual:
        """Return the rows of `quantiles_of`, keyed by column."""
        rows = zip(columns, quantiles, strict=True)
        return cls({name: row for name, row in rows if not np.isnan(row).any()})

    def share(self, column: str, value: float) -> float:
        """Return the share, 0..1, of training texts with a lower value; equal values count half. NaN if unknown."""
        known = self.quantiles.get(column)
        if known is None:
            return float("nan")
        same = np.array(QUANTILES)[known == value]
        return float((same[0] + same[-1]) / 2 if len(same) else np.interp(value, known, QUANTILES))

    def outside(self, columns: Sequence[str], row: FloatArray) -> tuple[int, int]:
        """Return how many values of a row are outside the central 98 % of the training texts, and how many are defined.

        Only columns that have quantiles are counted.
        """
        known = [i for i, name in enumerate(columns) if name in self.quantiles]
        levels = np.array([self.quantiles[columns[i]] for i in known]).reshape(-1, len(QUANTILES))
        low, high = levels[:, QUANTILES.index(0.01)], levels[:, QUANTILES.index(0.99)]
        values = row[known]
        return int(((values < low) | (values > high)).sum()), int((~np.isnan(values)).sum())
