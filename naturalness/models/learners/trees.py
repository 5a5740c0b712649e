"""Random forests and boosted trees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import factorial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.models.learners.units import (
    INTEGERS,
    Form,
    Parts,
    by_row,
    require,
    require_indices,
    require_shapes,
    shares,
)

BLOCK_ROWS = 256
"""Number of rows that pass through the trees at a time, to bound memory."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The function ``base + factor * sum of the leaves``.

    A row goes left if its value, as a 32-bit float, is at most the threshold; a leaf has no children (``left`` is -1).
    If ``single`` is 1, the sum is computed tree by tree in 32-bit floats, as in XGBoost.
    """

    kind: ClassVar[str] = "trees"
    feature: NDArray[np.int32] = field(metadata=INTEGERS)
    threshold: FloatArray
    left: NDArray[np.int32] = field(metadata=INTEGERS)
    right: NDArray[np.int32] = field(metadata=INTEGERS)
    value: FloatArray
    roots: NDArray[np.int32] = field(metadata=INTEGERS)
    base: FloatArray
    factor: FloatArray
    single: IntArray = field(metadata=INTEGERS)

    def decide(self, rows: FloatArray) -> FloatArray:
        """Return ``base + factor * sum of the leaves`` of each row."""
        return np.concatenate([np.empty(0), *map(self._sums, _blocks(rows))])

    def _sums(self, rows: FloatArray) -> FloatArray:
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots))).copy()
        row = np.arange(len(rows))[:, None]
        while (inner := self.left[node] >= 0).any():
            goes_left = rows[row, self.feature[node]] <= self.threshold[node]
            child = np.where(goes_left, self.left[node], self.right[node])
            node = np.where(inner, child, node)
        return self._summed(self.value[node])

    def _summed(self, leaves: FloatArray) -> FloatArray:
        """Return ``base + factor * sum`` of the leaves of each row, (rows, trees)."""
        if self.single[0]:
            start = np.full((len(leaves), 1), self.base[0])
            running = np.hstack([start, leaves]).astype(np.float32)
            return np.add.accumulate(running, axis=1)[:, -1].astype(np.float64)
        sums = np.array([leaf.sum() for leaf in leaves], dtype=np.float64)
        return float(self.base[0]) + float(self.factor[0]) * sums

    def between(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Return bounds of what `decide` returns for rows from ``low`` to ``high``, (2, rows); equal for equal rows.

        They are the sums of the smallest and of the largest leaves that such a row can reach in each tree; ``factor``
        must not be negative.
        """
        return np.hstack([np.empty((2, 0)), *map(self._between, _blocks(low), _blocks(high))])

    def _between(self, low: FloatArray, high: FloatArray) -> FloatArray:
        most = np.full((len(low), len(self.roots)), -np.inf)
        least = -most
        row, tree = (index.ravel() for index in np.indices(most.shape))
        node = self.roots[tree]
        while len(node):
            feature, inner = self.feature[node], self.left[node] >= 0
            at, leaves = (row[~inner], tree[~inner]), self.value[node[~inner]]
            np.maximum.at(most, at, leaves)
            np.minimum.at(least, at, leaves)
            left = inner & (low[row, feature] <= self.threshold[node])
            right = inner & (high[row, feature] > self.threshold[node])
            node = np.concatenate([self.left[node[left]], self.right[node[right]]])
            row, tree = (np.concatenate([index[left], index[right]]) for index in (row, tree))
        return np.array([self._summed(least), self._summed(most)])

    def check(self, name: str, width: int) -> None:
        """Raise `ForgedArrays` unless each node has at most one parent, which comes before it, so that paths end."""
        n = len(self.left)
        nodes = dict.fromkeys(("feature", "threshold", "right", "value"), (n,))
        require_shapes(self, name, base=(1,), factor=(1,), single=(1,), **nodes)
        require(len(self.roots) > 0, f"{name}.roots", "shape")
        require_indices(self.roots, n, f"{name}.roots")
        require_indices(self.feature, width, f"{name}.feature")
        inner = self.left >= 0
        children = np.concatenate([self.left[inner], self.right[inner]])
        require_indices(children, n, f"{name}.children")
        require(bool((children > np.tile(np.flatnonzero(inner), 2)).all()), f"{name}.children", "order (a cycle)")
        parents = np.bincount(np.concatenate([children, self.roots]), minlength=n)
        require(bool((parents <= 1).all()), f"{name}.children", "order (two parents)")

    def shapley(self, rows: FloatArray, background: FloatArray, parts: Parts) -> FloatArray:
        """Return Shapley values leaf by leaf.

        A leaf adds its value to the worth of a coalition if the coalition contains every part whose conditions only the
        text meets, and no part whose conditions only the background row meets. The share of each such part in the
        leaf's value is a ratio of factorials.
        """
        if not (self.left[self.roots] >= 0).any():
            return np.zeros((len(rows), len(parts)))  # trees that consist of one leaf give all rows the same value
        leaves = leaves_of(self, parts)
        # Share of a part if, besides it, the leaf needs ``a`` parts in the coalition and ``b`` parts outside it.
        counts = range(leaves.max_parts + 1)
        share = np.array([[factorial(a) * factorial(b) / factorial(a + b + 1) for b in counts] for a in counts])
        # As in `decide`: the factor is not used for XGBoost, whose leaves are summed rather than averaged.
        factor = 1.0 if self.single[0] else self.factor[0]

        def values(row: FloatArray) -> FloatArray:
            total = np.zeros(len(parts))
            text_meets = leaves.met(row)
            for other in background:
                other_meets = leaves.met(other)
                for_it, against = text_meets & ~other_meets, other_meets & ~text_meets
                n_for, n_against, n_neither = (
                    np.add.reduceat(marks.astype(np.int64), leaves.starts)
                    for marks in (for_it, against, ~text_meets & ~other_meets)
                )
                worth = np.where(n_neither == 0, leaves.value, 0.0)
                gain = worth * share[np.maximum(n_for - 1, 0), n_against]
                loss = worth * share[n_for, np.maximum(n_against - 1, 0)]
                moved = np.where(for_it, gain[leaves.leaf], 0) - np.where(against, loss[leaves.leaf], 0)
                total += np.bincount(leaves.part, weights=moved, minlength=len(parts))
            return total / len(background) * factor

        return by_row(values, rows, parts)


