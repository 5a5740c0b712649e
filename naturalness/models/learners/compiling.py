"""Fitted estimators of scikit-learn, XGBoost and torch to plain arrays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.learners.arrays import Blend, Kernel, Linear, Neighbours, Trees, Unit
from naturalness.models.learners.blended import Blended


def compile_estimator(estimator: Any) -> Unit:
    """The arrays of one fitted two-class or regression estimator of the table of learners."""
    if isinstance(estimator, Blended):
        return Blend(estimator.weights, tuple(map(compile_estimator, estimator.parts)))
    if hasattr(estimator, "support_vectors_"):
        return Kernel(
            support=np.ascontiguousarray(estimator.support_vectors_, dtype=np.float64),
            dual=np.asarray(estimator.dual_coef_, dtype=np.float64).ravel(),
            intercept=np.atleast_1d(estimator.intercept_).astype(np.float64),
            gamma=np.array([float(estimator._gamma)]),
        )
    if hasattr(estimator, "estimators_"):
        return _forest(estimator)
    if hasattr(estimator, "get_booster"):
        return _boosted(estimator)
    if hasattr(estimator, "n_neighbors"):
        return _neighbours(estimator)
    if hasattr(estimator, "unit"):  # such as `BiGru`, which would bring scikit-learn along
        unit: Unit = estimator.unit()
        return unit
    return Linear(
        coef=np.asarray(estimator.coef_, dtype=np.float64).ravel(),
        intercept=np.atleast_1d(estimator.intercept_).astype(np.float64),
    )


def single_estimators(estimators: Sequence[Any]) -> list[Any]:
    """Estimators without blends: of each the parts, as they follow one another."""
    return [part for one in estimators for part in (one.parts if isinstance(one, Blended) else (one,))]


def _neighbours(estimator: Any) -> Neighbours:
    targets = estimator._y.astype(np.float64).ravel()
    if hasattr(estimator, "classes_"):
        targets = (estimator.classes_[estimator._y.ravel()] == 1).astype(np.float64)
    return Neighbours(
        points=np.ascontiguousarray(estimator._fit_X, dtype=np.float64),
        targets=targets,
        count=np.array([min(estimator.n_neighbors, len(targets))], dtype=np.int64),
        by_distance=np.array([estimator.weights == "distance"], dtype=np.int64),
    )


def _forest(estimator: Any) -> Trees:
    """All trees one behind the other; a class tree's leaf holds the share of the second class."""
    parts: dict[str, list[Any]] = {n: [] for n in ("feature", "threshold", "left", "right", "value")}
    roots, offset = [], 0
    for member in estimator.estimators_:
        tree = member.tree_
        leaf = tree.children_left < 0
        roots.append(offset)
        parts["feature"].append(np.where(leaf, 0, tree.feature))
        parts["threshold"].append(np.where(leaf, 0.0, tree.threshold))
        for side, children in (("left", tree.children_left), ("right", tree.children_right)):
            parts[side].append(np.where(leaf, -1, children + offset))
        values = tree.value[:, 0, :]
        if hasattr(estimator, "classes_"):
            second = list(estimator.classes_).index(1)
            values = values[:, second] / values.sum(axis=1)
        parts["value"].append(np.where(leaf, values.reshape(len(leaf)), 0.0))
        offset += tree.node_count
    return _trees(parts, roots, factor=1.0 / len(roots))


def _boosted(estimator: Any) -> Trees:
    """Margins of a booster. XGBoost goes left below a threshold, we up to the number before it."""
    booster = estimator.get_booster()
    model = json.loads(bytes(booster.save_raw("json")))["learner"]
    parts: dict[str, list[Any]] = {n: [] for n in ("feature", "threshold", "left", "right", "value")}
    roots, offset = [], 0
    for tree in model["gradient_booster"]["model"]["trees"]:
        left = np.array(tree["left_children"], dtype=np.int64)
        leaf = left < 0
        split = np.array(tree["split_conditions"], dtype=np.float32)
        before = np.nextafter(split, np.float32(-np.inf)).astype(np.float64)
        roots.append(offset)
        parts["feature"].append(np.where(leaf, 0, np.array(tree["split_indices"], dtype=np.int64)))
        parts["threshold"].append(np.where(leaf, 0.0, before))
        right = np.array(tree["right_children"], dtype=np.int64)
        parts["left"].append(np.where(leaf, -1, left + offset))
        parts["right"].append(np.where(leaf, -1, right + offset))
        parts["value"].append(np.where(leaf, split.astype(np.float64), 0.0))
        offset += len(left)
    return _trees(parts, roots, base=_base_margin(model), single=True)


def _base_margin(model: Any) -> float:
    """The constant that XGBoost adds; it writes it as a probability for class models."""
    base = float(str(model["learner_model_param"]["base_score"]).strip("[]"))
    if model["objective"]["name"].startswith("binary:"):
        return float(np.log(base / (1.0 - base)))
    return base


def _trees(
    parts: dict[str, list[Any]], roots: list[int], *, base: float = 0.0, factor: float = 1.0, single: bool = False
) -> Trees:
    joined = {name: np.concatenate(values) for name, values in parts.items()}
    return Trees(
        feature=joined["feature"].astype(np.int32),
        threshold=joined["threshold"].astype(np.float64),
        left=joined["left"].astype(np.int32),
        right=joined["right"].astype(np.int32),
        value=joined["value"].astype(np.float64),
        roots=np.array(roots, dtype=np.int32),
        base=np.array([base]),
        factor=np.array([factor]),
        single=np.array([single], dtype=np.int64),
    )


def decide(estimator: Any, rows: FloatArray) -> FloatArray:
    """The same number by the estimator itself: what its arrays must agree with. Shape (n,)."""
    if isinstance(estimator, Blended):
        parts = np.column_stack([decide(part, rows) for part in estimator.parts])
        out = (parts * estimator.weights).sum(axis=1)
    elif hasattr(estimator, "get_booster"):
        out = estimator.predict(rows, output_margin=True)
    elif hasattr(estimator, "decision_function"):
        out = estimator.decision_function(rows)
    elif hasattr(estimator, "predict_proba"):
        out = estimator.predict_proba(rows)[:, list(estimator.classes_).index(1)]
    else:
        out = estimator.predict(rows)
    return np.asarray(out, dtype=np.float64).ravel()
