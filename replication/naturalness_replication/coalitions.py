"""Exact Shapley values of any function of rows, by enumerating all coalitions of parts.

The terms are those of `naturalness.models.learners.units`; the time doubles with each part.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.units import Parts


def by_coalitions(
    decide: Callable[[FloatArray], FloatArray], row: FloatArray, background: FloatArray, parts: Parts
) -> FloatArray:
    """Return the Shapley values of one row, (n_parts,); coalition number c has the parts of the bits of c."""
    n_parts = len(parts)
    numbers = np.arange(1 << n_parts)
    inside = (numbers[:, None] >> np.arange(n_parts)) & 1
    worths = np.empty(len(numbers))
    for number, coalition in enumerate(inside.astype(bool)):
        mixed = background.copy()
        for part, member in zip(parts, coalition, strict=True):
            if member:
                mixed[:, part] = row[part]
        worths[number] = decide(mixed).mean()
    sizes = inside.sum(axis=1)
    share = np.array([factorial(size) * factorial(n_parts - size - 1) / factorial(n_parts) for size in range(n_parts)])
    values = np.empty(n_parts)
    for number in range(n_parts):
        without = numbers[inside[:, number] == 0]
        gain = worths[without | (1 << number)] - worths[without]
        values[number] = (share[sizes[without]] * gain).sum()
    return values
