"""What a model stores for explanations: a sample of its training rows, their quantiles, and the spread of its scores.

The rows are prepared numbers, not texts. They are chosen one by one so that their mean stays as near as possible to the
mean of all rows (herding, Welling 2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.judging.reference import QUANTILES
from naturalness.statistics.measures import Z_95

SIZE = 16
ROWS, AT, SPREAD, USUAL = "background.rows", "repeats.at", "repeats.spread", "background.quantiles"
"""Names of the background's arrays in a model's file."""
BINS = 5


@dataclass(frozen=True, slots=True)
class Background:
    """A sample of training rows, the spread of the scores, and quantiles of the features.

    Shapes: ``rows`` (n_rows, n_selected), prepared; ``at`` and ``spread`` (k,), with k = 0 if the spread is unknown;
    ``quantiles`` as returned by `quantiles_of`, empty if unknown (in models of releases before 0.4).
    """

    rows: FloatArray
    at: FloatArray = field(default_factory=lambda: np.empty(0))
    """Levels of naturalness in ascending order, 0..1."""
    spread: FloatArray = field(default_factory=lambda: np.empty(0))
    """Standard deviation, over repeats of the training, of the naturalness of texts near each value of ``at``."""
    quantiles: FloatArray = field(default_factory=lambda: np.empty((0, len(QUANTILES))))

    def interval(self, naturalness: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return 95 % intervals of the scores if a third of the training data is left out; NaN if unknown."""
        half = Z_95 * np.interp(naturalness, self.at, self.spread) if len(self.at) else np.nan
        return np.clip(naturalness - half, 0, 1), np.clip(naturalness + half, 0, 1)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays, keyed by their names in a model's file."""
        return {ROWS: self.rows, AT: self.at, SPREAD: self.spread, USUAL: self.quantiles}


def herd(rows: FloatArray) -> FloatArray:
    """Return a deterministic sample of rows whose mean is near the mean of all rows."""
    mean, total = rows.mean(axis=0), np.zeros(rows.shape[1])
    left = np.ones(len(rows), dtype=bool)
    chosen: list[int] = []
    squared = (rows**2).sum(axis=1)
    for number in range(1, min(SIZE, len(rows)) + 1):
        # |(total + row) / number - mean|², times number² and without terms that are equal for all rows.
        distance = squared + 2 * rows @ (total - number * mean)
        best = int(np.where(left, distance, np.inf).argmin())
        left[best] = False
        chosen.append(best)
        total += rows[best]
    return np.ascontiguousarray(rows[chosen])


def spread_of(repeats: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ``at`` and ``spread``, given an array (n_repeats, n_texts) of naturalness, NaN for texts not judged.

    Both are empty if no text was judged twice.
    """
    judged = (~np.isnan(repeats)).sum(axis=0)
    repeats = repeats[:, judged > 1]
    if not repeats.shape[1]:
        return np.empty(0), np.empty(0)
    mean, variance = np.nanmean(repeats, axis=0), np.nanvar(repeats, axis=0, ddof=1)
    bins = np.array_split(np.argsort(mean, kind="stable"), min(BINS, len(mean)))
    at = [float(mean[rows].mean()) for rows in bins]
    spread = [float(np.sqrt(variance[rows].mean())) for rows in bins]
    return np.array(at), np.array(spread)


def read_background(arrays: Mapping[str, NDArray[Any]], width: int, n_columns: int) -> Background:
    """Return the background in a model's arrays; raise ValueError if it is invalid.

    ``width`` is the number of columns that the model selected from ``n_columns``.
    """
    rows, at, spread = (np.asarray(arrays.get(name, np.empty(0)), dtype=np.float64) for name in (ROWS, AT, SPREAD))
    quantiles = np.asarray(arrays.get(USUAL, np.empty((0, len(QUANTILES)))), dtype=np.float64)
    sound = rows.ndim == 2 and rows.shape[1] == width and len(rows) and at.ndim == 1 and at.shape == spread.shape
    finite = all(np.isfinite(values).all() for values in (rows, at, spread))
    if not (sound and finite) or (np.diff(at) < 0).any() or (spread < 0).any():
        raise ValueError("background rows or repeats are invalid")
    if quantiles.shape not in ((0, len(QUANTILES)), (n_columns, len(QUANTILES))) or (np.diff(quantiles) < 0).any():
        raise ValueError("quantiles of features are invalid")
    return Background(rows, at, spread, quantiles)
