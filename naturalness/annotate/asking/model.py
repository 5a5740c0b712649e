"""The models that are taught while one rates, of texts or of pairs: linear, and quick to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from naturalness.annotate.asking.comparing import weights_of
from naturalness.annotate.asking.material import Compared
from naturalness.annotate.asking.pool import Pool
from naturalness.annotate.asking.space import SAMPLE
from naturalness.annotate.asking.taught import Picked
from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.errors import TrainingError
from naturalness.explaining.background import herd
from naturalness.explaining.causes import cause_title, parts_of
from naturalness.explaining.contributions import share_out
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.models.learners.verdict import Verdict
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.reports.raters.learning_curve import PLAIN

STRENGTHS = (0.0003, 0.001, 0.003)
"""Inverse penalties that are tried for pairs."""
PAIR_FOLDS = 3
SHOWN = 200
"""Texts of the pool over which the strength of causes is taken."""
LEAST = 0.03
"""Share of what moves scores under which a cause is not picked up."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What was learned, in the form in which models are saved and explained."""

    compiled: Compiled
    verdict: Verdict
    background: FloatArray
    parameters: dict[str, Any]

    def judge(self, table: FloatArray) -> tuple[FloatArray, IntArray]:
        """Naturalness, 0..1, and the told label of each row."""
        values = self.compiled.decide(table)
        naturalness = self.verdict.naturalness(values)
        return naturalness, self.verdict.predictions(values, naturalness)

    def rank(self, table: FloatArray) -> FloatArray:
        """A number per row to order by, higher is better. It is not calibrated: where calibration
        found nothing that it could vouch for, all rows would be the same.
        """
        rows = self.compiled.preparation.apply(table)
        return self.compiled.units[0].decide(rows)

    def told(self, table: FloatArray) -> FloatArray:
        """The calibrated number of each row: a rating, or log-odds."""
        out: FloatArray = self.compiled.decide(table)[:, 0]
        return out


def teach_rated(data: Rated, *, parameters: dict[str, Any] | None = None, folds: int = 5) -> Model | None:
    """Ridge regression of ratings, logistic regression of two labels; None where the texts are too
    few for the folds. ``parameters`` are chosen by folds where they are not given.
    """
    settings = Settings(PLAIN, folds=folds, parameters=parameters)
    try:
        learned = learn(data, settings)
    except TrainingError:
        return None
    fitted = learned.fitted
    return Model(fitted.compiled, learned.verdict, fitted.background, fitted.choice.parameters)


def teach_pairs(pool: Pool, pairs: Compared, use: BoolArray, *, parameters: dict[str, Any] | None = None) -> Model:
    """Logistic regression on differences of two texts. The score of a text is the chance that it is
    preferred to a middling one of the pool.
    """
    rows = np.flatnonzero(pool.usable)
    preparation = learn_preparation(pool.table[rows[:: max(1, len(rows) // SAMPLE)]])
    own = pairs.rows[use]
    first, second = (preparation.apply(pool.table[own[:, side]]) for side in (0, 1))
    apart, better = first - second, pairs.better[use]
    if parameters is None:
        parameters = {"C": _strength(apart, better)}
    weights = weights_of(apart, better, parameters["C"])
    background = herd(preparation.apply(pool.table[rows[:: max(1, len(rows) // SAMPLE)]]))
    return Model(_compiled(preparation, weights, background), Verdict(2, False), background, parameters)


def _compiled(preparation: Preparation, weights: FloatArray, background: FloatArray) -> Compiled:
    middle = float(background.mean(axis=0) @ weights)
    unit = Linear(weights, np.array([-middle]))
    return Compiled(preparation, (unit,), Calibration(np.ones(1), np.zeros(1)))


def _strength(apart: FloatArray, better: BoolArray) -> float:
    """The strength under which pairs that were not learned from are likeliest."""
    fold = np.arange(len(apart)) % PAIR_FOLDS
    signs = np.where(better, 1.0, -1.0)
    losses = []
    for strength in STRENGTHS:
        loss = 0.0
        for number in range(PAIR_FOLDS):
            out = fold == number
            weights = weights_of(apart[~out], better[~out], strength)
            loss += float(np.logaddexp(0.0, -signs[out] * (apart[out] @ weights)).sum())
        losses.append(loss)
    return STRENGTHS[int(np.argmin(losses))]


def causes_picked(model: Model, table: FloatArray, columns: Sequence[str]) -> tuple[Picked, ...]:
    """The causes that move the model's scores over some texts, the strongest first."""
    rows = table[:: max(1, len(table) // SHOWN)]
    preparation = model.compiled.preparation
    parts = parts_of(preparation.names(list(columns)))
    shares = share_out(model.compiled, model.verdict, preparation.apply(rows), model.background, list(parts.values()))
    moved = np.abs(shares.values).mean(axis=0)
    total = float(moved.sum())
    if total <= 0:
        return ()
    found = [Picked(cause, cause_title(cause), float(value) / total) for cause, value in zip(parts, moved, strict=True)]
    return tuple(sorted((p for p in found if p.strength >= LEAST), key=lambda p: -p.strength))
