"""Recipe of the default model: two linear functions of the features, for sentences and for passages, from rated sets.

Ratings become the share of their set that is worse, learned as log-odds: the ends of a scale count for more than its
middle. Features and log-odds are centred within the set: the model learns from what distinguishes better from worse
texts, not from what they share (genre, length). Damaged sentences are centred with their own original. A family of sets
is weighted by a power of its number of texts, each set by the agreement of its raters. Columns that count errors can
only lower a score (`signs`). What counts in a passage of several sentences is not quite what counts in a single one, so
passages have weights of their own, which are shrunk towards those of sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from naturalness.arrays import FloatArray
from naturalness.features.detector import IMPRESSION
from naturalness.judging.background import Background, herd, spread_of
from naturalness.judging.reference import quantiles_of
from naturalness.models.learners.calibration import Calibration, fit_sigmoid
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.differences import centred
from naturalness.models.learners.linear import Linear, Switching
from naturalness.models.learners.prepared import Preparation, learn_preparation
from naturalness.statistics.logistic import sigmoid
from training.default_model.damage import Damaged
from training.default_model.sets import SETS, USUAL, Ratings, leaving
from training.default_model.signs import leasts, signs, solve

PENALTY = 0.06
"""Ridge penalty per unit of weight, on the weights of sentences."""
DEPARTURE = 0.03
"""Ridge penalty per unit of weight on the difference between the weights of passages and sentences."""
SENTENCES, ONE = "surface__n_sentences", 1.5
"""Column of the number of sentences; a text with more than `ONE` is a passage."""
DAMAGE_WEIGHT = 8.0
"""Weight of the damaged sentences, relative to the mean family of rated sets."""
FAMILY_POWER = 0.3
"""Exponent of the number of texts in the weight of a family."""
DAMAGE = "damage"
IMPRESSION_WEIGHT = 2.25
"""Weight of an impression's first direction relative to other columns; the rest weigh less, as they vary less."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The training rows, each with a target in (0, 1), a weight and a centring group."""

    table: FloatArray
    target: FloatArray
    weight: FloatArray
    centre: NDArray[np.int64]
    """Rows with the same number are centred together."""
    family: NDArray[np.str_]
    sign: FloatArray
    """Sign constraint of each column: 1 for no negative weight, -1 for no positive weight, else 0."""
    least: FloatArray
    """Smallest absolute weight of each constrained column, in log-odds per deviation."""
    impression: NDArray[np.bool_]
    """Whether each column is a direction of a detector's vectors."""
    sentences: int
    """Index of the column with the number of sentences."""

    def without(self, families: set[str]) -> Pool:
        """Return the rows of other families."""
        return self.rows(~np.isin(self.family, sorted(families)))

    def rows(self, keep: NDArray[np.bool_]) -> Pool:
        """Return the selected rows."""
        return replace(
            self,
            table=self.table[keep],
            target=self.target[keep],
            weight=self.weight[keep],
            centre=self.centre[keep],
            family=self.family[keep],
        )


def pool_of(
    rated: Mapping[str, Ratings],
    tables: Mapping[str, FloatArray],
    damaged: Damaged,
    *,
    teaching: Sequence[str],
    columns: Sequence[str],
    damage_weight: float = DAMAGE_WEIGHT,
) -> Pool:
    """Return the training rows of the sets and the damaged sentences."""
    shares_of = family_shares({name: len(rated[name].texts) for name in teaching})
    parts = []
    for number, name in enumerate(teaching):
        ratings, family = rated[name], SETS[name].family
        n = len(ratings.texts)
        weight = np.full(n, shares_of[name] / n)
        parts.append((tables[name], ratings.places, weight, np.full(n, number), [family] * n))
    n = len(damaged.texts)
    share = np.full(n, damage_weight / n)
    originals = damaged.originals + len(teaching)
    parts.append((tables[DAMAGE], damaged.shares, share, originals, [DAMAGE] * n))
    table, target, weight, centre, families = map(np.concatenate, zip(*parts, strict=True))
    impression = np.array([column.startswith(IMPRESSION) for column in columns])
    sentences = list(columns).index(SENTENCES)
    return Pool(table, target, weight, centre, families, signs(columns), leasts(columns), impression, sentences)


def family_shares(texts_of: Mapping[str, int]) -> dict[str, float]:
    """Return the weight of each set, from its number of texts.

    Sets whose raters agree weigh more.
    """
    families: dict[str, list[str]] = {}
    for name in texts_of:
        families.setdefault(SETS[name].family, []).append(name)
    weights = {family: sum(texts_of[name] for name in names) ** FAMILY_POWER for family, names in families.items()}
    mean = sum(weights.values()) / len(weights)
    return {
        name: weights[family] / mean / len(names) * SETS[name].agreement / USUAL
        for family, names in families.items()
        for name in names
    }


@dataclass(frozen=True, slots=True)
class Direction:
    """A fitted model without its calibration."""

    preparation: Preparation
    unit: Linear | Switching

    def margins(self, table: FloatArray) -> FloatArray:
        """Return one number per row; higher is more natural."""
        return self.unit.decide(self.preparation.apply(table))


