"""Blends: weighted sums of several units, such as an adapted model and the norms for one kind of text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.shapley import Parts
from naturalness.models.learners.units import Unit, require, require_shapes


@dataclass(frozen=True, slots=True)
class Blend:
    """A weighted sum of units that are not blends themselves."""

    weights: FloatArray
    parts: tuple[Unit, ...]

    @property
    def kind(self) -> str:
        """Kind of the blend, with the kinds of its parts, such as ``blend(linear,trees)``."""
        return f"blend({','.join(part.kind for part in self.parts)})"

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return the weighted sums of the parts' outputs."""
        out = np.zeros(len(rows))
        for weight, part in zip(self.weights, self.parts, strict=True):
            out += weight * part.decide(rows)
        return out

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless every part is valid and has a weight of 0 or more."""
        require_shapes(self, name, weights=(len(self.parts),))
        require(bool((self.weights >= 0).all()), f"{name}.weights", "value (below 0)")
        for i, part in enumerate(self.parts):
            part.check(f"{name}.part{i}", width)

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return the weighted sums of the parts' Shapley values."""
        total = np.zeros((len(rows), len(parts)))
        for weight, unit in zip(self.weights, self.parts, strict=True):
            total += weight * unit.shapley(rows, background, parts)
        return total


def kinds_in(kind: str) -> tuple[str, ...]:
    """Return the kinds of the parts if ``kind`` names a blend; otherwise a tuple with only ``kind``."""
    if kind.startswith("blend(") and kind.endswith(")"):
        return tuple(kind[len("blend(") : -1].split(","))
    return (kind,)
