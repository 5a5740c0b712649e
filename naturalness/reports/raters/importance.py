"""What moves the scores, and what is different where the model is wrong.

The importance of a cause is the mean size of its Shapley value over the texts, that of a feature
the mean size of what it alone adds (`explaining.contributions`); intervals by resampling sources.
Of many texts a part is taken, evenly spread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.explaining.causes import cause_of, cause_title
from naturalness.explaining.contributions import effects, share_out
from naturalness.models.learners.blend import kinds_in
from naturalness.pipelines.scorer import NaturalnessModel
from naturalness.reports.assess import INTERVAL
from naturalness.reports.raters.judged import Advance, Judged

MOST = {"linear": 5000}
OTHERS = 300
"""Texts that are shared out, by kind of unit; others cost more for each text."""
FEATURES = 20
RESAMPLES = 500
FEWEST = 10
"""Texts of each kind under which the wrong ones are not compared with the right ones."""


@dataclass(frozen=True, slots=True)
class Importance:
    """Of a cause or a feature, in the unit of the model."""

    name: str
    title: str
    value: float
    """Mean size of what it adds; 0.."""
    low: float
    high: float
    cause: str = ""
    """Of a feature: the title of its cause."""
    meaning: str = ""
    """Of a feature: what a higher value means."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What a cause adds to texts that are told wrongly, less to texts that are told rightly, all of
    which raters gave the same label. NaN where these are too few.
    """

    name: str
    title: str
    too_high: float
    """Of texts raters call unnatural: above 0, it spoke up too little in those told natural."""
    too_high_low: float
    too_high_high: float
    too_low: float
    """Of texts raters call natural: below 0, it spoke against those told unnatural."""
    too_low_low: float
    too_low_high: float


@dataclass(frozen=True, slots=True)
class Importances:
    """Causes and features, the most important first."""

    unit: str
    texts: int
    """That were shared out."""
    causes: tuple[Importance, ...]
    features: tuple[Importance, ...]
    """The `FEATURES` with the largest, of those that tell a reader something by themselves."""
    missed: tuple[Missed, ...]


def find_importances(judged: Judged, *, seed: int = 0, advance: Advance = lambda done, total: None) -> Importances:
    """Of all causes that the models read."""
    rows = _some(judged)
    names = list(judged.models[0].parts)
    names += [name for model in judged.models for name in model.parts if name not in names]
    values = np.zeros((len(rows), len(names)))
    columns: dict[str, FloatArray] = {}
    means: dict[str, str] = {}
    done = 0
    for number, model in enumerate(judged.models):
        own = np.flatnonzero(judged.judge[rows] == number)
        found, moved = _of_model(model, judged.data.table[rows[own]])
        for name, column in found.items():
            values[own, names.index(name)] = column
        for name, column in moved.items():
            columns.setdefault(name, np.zeros(len(rows)))[own] = column
        means |= {model.prepared[i]: told for i, told in model.readable.items()}
        done += len(own)
        advance(done, len(rows))
    weights = _resamples(judged.data.groups[rows], seed)
    causes = [Importance(name, cause_title(name), *_mean_size(values[:, i], weights)) for i, name in enumerate(names)]
    largest = sorted(columns, key=lambda name: (-float(np.abs(columns[name]).mean()), name))
    features = [
        Importance(name, name, *_mean_size(columns[name], weights), cause_title(cause_of(name)), means[name])
        for name in largest[:FEATURES]
    ]
    return Importances(
        judged.models[0].unit,
        len(rows),
        tuple(sorted(causes, key=lambda one: (-one.value, one.name))),
        tuple(features),
        _missed(judged, rows, names, values, weights),
    )


def _some(judged: Judged) -> IntArray:
    """The texts that are shared out."""
    told = {kind for model in judged.models for kind in model.saved.description.units}
    kinds = {single for kind in told for single in kinds_in(kind)}
    most = min((MOST.get(kind, OTHERS) for kind in kinds), default=OTHERS)
    n = len(judged.naturalness)
    if n <= most:
        return np.arange(n, dtype=np.int64)
    return np.unique(np.linspace(0, n - 1, most).round()).astype(np.int64)


def _of_model(model: NaturalnessModel, table: FloatArray) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """What each cause, and each readable feature alone, adds to each row."""
    saved, parts = model.saved, model.parts
    preparation, background = saved.compiled.preparation, saved.background.rows
    rows = preparation.apply(table)
    shares = share_out(saved.compiled, saved.description.verdict, rows, background, list(parts.values()))
    alone = list(model.readable)
    moved = np.array([effects(saved.compiled, row, background, alone) for row in rows]).reshape(len(rows), len(alone))
    return (
        {name: shares.values[:, i] for i, name in enumerate(parts)},
        {model.prepared[j]: moved[:, i] for i, j in enumerate(alone)},
    )


def _resamples(groups: IntArray, seed: int) -> FloatArray:
    """How often each row is in each resample of sources, (n_resamples, n_rows)."""
    names, members = np.unique(groups, return_inverse=True)
    rng = np.random.default_rng(seed)
    picks = rng.multinomial(len(names), np.full(len(names), 1 / max(len(names), 1)), RESAMPLES)
    return picks[:, members].astype(np.float64)


def _mean_size(values: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    """Mean size, and the ends of its 95 % interval."""
    return _interval(np.abs(values), np.ones(len(values), dtype=bool), weights)


def _interval(
    values: FloatArray, rows: BoolArray, weights: FloatArray, less: BoolArray | None = None
) -> tuple[float, float, float]:
    """A mean, or its difference from that of other rows, with its interval."""
    value = float(values[rows].mean()) if rows.any() else math.nan
    drawn = _means(values, rows, weights)
    if less is not None:
        value -= float(values[less].mean()) if less.any() else math.nan
        drawn = drawn - _means(values, less, weights)
    drawn = drawn[~np.isnan(drawn)]
    if math.isnan(value) or not len(drawn):
        return value, math.nan, math.nan
    low, high = np.percentile(drawn, INTERVAL)
    return value, float(low), float(high)


def _means(values: FloatArray, rows: BoolArray, weights: FloatArray) -> FloatArray:
    own = weights[:, rows]
    total = own.sum(axis=1)
    out: FloatArray = np.divide(own @ values[rows], total, out=np.full(len(total), np.nan), where=total > 0)
    return out


def _missed(
    judged: Judged, rows: IntArray, names: Sequence[str], values: FloatArray, weights: FloatArray
) -> tuple[Missed, ...]:
    """The causes that differ most between wrong and right verdicts first."""
    labels, known = judged.data.labels[rows], judged.known[rows]
    right = known & ~judged.wrong[rows]
    pairs = [(judged.too_high[rows], right & (labels < judged.best)), (judged.too_low[rows], right & (labels > 0))]
    found = []
    for i, name in enumerate(names):
        told = [
            _interval(values[:, i], wrong, weights, fine)
            if min(int(wrong.sum()), int(fine.sum())) >= FEWEST
            else (math.nan, math.nan, math.nan)
            for wrong, fine in pairs
        ]
        found.append(Missed(name, cause_title(name), *told[0], *told[1]))
    size = {one.name: np.nansum([abs(one.too_high), abs(one.too_low)]) for one in found}
    return tuple(sorted(found, key=lambda one: (-size[one.name], one.name)))