def together(preparation: Preparation, impression: NDArray[np.bool_]) -> Preparation:
    """Return the preparation, with a common scale for the columns of an impression."""
    scale = preparation.scale.copy()
    shared = scale[: len(impression)]
    if impression.any():
        shared[impression] = shared[impression].max() / IMPRESSION_WEIGHT
    return replace(preparation, scale=scale)


def log_odds(places: FloatArray) -> FloatArray:
    """Return the log-odds of being better than another text, from the share of worse texts in (0, 1)."""
    odds: FloatArray = np.log(places) - np.log1p(-places)
    return odds


def fit(pool: Pool) -> Direction:
    """Fit sign-constrained weighted ridge regression of log-odds on centred rows; gap indicators are free."""
    preparation = together(learn_preparation(pool.table, pool.weight), pool.impression)
    rows = preparation.apply(pool.table)
    limit = (ONE - preparation.mean[pool.sentences]) / preparation.scale[pool.sentences]
    passage = rows[:, [pool.sentences]] > limit
    design = centred(np.hstack([rows * ~passage, rows * passage, passage]), pool.weight, pool.centre)
    target = centred(log_odds(pool.target), pool.weight, pool.centre)
    weighted = design * pool.weight[:, None]
    p = rows.shape[1]
    both = np.array([[PENALTY + DEPARTURE, -DEPARTURE], [-DEPARTURE, DEPARTURE]])
    ridge = pool.weight.sum() * block_diag(np.kron(both, np.eye(p)), PENALTY)
    free = np.zeros(len(preparation.marked))
    sign, least = (np.append(np.tile(np.append(of, free), 2), 0.0) for of in (pool.sign, pool.least))
    coef = solve(weighted.T @ design + ridge, weighted.T @ target, sign, least)
    unit = Switching(coef[:-1].reshape(2, p), np.array([0.0, coef[-1]]), np.array([pool.sentences]), np.array([limit]))
    return Direction(preparation, unit)


def left_out(pool: Pool) -> Iterator[tuple[Pool, FloatArray]]:
    """Yield each family with the margins of a model trained without it; damaged sentences form two halves."""
    for family in sorted(set(pool.family.tolist()) - {DAMAGE}):
        rows = pool.family == family
        yield pool.rows(rows), fit(pool.without({family})).margins(pool.table[rows])
    damage = pool.family == DAMAGE
    for half in (0, 1):
        rows = damage & (pool.centre % 2 == half)
        rest = pool.rows(~rows)
        # The other half alone now stands for all damaged sentences.
        weight = np.where(rest.family == DAMAGE, rest.weight * 2, rest.weight)
        yield pool.rows(rows), fit(replace(rest, weight=weight)).margins(pool.table[rows])


def calibrated(pool: Pool) -> Compiled:
    """Return the model: a text's score is its probability of being in the better half of its set.

    The sigmoid is fitted to the margins of left-out families.
    """
    parts = list(left_out(pool))
    margins = np.concatenate([margins for _, margins in parts])
    better = np.concatenate([(part.target > 0.5).astype(np.float64) for part, _ in parts])
    weight = np.concatenate([part.weight for part, _ in parts])
    weight = weight * len(weight) / weight.sum()
    slope, offset = fit_sigmoid(margins, better, weight)
    direction = fit(pool)
    calibration = Calibration(np.array([slope]), np.array([offset]))
    return Compiled(direction.preparation, (direction.unit,), calibration)


def repeated(pool: Pool, calibration: Calibration, *, repeats: int = 10) -> FloatArray:
    """Return the naturalness of each row by models trained on two thirds of the pool (repeats, n).

    NaN for training rows. Damaged sentences with the same original are on one side of a split; rated sets are split.
    """
    sources = np.where(pool.family == DAMAGE, pool.centre, np.arange(len(pool.table)) + 10**6)
    _, source_of = np.unique(sources, return_inverse=True)
    scores = np.full((repeats, len(pool.table)), np.nan)
    for number in range(repeats):
        order = np.random.default_rng(number).permutation(source_of.max() + 1)
        out = order[source_of] < len(order) / 3
        margins = fit(pool.rows(~out)).margins(pool.table[out])
        scores[number, out] = sigmoid(calibration.apply(margins[:, None]))[:, 0]
    return scores


def background(pool: Pool, compiled: Compiled, table: FloatArray) -> Background:
    """Return the data of explanations; quantiles are those of a ``table`` of the texts."""
    rows = compiled.preparation.apply(pool.table)
    spread = spread_of(repeated(pool, compiled.calibration))
    return Background(herd(rows), *spread, quantiles=quantiles_of(table))


def judged_by_leaving_out(name: str, pool: Pool, table: FloatArray) -> FloatArray:
    """Return the margins of a set's texts from a model trained without the set's family."""
    return fit(pool.without(leaving(name))).margins(table)