def _blocks(rows: FloatArray) -> Iterator[FloatArray]:
    """Yield blocks of rows, with the precision of 32-bit floats."""
    for start in range(0, len(rows), BLOCK_ROWS):
        yield rows[start : start + BLOCK_ROWS].astype(np.float32).astype(np.float64)


class Leaves(NamedTuple):
    """The conditions on the path to each leaf, sorted by leaf, then by the part to which their feature belongs."""

    feature: IntArray
    threshold: FloatArray
    goes_left: BoolArray
    group: IntArray
    """Index of the first condition of each pair of leaf and part."""
    leaf: IntArray
    """Leaf of each pair of leaf and part."""
    part: IntArray
    """Part of each pair of leaf and part."""
    starts: IntArray
    """Index of the first pair of each leaf."""
    value: FloatArray
    """Value of each leaf."""
    max_parts: int
    """Maximum number of parts on the path to a leaf."""

    def met(self, row: FloatArray) -> BoolArray:
        """Return, for each pair of leaf and part, whether a row meets all of the pair's conditions."""
        values = row.astype(np.float32).astype(np.float64)[self.feature]
        good = (values <= self.threshold) == self.goes_left
        return np.logical_and.reduceat(good, self.group)


def leaves_of(unit: Trees, parts: Parts) -> Leaves:
    """Return the leaves of all trees; this takes as long as explaining several texts."""
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
                if way:  # a tree that consists of one leaf gives all rows the same value
                    conditions += [(len(values), int(part_of[f]), f, t, left) for f, t, left in way]
                    values.append(float(unit.value[node]))
                continue
            feature, threshold = int(unit.feature[node]), float(unit.threshold[node])
            sides = (unit.left, True), (unit.right, False)
            open_ += [(int(child[node]), (*way, (feature, threshold, left))) for child, left in sides]
    conditions.sort(key=lambda condition: condition[:2])
    leaf, part, feature_, threshold_, left_ = (np.array(column) for column in zip(*conditions, strict=True))
    pairs = np.flatnonzero(np.diff(leaf, prepend=-1) | np.diff(part, prepend=-1))
    starts = np.flatnonzero(np.diff(leaf[pairs], prepend=-1))
    max_parts = int(np.diff(np.append(starts, len(pairs))).max())
    return Leaves(feature_, threshold_, left_, pairs, leaf[pairs], part[pairs], starts, np.array(values), max_parts)


