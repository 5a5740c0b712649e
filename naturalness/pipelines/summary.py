"""Summarise a training as plain data, for `metrics.json`, the card and the report."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from naturalness import __version__
from naturalness.explaining.causes import readable
from naturalness.features.base import FeatureGroup
from naturalness.models.learners.elimination import Elimination
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.table import LEARNERS
from naturalness.pipelines.evaluation import Plan, Result, Training, chief_figure, without_shipped
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.warm_start import shipped

DIGITS = 6
MAX_INFLUENTIAL = 20
"""The largest number of influential columns that are listed."""


def rounded(value: Any) -> Any:
    """Round numbers to six significant digits at any depth; NaN and infinity become None."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return float(f"{number:.{DIGITS}g}") if math.isfinite(number) else None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, dict):
        return {str(k): rounded(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [rounded(v) for v in value]
    return value


def result_data(result: Result) -> dict[str, Any]:
    """Return the mean and deviation of each figure of a result, and the figures of each split."""
    data: dict[str, Any] = {**result.summary(), "runs": [dict(run) for run in result.runs]}
    if any(result.chosen):
        data["learner_of_each_split"] = list(result.chosen)
    return data


def summarise(training: Training, plan: Plan, groups: Sequence[FeatureGroup] = ()) -> dict[str, Any]:
    """Return everything that was measured in a training, without texts; ``groups`` are the groups of its features."""
    data, fitted = training.data, training.learned.fitted
    choice, protocol = fitted.choice, plan.protocol
    summary: dict[str, Any] = {
        "naturalness": __version__,
        "data": describe_data(data),
        "protocol": {
            "repeats": protocol.repeats,
            "test_size": protocol.test_size,
            "inner_folds": plan.settings.folds,
            "sources_kept_together": len(np.unique(data.groups)) < len(data),
            "threshold_chosen_for": protocol.threshold,
            "class_weight": plan.settings.class_weight,
            "seed": protocol.seed,
            "chosen_by": chief_figure(data),
        },
        "learners": {plan.recipe: result_data(training.result)},
        "baselines": {name: result_data(result) for name, result in training.baselines.items()},
        "model": {
            "recipe": plan.recipe,
            "learner": choice.learner,
            "parameters": dict(choice.parameters),
            "cross_validated": {"mean": choice.score, "folds": choice.scores.tolist()},
            "threshold": training.learned.interpretation.threshold,
            "n_columns": len(fitted.compiled.preparation.selected),
            "n_read": fitted.compiled.preparation.n_read,
            "influence": influence(training, groups),
        },
    }
    if why := without_shipped(data):
        summary["without_shipped_model"] = why
    origin = plan.settings.origin or (shipped() if LEARNERS[choice.learner].adapts else None)
    if origin is not None:
        summary["start"] = origin.record
    if fitted.elimination is not None:
        summary["elimination"] = elimination_data(training, fitted.elimination)
    out: dict[str, Any] = rounded(summary)
    return out


def describe_data(data: Rated) -> dict[str, Any]:
    """Return counts and the rating scale of the training data."""
    return {
        "texts": len(data),
        "sources": len(np.unique(data.groups)),
        "labels": {name: int((data.labels == number).sum()) for number, name in enumerate(data.classes)},
        "without_label": int((data.labels < 0).sum()),
        "rated": int((~np.isnan(data.ratings)).sum()),
        "scale": list(data.scale),
        "learned": data.learned,
        **({} if data.pairs is None else {"pairs": len(data.pairs)}),
    }


def influence(training: Training, groups: Sequence[FeatureGroup]) -> list[dict[str, Any]]:
    """Return the columns that influence the model most: by weight for a linear model, by importance for trees.

    Coordinates of vectors are left out, because a single one means nothing.
    """
    fitted = training.learned.fitted
    names = fitted.compiled.preparation.names(list(training.data.columns))
    unit, estimator = fitted.compiled.units[-1], fitted.units[-1]
    if isinstance(unit, Linear):
        values, kind = unit.coef, "weight per standard deviation"
    elif hasattr(estimator, "feature_importances_"):
        values, kind = np.asarray(estimator.feature_importances_, dtype=np.float64), "importance"
    else:
        return []
    clear = readable(names, groups) if groups else range(len(names))
    order = [i for i in np.argsort(-np.abs(values), kind="stable").tolist() if i in clear]
    return [{"feature": names[i], "value": float(values[i]), "kind": kind} for i in order[:MAX_INFLUENTIAL]]


def elimination_data(training: Training, elimination: Elimination) -> dict[str, Any]:
    """Return the elimination curve, and the chosen columns in reverse order of elimination."""
    names = training.learned.compiled.preparation
    every = names.selecting(np.arange(len(names.mean), dtype=np.int64))
    all_names = every.names(list(training.data.columns))
    return {
        "sizes": elimination.sizes,
        "means": elimination.means,
        "errors": elimination.errors,
        "chosen": elimination.chosen,
        "columns": [all_names[i] for i in elimination.ranking[: elimination.chosen]],
    }


def read_summary(data: bytes) -> dict[str, Any]:
    """Return the contents of `metrics.json`; raise an error if a part that is read later has the wrong type."""
    summary = json.loads(data)
    if not isinstance(summary, dict):
        raise TypeError(f"expected an object, found {type(summary).__name__}")
    for part in ("baselines", "learners", "model", "protocol"):
        if not isinstance(summary.get(part, {}), dict):
            raise TypeError(f"expected {part!r} to be an object")
    return summary
