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


@dataclass(frozen=True, slots=True)
class Start:
    """What one more of each column, as measured, adds to the model's margin.

    *Shapes:* both (d,), for the d columns of the table that is learned from; 0 where the model
    does not know a column.
    """

    slope: FloatArray
    undefined: FloatArray
    """What it adds that a column has no value."""

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
    slope, undefined = np.zeros(len(columns)), np.zeros(len(columns))
    shared = 0
    n = preparation.n_features
    for weight, at in zip(unit.coef, preparation.selected.tolist(), strict=True):
        of = at if at < n else int(preparation.marked[at - n])
        if known[of] in position:
            shared += 1
            into = slope if at < n else undefined
            into[position[known[of]]] = weight / preparation.scale[at]
    return Start(slope, undefined) if shared >= MIN_SHARED * len(preparation.selected) else None
