"""Measure the importance of causes, and how their contributions differ between wrong and right predictions.

The importance of a cause is its mean absolute Shapley value over the texts. Intervals are bootstrapped over sources. In
a long table, only evenly spaced texts are used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.explaining.causes import cause_title
from naturalness.explaining.contributions import share_out
from naturalness.explaining.explain import meanings_of
from naturalness.models.learners.blend import kinds_in
from naturalness.reports.raters.judged import Advance, JudgedTexts
from naturalness.statistics.bootstrap import percentile_ends, too_few

MAX_TEXTS_OF_UNIT = {"linear": 5000}
MAX_TEXTS = 300
"""The largest number of texts whose scores are attributed to causes. `MAX_TEXTS_OF_UNIT` has a higher limit for linear
units, which take less time per text.
"""
RESAMPLES = 500
MIN_TEXTS = 10
"""The smallest number of wrong predictions, and of right ones, at which the two are compared."""


@dataclass(frozen=True, slots=True)
class Importance:
    """The importance of a cause, in the unit of the model."""

    name: str
    title: str
    value: float
    """The mean absolute contribution of the cause, 0 or more."""
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Missed:
    """The difference between a cause's mean contribution to the scores of misclassified texts and its mean
    contribution to the scores of correctly classified texts to which raters gave the same label. NaN if there are
    too few texts.
    """

    name: str
    title: str
    too_high: float
    """The difference for texts that raters call unnatural. It is above 0 if the cause lowered the scores of the
    misclassified texts too little.
    """
    too_high_low: float
    too_high_high: float
    too_low: float
    """The difference for texts that raters call natural. It is below 0 if the cause lowered the scores of the
    misclassified texts too much.
    """
    too_low_low: float
    too_low_high: float


@dataclass(frozen=True, slots=True)
class Importances:
    """The importance of all causes, the most important cause first."""

    unit: str
    texts: int
    """The number of texts whose scores were attributed to causes."""
    causes: tuple[Importance, ...]
    missed: tuple[Missed, ...]


def find_importances(judged: JudgedTexts, *, advance: Advance = lambda done, total: None) -> Importances:
    """Return the importance of all causes for the models that judged the texts."""
    rows = _some(judged)
    names = list(dict.fromkeys(name for model in judged.models for name in meanings_of(model).parts))
    values = np.zeros((len(rows), len(names)))
    done = 0
    for judge, model in enumerate(judged.models):
        judged_rows = np.flatnonzero(judged.judge[rows] == judge)
        saved, parts = model.saved, meanings_of(model).parts
        table = saved.compiled.preparation.apply(judged.data.table[rows[judged_rows]])
        shares = share_out(saved.compiled, table, saved.background.rows, list(parts.values()))
        positions = np.array([names.index(name) for name in parts], dtype=np.int64)
        values[np.ix_(judged_rows, positions)] = shares.values
        done += len(judged_rows)
        advance(done, len(rows))
    weights = _resamples(judged.data.groups[rows])
    causes = [Importance(name, cause_title(name), *_mean_size(values[:, i], weights)) for i, name in enumerate(names)]
    return Importances(
        judged.models[0].unit,
        len(rows),
        tuple(sorted(causes, key=lambda importance: (-importance.value, importance.name))),
        _missed(judged, rows, names, values, weights),
    )


def _some(judged: JudgedTexts) -> IntArray:
    """Return the indices of the texts whose scores are attributed to causes."""
    units = {kind for model in judged.models for kind in model.saved.description.units}
    kinds = {single for kind in units for single in kinds_in(kind)}
    max_texts = min((MAX_TEXTS_OF_UNIT.get(kind, MAX_TEXTS) for kind in kinds), default=MAX_TEXTS)
    n = len(judged.naturalness)
    if n <= max_texts:
        return np.arange(n, dtype=np.int64)
    return np.unique(np.linspace(0, n - 1, max_texts).round()).astype(np.int64)


def _resamples(groups: IntArray) -> FloatArray:
    """Return how often each resample of sources contains each row, (n_resamples, n_rows); empty for too few sources."""
    names, members = np.unique(groups, return_inverse=True)
    if too_few(len(names)):
        return np.empty((0, len(groups)))
    rng = np.random.default_rng(0)
    picks = rng.multinomial(len(names), np.full(len(names), 1 / max(len(names), 1)), RESAMPLES)
    return picks[:, members].astype(np.float64)


def _mean_size(values: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    """Return the mean absolute value and the ends of its 95 % interval."""
    return _interval(np.abs(values), np.ones(len(values), dtype=bool), weights)


def _interval(
    values: FloatArray, rows: BoolArray, weights: FloatArray, reference: BoolArray | None = None
) -> tuple[float, float, float]:
    """Return a mean, or its difference from the mean of the ``reference`` rows if given, with its 95 % interval."""
    value = float(values[rows].mean()) if rows.any() else math.nan
    drawn = _means(values, rows, weights)
    if reference is not None:
        value -= float(values[reference].mean()) if reference.any() else math.nan
        drawn = drawn - _means(values, reference, weights)
    if math.isnan(value):
        return value, math.nan, math.nan
    return value, *percentile_ends(drawn)


def _means(values: FloatArray, rows: BoolArray, weights: FloatArray) -> FloatArray:
    weights_of_rows = weights[:, rows]
    total = weights_of_rows.sum(axis=1)
    out: FloatArray = np.divide(weights_of_rows @ values[rows], total, out=np.full(len(total), np.nan), where=total > 0)
    return out


def _missed(
    judged: JudgedTexts, rows: IntArray, names: Sequence[str], values: FloatArray, weights: FloatArray
) -> tuple[Missed, ...]:
    """Return how each cause's contribution differs between wrong and right predictions, the largest difference
    first.
    """
    labels, known = judged.data.labels[rows], judged.known[rows]
    right = known & ~judged.wrong[rows]
    pairs = [(judged.too_high[rows], right & (labels < judged.best)), (judged.too_low[rows], right & (labels > 0))]
    missed = []
    for i, name in enumerate(names):
        differences = [
            _interval(values[:, i], wrong, weights, rightly)
            if min(int(wrong.sum()), int(rightly.sum())) >= MIN_TEXTS
            else (math.nan, math.nan, math.nan)
            for wrong, rightly in pairs
        ]
        missed.append(Missed(name, cause_title(name), *differences[0], *differences[1]))
    size = {cause.name: np.nansum([abs(cause.too_high), abs(cause.too_low)]) for cause in missed}
    return tuple(sorted(missed, key=lambda cause: (-size[cause.name], cause.name)))
