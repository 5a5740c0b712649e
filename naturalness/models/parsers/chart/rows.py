"""Where rows of several sentences stand in one product of matrices.

How a library adds up a product depends on the number of its rows, so every product has `ROWS` of
them, filled up with zeros. On some processors it adds up some rows otherwise than others: a row
may stand wherever sums are made as where it would be if its sentence were alone. So a sentence
gets the same numbers alone and in any company.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array

Indices = NDArray[np.intp]
ROWS = 96
"""Of every product of matrices."""
SHAPES_TRIED = ((384, 1152), (384, 384), (384, 768), (768, 384), (768, 256), (256, 40), (512, 128))
"""Of matrices, to find out how this processor sums."""


@cache
def kinds() -> Indices:
    """For each row of a product, in which way its sums are made: 0, or another number.

    The kernel of OpenBLAS for AVX2 takes twelve rows at a time, of which the last six come out
    otherwise in the last place; that for AVX-512 makes all alike.
    """
    rng = np.random.default_rng(0)
    made = []
    for width, out in SHAPES_TRIED:
        row, weight = (rng.random(size, np.float32) - 0.5 for size in (width, (width, out)))
        made.append(np.matmul(np.tile(row, (1, ROWS, 1)), weight)[0])
    _, found = np.unique(np.concatenate(made, axis=1), axis=0, return_inverse=True)
    return found.astype(np.intp).reshape(-1)


class Places(NamedTuple):
    """Of the rows of several sentences."""

    parts: list[Indices]
    """For each sentence the places of its rows."""
    total: int
    """How many places there are, a multiple of `ROWS`."""

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Places:
        """Each row in the next place of the kind that it would have alone."""
        row = np.concatenate([np.arange(n) for n in lengths])
        wanted = kinds()[row % ROWS]
        place = np.empty_like(row)
        for kind in range(kinds().max() + 1):
            own, there = np.flatnonzero(wanted == kind), np.flatnonzero(kinds() == kind)
            products, at = np.divmod(np.arange(len(own)), len(there))
            place[own] = products * ROWS + there[at]
        total = (int(place.max()) // ROWS + 1) * ROWS
        return cls(np.split(place, np.cumsum(lengths[:-1])), total)

    @property
    def all(self) -> Indices:
        """The places of all rows, in their order."""
        return np.concatenate(self.parts)

    def fill(self, x: Float32Array) -> Float32Array:
        """Rows put into their places; zeros elsewhere."""
        made = np.zeros((self.total, x.shape[1]), np.float32)
        made[self.all] = x
        return made