Tree = dict[str, NDArray[Any]]
"""Arrays over the nodes of one tree: feature, threshold, left, right and value; children are indices from 0."""


def compile_forest(estimator: Any) -> Trees:
    """Return the unit of a fitted scikit-learn forest; a leaf of a classification tree holds the share of class 1."""
    return _join(list(_forest(estimator)), factor=1.0 / len(estimator.estimators_))


def _forest(estimator: Any) -> Iterator[Tree]:
    from sklearn.base import is_classifier

    for member in estimator.estimators_:
        tree = member.tree_
        leaf = tree.children_left < 0
        values = tree.value[:, 0, :]
        if is_classifier(estimator):
            values = values[:, list(estimator.classes_).index(1)] / values.sum(axis=1)
        yield {
            "feature": np.where(leaf, 0, tree.feature),
            "threshold": np.where(leaf, 0.0, tree.threshold),
            "left": tree.children_left,
            "right": tree.children_right,
            "value": np.where(leaf, values.reshape(len(leaf)), 0.0),
        }


def compile_boosted(estimator: Any) -> Trees:
    """Return the unit of a fitted XGBoost model; its outputs are margins, or ratings."""
    model = json.loads(bytes(estimator.get_booster().save_raw("json")))["learner"]
    base = float(str(model["learner_model_param"]["base_score"]).strip("[]"))
    if model["objective"]["name"].startswith("binary:"):  # for classes, XGBoost stores the base as a probability
        base = float(np.log(base / (1.0 - base)))
    return _join(list(_boosted(model)), base=base, single=True)


def _boosted(model: Any) -> Iterator[Tree]:
    for tree in model["gradient_booster"]["model"]["trees"]:
        left, right = (np.array(tree[side], dtype=np.int64) for side in ("left_children", "right_children"))
        leaf = left < 0
        split = np.array(tree["split_conditions"], dtype=np.float32)
        # XGBoost goes left below the threshold, `Trees` at or below: use the next smaller 32-bit float.
        before = np.nextafter(split, np.float32(-np.inf)).astype(np.float64)
        yield {
            "feature": np.where(leaf, 0, np.array(tree["split_indices"], dtype=np.int64)),
            "threshold": np.where(leaf, 0.0, before),
            "left": left,
            "right": right,
            "value": np.where(leaf, split.astype(np.float64), 0.0),
        }


def _join(trees: list[Tree], *, base: float = 0.0, factor: float = 1.0, single: bool = False) -> Trees:
    """Return the unit of several trees, whose arrays are concatenated."""
    roots = np.cumsum([0, *(len(tree["left"]) for tree in trees[:-1])])

    def concatenate(name: str) -> NDArray[Any]:
        return np.concatenate([tree[name] for tree in trees])

    def children(name: str) -> NDArray[np.int32]:
        moved = [np.where(tree["left"] < 0, -1, tree[name] + root) for tree, root in zip(trees, roots, strict=True)]
        return np.concatenate(moved).astype(np.int32)

    return Trees(
        feature=concatenate("feature").astype(np.int32),
        threshold=concatenate("threshold").astype(np.float64),
        left=children("left"),
        right=children("right"),
        value=concatenate("value").astype(np.float64),
        roots=roots.astype(np.int32),
        base=np.array([base]),
        factor=np.array([factor]),
        single=np.array([single], dtype=np.int64),
    )


def boosted_margins(estimator: Any, rows: FloatArray) -> Any:
    """Return the margins of an XGBoost classifier, or the ratings of a regressor."""
    return estimator.predict(rows, output_margin=True)


FOREST = Form(compile_forest, shares)
BOOSTED = Form(compile_boosted, boosted_margins)
