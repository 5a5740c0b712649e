"""A linear model that learning starts from, in the terms of any table that shares its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import Preparation

MIN_SHARED = 0.5
"""Share of a model's columns that a table must have, for it to start there."""
MAX_APART = 2.0
"""Deviations of a model between its mean of a column and that of a table: beyond that the table is of other texts, and
most of its values would be cut."""


@dataclass(frozen=True, slots=True)
class Start:
    """What one more of each column, as measured, adds to the model's margin, and how the model prepares it.

    *Shapes:* (d,) for the d columns of the table that is learned from, ``mean`` and ``scale`` (2 d,) with their
    marks of gaps behind them. Where the model does not know a column the first two are 0, the others NaN.
    """

    slope: FloatArray
    undefined: FloatArray
    """What it adds that a column has no value."""
    fill: FloatArray
    mean: FloatArray
    scale: FloatArray

    def preparation(self, learned: Preparation) -> Preparation:
        """Prepare the columns that the model knows as it does, the others as ``learned`` from the table.

        A few texts say little of means and deviations, and a column that is the same in all of them would be lost.
        """
        d = learned.n_features
        marked = np.union1d(learned.marked, np.flatnonzero(~np.isnan(self.scale[d:])))
        learned_at = np.concatenate([np.arange(d), d + learned.marked])
        mean, scale = np.zeros(2 * d), np.ones(2 * d)
        mean[learned_at], scale[learned_at] = learned.mean, learned.scale
        known = np.abs(mean - self.mean) <= MAX_APART * self.scale
        known[d:] = ~np.isnan(self.scale[d:])
        chosen = np.concatenate([np.arange(d), d + marked])
        return Preparation(
            fill=np.where(known[:d], self.fill, learned.fill),
            marked=marked,
            mean=np.where(known, self.mean, mean)[chosen],
            scale=np.where(known, self.scale, scale)[chosen],
            selected=np.arange(len(chosen), dtype=np.int64),
        )

    def direction(self, preparation: Preparation) -> FloatArray:
        """Return the same for prepared columns, of shape (p,).

        Preparation cuts values at its own limits and not at the model's, so that the margin of a
        text unlike all others can differ.
        """
        every = np.concatenate([self.slope, self.undefined[preparation.marked]])
        out: FloatArray = (every * preparation.scale)[preparation.selected]
        return out


def start_of(model: Compiled, known: Sequence[str], columns: Sequence[str]) -> Start | None:
    """Return a model of one linear unit for a table of ``columns``; ``known`` are the model's own.

    None where the model is not linear, or the table has less than half of its columns: a part
    of a sum may point anywhere.
    """
    unit = model.units[0]
    if len(model.units) != 1 or not isinstance(unit, Linear):
        return None
    preparation = model.preparation
    position = {name: i for i, name in enumerate(columns)}
    d, n = len(columns), preparation.n_features
    slope, undefined = np.zeros(d), np.zeros(d)
    fill, mean, scale = np.full(d, np.nan), np.full(2 * d, np.nan), np.full(2 * d, np.nan)
    for at in range(len(preparation.mean)):
        of, marks = (at, 0) if at < n else (int(preparation.marked[at - n]), d)
        if known[of] in position:
            column = position[known[of]]
            mean[marks + column], scale[marks + column] = preparation.mean[at], preparation.scale[at]
            fill[column] = preparation.fill[of]
    shared = 0
    for weight, at in zip(unit.coef, preparation.selected.tolist(), strict=True):
        of = at if at < n else int(preparation.marked[at - n])
        if known[of] in position:
            shared += 1
            into = slope if at < n else undefined
            into[position[known[of]]] = weight / preparation.scale[at]
    return Start(slope, undefined, fill, mean, scale) if shared >= MIN_SHARED * len(preparation.selected) else None
