"""Exact Shapley values of parts of a model's columns, against a background sample.

A coalition of parts keeps its columns as they are in the text, all others are those of a background
row; its worth is the mean of the unit over the background rows. A part's value is its mean gain
over all orders in which parts can join (Shapley 1953; Lundberg & Lee 2017 for models). Nothing is
sampled: each kind of unit has a form of its own in which the mean can be had exactly.

- Linear: the sum over its columns of ``coef * (value - background mean)``.
- Kernel: a product over parts, so the multilinear extension is a polynomial of ``t``, and Gauss and
  Legendre's quadrature of half its degree is exact.
- Trees: a leaf is worth its value to coalitions that hold all parts on which only the text goes
  there, and none on which only the background row does; its share is a ratio of factorials.
- Blend: the values of a sum are the sums of its parts' values.
- Others: every coalition is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.arrays import Blend, Kernel, Linear, Neighbours, Trees, Unit

Parts = Sequence[IntArray]
"""The columns of each part; every column of the model is in one of them."""
AT_ONCE = 1 << 22
"""Distances that are held at a time."""


def shapley(unit: Unit, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
    """The values of the parts of each row, (n, n_parts): a row's add up to ``decide(row) - mean
    decide(background)``.

    ``rows`` are (n, p), ``background`` (b, p), both prepared; each row is taken on its own.
    """
    if isinstance(unit, Blend):
        total = np.zeros((len(rows), len(parts)))
        for weight, part in zip(unit.weights, unit.parts, strict=True):
            total += weight * shapley(part, rows, background, parts)
        return total
    if isinstance(unit, Trees) and not (unit.left >= 0).any():
        return np.zeros((len(rows), len(parts)))  # trees of one leaf are the same for all
    if isinstance(unit, Trees):
        leaves = leaves_of(unit, parts)
        found = [_trees(unit, leaves, row, background, len(parts)) for row in rows]
    else:
        by_kind = _BY_KIND.get(unit.kind, _by_mixing)
        found = [by_kind(unit, row, background, parts) for row in rows]
    return np.array(found, dtype=np.float64).reshape(len(rows), len(parts))


def _linear(unit: Linear, row: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
    moved = unit.coef * (row - background.mean(axis=0))
    return np.array([moved[part].sum() for part in parts])


def _distances(points: FloatArray, row: FloatArray, parts: Parts) -> FloatArray:
    """Squared distances (points, parts) to a row, part by part."""
    squared = (points - row) ** 2
    return np.column_stack([squared[:, part].sum(axis=1) for part in parts])


def _kernel(unit: Kernel, row: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
    places, weights = np.polynomial.legendre.leggauss(max(1, -(-len(parts) // 2)))
    at, weights = (places + 1) / 2, weights / 2
    own = np.exp(-unit.gamma[0] * _distances(unit.support, row, parts))
    found = np.zeros(len(parts))
    for other in background:
        its = np.exp(-unit.gamma[0] * _distances(unit.support, other, parts))
        for t, weight in zip(at, weights, strict=True):
            factors = t * own + (1 - t) * its
            ones = np.ones((len(factors), 1))
            before = np.cumprod(np.hstack([ones, factors[:, :-1]]), axis=1)
            behind = np.cumprod(np.hstack([ones, factors[:, :0:-1]]), axis=1)[:, ::-1]
            found += weight * ((own - its) * before * behind * unit.dual[:, None]).sum(axis=0)
    return found / len(background)


def _trees(unit: Trees, leaves: Leaves, row: FloatArray, background: FloatArray, n_parts: int) -> FloatArray:
    most = leaves.most + 1
    # What one more part is worth beside ``a`` like it and ``b`` against it.
    shares = np.array([[factorial(a) * factorial(b) / factorial(a + b + 1) for b in range(most)] for a in range(most)])
    found = np.zeros(n_parts)
    own = leaves.met(row)
    for other in background:
        its = leaves.met(other)
        for_it, against, neither = own & ~its, its & ~own, ~own & ~its
        n_for, n_against, n_neither = (
            np.add.reduceat(marks.astype(np.int64), leaves.starts) for marks in (for_it, against, neither)
        )
        worth = np.where(n_neither == 0, leaves.value, 0.0)
        gain = worth * shares[np.maximum(n_for - 1, 0), n_against]
        loss = worth * shares[n_for, np.maximum(n_against - 1, 0)]
        moved = np.where(for_it, gain[leaves.leaf], 0) - np.where(against, loss[leaves.leaf], 0)
        found += np.bincount(leaves.part, weights=moved, minlength=n_parts)
    # XGBoost's leaves are added as they are; of others the mean is taken (`Trees.decide`).
    return found / len(background) * (1.0 if unit.single[0] else unit.factor[0])


@dataclass(frozen=True, slots=True)
class Leaves:
    """The conditions on the way to every leaf, sorted by leaf and part."""

    feature: IntArray
    threshold: FloatArray
    goes_left: BoolArray
    group: IntArray
    """Where the conditions of each pair of leaf and part begin."""
    leaf: IntArray
    """Of each pair."""
    part: IntArray
    """Of each pair."""
    starts: IntArray
    """Where the pairs of each leaf begin."""
    value: FloatArray
    """Of each leaf."""
    most: int
    """Parts on the way to a leaf, at most."""

    def met(self, row: FloatArray) -> BoolArray:
        """For each pair of leaf and part: whether a row meets all its conditions."""
        values = row.astype(np.float32).astype(np.float64)[self.feature]
        good = (values <= self.threshold) == self.goes_left
        found: BoolArray = np.logical_and.reduceat(good, self.group)
        return found


def leaves_of(unit: Trees, parts: Parts) -> Leaves:
    """The leaves of all trees; to collect them takes as long as to explain some texts by them."""
    part_of = np.empty(max((int(part.max()) for part in parts if len(part)), default=0) + 1, int)
    for number, part in enumerate(parts):
        part_of[part] = number
    conditions: list[tuple[int, int, int, float, bool]] = []
    values: list[float] = []
    for root in unit.roots.tolist():
        open_: list[tuple[int, tuple[tuple[int, float, bool], ...]]] = [(root, ())]
        while open_:
            node, way = open_.pop()
            if unit.left[node] < 0:
                if way:  # a tree of one leaf is the same for all
                    conditions += [(len(values), int(part_of[f]), f, t, left) for f, t, left in way]
                    values.append(float(unit.value[node]))
                continue
            feature, threshold = int(unit.feature[node]), float(unit.threshold[node])
            open_.append((int(unit.left[node]), (*way, (feature, threshold, True))))
            open_.append((int(unit.right[node]), (*way, (feature, threshold, False))))
    conditions.sort(key=lambda one: one[:2])
    leaf, part, feature_, threshold_, left_ = (np.array(column) for column in zip(*conditions, strict=True))
    pairs = np.flatnonzero(np.diff(leaf, prepend=-1) | np.diff(part, prepend=-1))
    starts = np.flatnonzero(np.diff(leaf[pairs], prepend=-1))
    most = int(np.diff(np.append(starts, len(pairs))).max())
    return Leaves(feature_, threshold_, left_, pairs, leaf[pairs], part[pairs], starts, np.array(values), most)


def _neighbours(unit: Neighbours, row: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
    own = _distances(unit.points, row, parts)
    total = np.zeros(1 << len(parts))
    step = max(1, AT_ONCE // len(own))
    for other in background:
        its = _distances(unit.points, other, parts)
        for start in range(0, len(total), step):
            inside = _coalitions(len(parts), start, min(start + step, len(total)))
            squared = inside @ own.T + (1 - inside) @ its.T
            total[start : start + len(inside)] += _near(unit, squared)
    return _from_worths(total / len(background), len(parts))


def _near(unit: Neighbours, squared: FloatArray) -> FloatArray:
    """The mean target of the nearest points of each row of squared distances."""
    count = int(unit.count[0])
    near = np.argpartition(squared, count - 1, axis=1)[:, :count]
    weight = np.ones(near.shape)
    if unit.by_distance[0]:
        distance = np.sqrt(np.maximum(np.take_along_axis(squared, near, axis=1), 0.0))
        same = distance == 0.0
        with np.errstate(divide="ignore"):
            weight = np.where(same.any(axis=1, keepdims=True), same, 1.0 / distance)
    mean: FloatArray = (weight * unit.targets[near]).sum(axis=1) / weight.sum(axis=1)
    return mean


def _by_mixing(unit: Unit, row: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
    """Every coalition laid out as rows."""
    inside = _coalitions(len(parts), 0, 1 << len(parts)).astype(bool)
    worths = np.empty(len(inside))
    for number, coalition in enumerate(inside):
        mixed = background.copy()
        for part, member in zip(parts, coalition, strict=True):
            if member:
                mixed[:, part] = row[part]
        worths[number] = unit.decide(mixed).mean()
    return _from_worths(worths, len(parts))


def _coalitions(n_parts: int, start: int, stop: int) -> FloatArray:
    """Some of the 2**n coalitions as rows of 0 and 1; the bits of their numbers."""
    numbers = np.arange(start, stop)[:, None]
    bits: FloatArray = ((numbers >> np.arange(n_parts)) & 1).astype(np.float64)
    return bits


def _from_worths(worths: FloatArray, n_parts: int) -> FloatArray:
    """Shapley's sum over all coalitions."""
    numbers = np.arange(1 << n_parts)
    sizes = _coalitions(n_parts, 0, len(numbers)).sum(axis=1).astype(int)
    share = np.array([factorial(size) * factorial(n_parts - size - 1) / factorial(n_parts) for size in range(n_parts)])
    found = np.empty(n_parts)
    for part in range(n_parts):
        without = numbers[(numbers >> part) & 1 == 0]
        gain = worths[without | (1 << part)] - worths[without]
        found[part] = (share[sizes[without]] * gain).sum()
    return found


_BY_KIND: Mapping[str, Callable[..., FloatArray]] = {
    Linear.kind: _linear,
    Kernel.kind: _kernel,
    Neighbours.kind: _neighbours,
}
"""The form of each kind of unit that has one, but for trees, whose leaves serve many rows."""
