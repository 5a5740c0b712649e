"""Fitted learners as plain arrays, scored in numpy.

A unit turns prepared rows into one number each (a margin, a share of trees or neighbours, a
rating). Sums run row by row in numpy's own order, never through BLAS: a row's number is the same
in any batch and on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.recurrent import Recurrent

Arrays = Mapping[str, NDArray[np.generic]]
ROWS_AT_ONCE = 256
"""Rows that walk down the trees together; bounds memory."""


class Unit(Protocol):
    """One fitted function of the prepared columns."""

    kind: ClassVar[str]

    def decide(self, rows: FloatArray) -> FloatArray:
        """Numbers of shape (n,) for rows of shape (n, p)."""


@dataclass(frozen=True, slots=True)
class Linear:
    """``row . coef + intercept``."""

    kind: ClassVar[str] = "linear"
    coef: FloatArray
    intercept: FloatArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Margins."""
        sums = np.array([(row * self.coef).sum() for row in rows], dtype=np.float64)
        return sums + float(self.intercept[0])


@dataclass(frozen=True, slots=True)
class Kernel:
    """Sum over support vectors of ``dual * exp(-gamma * distance squared)``, plus an intercept."""

    kind: ClassVar[str] = "kernel"
    support: FloatArray
    dual: FloatArray
    intercept: FloatArray
    gamma: FloatArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Margins."""
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            distance = ((self.support - row) ** 2).sum(axis=1)
            out[i] = (self.dual * np.exp(-self.gamma[0] * distance)).sum()
        return out + float(self.intercept[0])


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The mean target of the nearest training rows, weighted by 1 / distance where so chosen."""

    kind: ClassVar[str] = "neighbours"
    points: FloatArray
    targets: FloatArray
    count: IntArray
    by_distance: IntArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Means of the neighbours' targets."""
        out = np.empty(len(rows))
        for i, row in enumerate(rows):
            distance = self._distances(row)
            near = np.argsort(distance, kind="stable")[: self.count[0]]
            weight = np.ones(len(near))
            if self.by_distance[0]:
                same = distance[near] == 0.0
                weight = same.astype(np.float64) if same.any() else 1.0 / distance[near]
            out[i] = (weight * self.targets[near]).sum() / weight.sum()
        return out

    def settled(self, rows: FloatArray) -> BoolArray:
        """Whether it is clear which training rows are nearest: none of the others is as near as
        the last of them. Among equals the first are taken here, any by scikit-learn.
        """
        k = int(self.count[0])
        if k >= len(self.points):
            return np.ones(len(rows), dtype=np.bool_)
        nearest = [np.partition(self._distances(row), (k - 1, k)) for row in rows]
        return np.array([far[k] - far[k - 1] > 1e-9 for far in nearest], dtype=np.bool_)

    def _distances(self, row: FloatArray) -> FloatArray:
        out: FloatArray = np.sqrt(((self.points - row) ** 2).sum(axis=1))
        return out


@dataclass(frozen=True, slots=True)
class Trees:
    """``base + factor * sum of the leaves``. A row goes left where its value, as a 32-bit number,
    is at most the threshold; a leaf has no children (``left`` is -1). With ``single`` the sum runs
    tree by tree in 32 bits, as XGBoost's does.
    """

    kind: ClassVar[str] = "trees"
    feature: NDArray[np.int32]
    threshold: FloatArray
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: FloatArray
    roots: NDArray[np.int32]
    base: FloatArray
    factor: FloatArray
    single: IntArray

    def decide(self, rows: FloatArray) -> FloatArray:
        """Sums of leaves."""
        parts = [self._sums(rows[i : i + ROWS_AT_ONCE]) for i in range(0, len(rows), ROWS_AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty(0)

    def _sums(self, rows: FloatArray) -> FloatArray:
        values = rows.astype(np.float32).astype(np.float64)
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots))).copy()
        row = np.arange(len(rows))[:, None]
        while True:
            inner = self.left[node] >= 0
            if not inner.any():
                break
            goes_left = values[row, self.feature[node]] <= self.threshold[node]
            child = np.where(goes_left, self.left[node], self.right[node])
            node = np.where(inner, child, node)
        leaves = self.value[node]
        if self.single[0]:
            start = np.full((len(rows), 1), self.base[0])
            running = np.hstack([start, leaves]).astype(np.float32)
            return np.add.accumulate(running, axis=1)[:, -1].astype(np.float64)
        sums = np.array([leaf.sum() for leaf in leaves], dtype=np.float64)
        return float(self.base[0]) + float(self.factor[0]) * sums


@dataclass(frozen=True, slots=True)
class Blend:
    """The sum of units of other kinds, each with a weight of its own, added one by one."""

    kind: ClassVar[str] = "blend"
    weights: FloatArray
    parts: tuple[Unit, ...]

    def decide(self, rows: FloatArray) -> FloatArray:
        """Weighted sums of what the parts give."""
        out = np.zeros(len(rows))
        for weight, part in zip(self.weights, self.parts, strict=True):
            out += weight * part.decide(rows)
        return out


UNITS: Mapping[str, type[Linear] | type[Kernel] | type[Neighbours] | type[Trees] | type[Recurrent]] = {
    unit.kind: unit for unit in (Linear, Kernel, Neighbours, Trees, Recurrent)
}
"""The kinds that stand alone, and of which a blend is made."""


def arrays_of(unit: Unit) -> dict[str, NDArray[np.generic]]:
    """The arrays of a unit by name; those of a blend's parts are ``part0.coef`` and the like."""
    if isinstance(unit, Blend):
        parts = enumerate(map(arrays_of, unit.parts))
        own = {f"part{i}.{name}": value for i, part in parts for name, value in part.items()}
        return {"weights": unit.weights, **own}
    return {f.name: getattr(unit, f.name) for f in fields(type(unit))}  # type: ignore[arg-type]


def single_units(units: Sequence[Unit]) -> list[Unit]:
    """Units without blends: of each the parts, as they follow one another."""
    return [part for unit in units for part in (unit.parts if isinstance(unit, Blend) else (unit,))]


def told_kind(unit: Unit) -> str:
    """The kind of a unit as manifests tell it; a blend names its parts: ``blend(linear,trees)``."""
    if isinstance(unit, Blend):
        return f"{Blend.kind}({','.join(part.kind for part in unit.parts)})"
    return unit.kind


def single_kinds(told: str) -> tuple[str, ...]:
    """The kinds of a blend's parts; of another unit its own alone."""
    if told.startswith(f"{Blend.kind}(") and told.endswith(")"):
        return tuple(told[len(Blend.kind) + 1 : -1].split(","))
    return (told,)
