"""The weighted sum of several units, such as an adapted model with the norms of texts of a kind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.shapley import Parts
from naturalness.models.learners.units import Unit, require, require_shapes


@dataclass(frozen=True, slots=True)
class Blend:
    """The sum of units of other kinds, each with a weight of its own, added one by one."""

    weights: FloatArray
    parts: tuple[Unit, ...]

    @property
    def kind(self) -> str:
        """Its parts by their kinds: ``blend(linear,trees)``."""
        return f"blend({','.join(part.kind for part in self.parts)})"

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return weighted sums of what the parts give."""
        out = np.zeros(len(rows))
        for weight, part in zip(self.weights, self.parts, strict=True):
            out += weight * part.decide(rows)
        return out

    def check(self, name: str, width: int) -> None:
        """Require a weight from 0 up for each part, and sound parts."""
        require_shapes(self, name, weights=(len(self.parts),))
        require(bool((self.weights >= 0).all()), f"{name}.weights", "value (below 0)")
        for i, part in enumerate(self.parts):
            part.check(f"{name}.part{i}", width)

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return the weighted sums of the units' values."""
        total = np.zeros((len(rows), len(parts)))
        for weight, unit in zip(self.weights, self.parts, strict=True):
            total += weight * unit.shapley(rows, background, parts)
        return total


def kinds_in(kind: str) -> tuple[str, ...]:
    """Return the kinds of a blend's parts; of another unit its own alone."""
    if kind.startswith("blend(") and kind.endswith(")"):
        return tuple(kind[len("blend(") : -1].split(","))
    return (kind,)
