"""Correlations of weighted rows, for many sets of weights at once: what a bootstrap asks for.

A resample is a column of weights: how often each row was drawn. Arrays are (n_rows, n_weights), so
that ranking a resample is sums over rows in an order that is known beforehand: nothing is sorted
twice. Kendall's tau needs all pairs of rows and takes them as products of sign matrices, in blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from naturalness.arrays import Float32Array, FloatArray, IntArray

BLOCK_ROWS = 256
"""Rows of a sign matrix that are held at a time."""
MIN_VARIANCE = 1e-10
"""Share of a column's variance under which a resample counts as constant."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers without NaN, with its order."""

    values: FloatArray
    """Standardised: mean 0, variance 1; a constant column is 0."""
    order: IntArray
    ends: IntArray
    """Where runs of equal values end in that order."""
    run: IntArray
    """For each row, the number of its run."""
    variance: float

    @classmethod
    def of(cls, values: FloatArray) -> Column:
        """Sort a column once."""
        order = np.argsort(values, kind="stable")
        last = np.ones(len(values), dtype=bool)
        last[:-1] = np.diff(values[order]) > 0
        ends = np.flatnonzero(last)
        run = np.empty(len(values), dtype=np.int64)
        run[order] = np.searchsorted(ends, np.arange(len(values)))
        variance = float(np.var(values)) if len(ends) > 1 else 0.0
        centred = values - values.mean()
        scaled = centred / np.sqrt(variance) if variance else np.zeros_like(values)
        return cls(scaled, order, ends, run, variance)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Mid-ranks of the rows of each resample, less their mean, and how many are tied."""

    ranks: FloatArray
    """(n_rows, n_weights)"""
    power: FloatArray
    """Sum of their squares: (n_weights,); 0 where all values are equal."""
    free: FloatArray
    """Pairs of rows that are not tied: (n_weights,)."""

    @classmethod
    def of(cls, column: Column, weights: FloatArray) -> Ranked:
        """Ranks by counting what lies below, and half of what is equal."""
        below = _running_sums(weights[column.order])
        if len(column.ends) < len(below):
            below = below[column.ends]
        tied = below.copy()
        tied[1:] -= below[:-1]
        total = below[-1].copy()
        free = (total * total - np.einsum("ij,ij->j", tied, tied)) / 2
        middle = np.subtract(below, total / 2, out=below)
        middle -= np.multiply(tied, 0.5)
        np.multiply(tied, middle, out=tied)
        return cls(middle[column.run], np.einsum("ij,ij->j", tied, middle), free)


def _running_sums(rows: FloatArray) -> FloatArray:
    """Cumulative sums down the rows, in place; row by row is ten times as fast as `np.cumsum`."""
    for above, row in pairwise(rows):
        np.add(above, row, out=row)
    return rows


def spearman(weights: FloatArray, x: Ranked, y: Ranked) -> FloatArray:
    """Rank correlation in each resample: (n_weights,); NaN where one column is constant."""
    return _ratio(np.einsum("ij,ij,ij->j", weights, x.ranks, y.ranks), x.power * y.power)


def pearson(weights: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Linear correlation of standardised x, of shape (n_metrics, n_rows), with y, (n_rows,).

    Returns (n_metrics, n_weights); NaN where one of the two is constant in a resample.
    """
    total = _totals(weights)
    mx, my = x @ weights / total, y @ weights / total
    xx, yy = (x * x) @ weights / total, (y * y) @ weights / total
    both = (x * y) @ weights / total - mx * my
    spread_x, spread_y = xx - mx * mx, yy - my * my
    flat = (spread_x <= MIN_VARIANCE * np.maximum(xx, 1)) | (spread_y <= MIN_VARIANCE * np.maximum(yy, 1))
    return _ratio(both, np.where(flat, 0, spread_x * spread_y))


def _totals(weights: FloatArray) -> FloatArray:
    """Sum of each column; NaN where nothing is left, so that what is divided by it is undefined."""
    total: FloatArray = weights.sum(axis=0)
    return np.where(total > 0, total, np.nan)


def _ratio(product: FloatArray, squares: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(squares > 0, product / np.sqrt(squares), np.nan)
    return np.clip(r, -1, 1)


def variance(weights: FloatArray, y: Column) -> FloatArray:
    """Variance in each resample, dividing by n, in the column's own unit: (n_weights,)."""
    total = _totals(weights)
    mean = y.values @ weights / total
    spread: FloatArray = (y.values * y.values) @ weights / total - mean * mean
    return np.maximum(spread, 0) * y.variance


def partial(xy: FloatArray, xz: FloatArray, yz: FloatArray) -> FloatArray:
    """Correlation of x and y given z, of their three correlations; NaN where z leaves nothing."""
    rest = (1 - xz**2) * (1 - yz**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(rest > MIN_VARIANCE, (xy - xz * yz) / np.sqrt(rest), np.nan)


def kendall(weights: FloatArray | Float32Array, x: Column, y: Column, free: FloatArray) -> FloatArray:
    """Tau-b in each resample: (n_weights,); a row drawn twice is tied with itself.

    ``free`` is the product of the free pairs of x and y, as `Ranked` counts them.
    """
    n = len(x.run)
    # Weights and signs are small whole numbers: products and sums of up to 2^24 are exact.
    small = weights.astype(np.float32, copy=False)
    runs_x, runs_y = x.run.astype(np.float32), y.run.astype(np.float32)
    difference = np.zeros(weights.shape[1])
    for start in range(0, n, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, n)
        signs = np.sign(runs_x[start:stop, None] - runs_x[start:])
        signs *= np.sign(runs_y[start:stop, None] - runs_y[start:])
        # Pairs inside the block stand in it twice, those with later rows once.
        signs[:, : stop - start] *= 0.5
        sums = signs @ small[start:]
        difference += np.einsum("ij,ij->j", sums, small[start:stop], dtype=np.float64)
    return _ratio(difference, free)
