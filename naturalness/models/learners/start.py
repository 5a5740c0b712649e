"""A linear model as the starting point for learning, expressed in the columns of the training table.

Of a model with one function for sentences and another for passages, learning starts from that of most training texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.prepared import Preparation

MIN_SHARED = 0.5
"""Minimum share, 0 to 1, of a model's columns that a table must have for learning to start from the model."""
MAX_APART = 2.0
"""Maximum distance, in the model's standard deviations, between a column's mean in the model and in the table. If it is
larger, the table contains a different kind of text, and most of the column's values would be clipped."""


@dataclass(frozen=True, slots=True)
class Start:
    """A linear model's slope per unit of each feature, and the model's preparation.

    *Shapes:* (d,) for the d columns of the training table, except ``mean`` and ``scale``, which are (2 d,): first for
    the columns, then for their marks; ``slope`` and ``undefined`` are (k, d), for k linear functions. For a column that
    the model lacks, they are 0, and the other arrays are NaN.
    """

    slope: FloatArray
    undefined: FloatArray
    """Change in the model's margin if a column has no value."""
    fill: FloatArray
    mean: FloatArray
    scale: FloatArray
    switch: int | None = None
    """The column by which a row gets the second function, if the model has two and the table has this column."""
    limit: float = np.inf
    """The value above which it does."""

    def preparation(self, learned: Preparation) -> Preparation:
        """Return the model's preparation where it fits the table, and otherwise ``learned``, the table's own.

        The model's preparation fits a column if the model has the column and the means differ by at most `MAX_APART`.
        It is preferred because a few texts give poor estimates of means and standard deviations, and a column
        that is constant in them would be lost.
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

    def direction(self, preparation: Preparation, table: FloatArray) -> FloatArray:
        """Return the model's weights for the columns of ``preparation``, (p,): those that most rows of ``table`` get.

        Values are clipped at the limits of ``preparation`` rather than the model's, so the margin of an extreme
        text may differ from the model's.
        """
        which = int(self.switch is not None and (table[:, self.switch] > self.limit).mean() > 0.5)
        every = np.concatenate([self.slope[which], self.undefined[which, preparation.marked]])
        return (every * preparation.scale)[preparation.selected]


def start_of(model: Compiled, known: Sequence[str], columns: Sequence[str]) -> Start | None:
    """Return the start that a model whose columns are ``known`` gives for a table with ``columns``.

    Return None if the model is not a single unit with weights, or if the table has less than `MIN_SHARED` of the
    model's columns, since part of a weighted sum may be meaningless.
    """
    unit = model.units[0]
    if len(model.units) != 1 or not isinstance(unit, Linear | Switching):
        return None
    preparation = model.preparation
    position = {name: i for i, name in enumerate(columns)}
    d, n = len(columns), preparation.n_features
    coef = np.atleast_2d(unit.coef)
    slope, undefined = np.zeros((len(coef), d)), np.zeros((len(coef), d))
    fill, mean, scale = np.full(d, np.nan), np.full(2 * d, np.nan), np.full(2 * d, np.nan)
    for at in range(len(preparation.mean)):
        of, marks = (at, 0) if at < n else (int(preparation.marked[at - n]), d)
        if known[of] in position:
            column = position[known[of]]
            mean[marks + column], scale[marks + column] = preparation.mean[at], preparation.scale[at]
            fill[column] = preparation.fill[of]
    shared = 0
    for weights, at in zip(coef.T, preparation.selected.tolist(), strict=True):
        of = at if at < n else int(preparation.marked[at - n])
        if known[of] in position:
            shared += 1
            into = slope if at < n else undefined
            into[:, position[known[of]]] = weights / preparation.scale[at]
    if shared < MIN_SHARED * len(preparation.selected):
        return None
    start = Start(slope, undefined, fill, mean, scale)
    if isinstance(unit, Switching):
        at = int(preparation.selected[unit.column[0]])
        limit = float(unit.limit[0] * preparation.scale[at] + preparation.mean[at])
        start = replace(start, switch=position.get(known[at]), limit=limit)
    return start
