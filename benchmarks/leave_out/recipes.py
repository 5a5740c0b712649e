"""Other recipes than the one that ships, judged in the same way: what was tried, what it was worth.

For speed all share one preparation, that of the whole pool, which knows texts and no ratings; the
figures of the shipped recipe so differ by a thousandth from those of `training.default_model`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.models.learners.prepared import learn_preparation
from naturalness.statistics.correlation import partial_spearman, spearman
from training.default_model.measure import Material
from training.default_model.recipe import (
    DAMAGE,
    DAMAGE_WEIGHT,
    FAMILY_POWER,
    PENALTY,
    Pool,
    centred,
    log_odds,
    together,
)
from training.default_model.sets import MAIN, SETS, SIX, USUAL, leaving
from training.default_model.signs import solve

MEAN_SIZE = 1000
"""Texts of a family, about."""
RANKS = 2 * np.pi
"""Ranks in (0, 1) vary as log-odds do where they are multiplied by this."""
PAIRS = 3000
"""Pairs drawn of a set by the ranking loss."""
TREES_ROWS = 8000
SEED = 0
Figures = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of the ridge."""

    held: bool = True
    """Whether signs are held."""
    penalty: float = PENALTY
    damage: float = DAMAGE_WEIGHT
    ranks: bool = False
    """Whether ranks are learned, not log-odds."""
    weigh: Callable[[str, int], float] = field(default=lambda name, n: 1.0)
    """What a set's weight is multiplied by, from its name and its number of texts."""


RECIPES: Mapping[str, Recipe] = {
    "as shipped": Recipe(),
    "without signs": Recipe(held=False),
    "without damage": Recipe(damage=0.0),
    "half the damage": Recipe(damage=DAMAGE_WEIGHT / 2),
    "twice the damage": Recipe(damage=2 * DAMAGE_WEIGHT),
    "penalty .02": Recipe(penalty=0.02),
    "penalty .1": Recipe(penalty=0.1),
    "penalty .2": Recipe(penalty=0.2),
    "ranks instead of log-odds": Recipe(ranks=True),
    "families weigh the same": Recipe(weigh=lambda name, n: (n / MEAN_SIZE) ** -FAMILY_POWER),
    "families weigh by the root of their size": Recipe(weigh=lambda name, n: (n / MEAN_SIZE) ** (0.5 - FAMILY_POWER)),
    "sets weigh the same, however raters agree": Recipe(weigh=lambda name, n: USUAL / SETS[name].agreement),
    "sets with a stated free licence alone": Recipe(weigh=lambda name, n: float(SETS[name].licensed)),
}


@dataclass
class Trial:
    """The pool made ready once, and its sums by set."""

    material: Material
    pool: Pool
    teaching: list[str]

    def __post_init__(self) -> None:
        """Prepare and centre."""
        self.preparation = together(learn_preparation(self.pool.table, self.pool.weight), self.pool.impression)
        prepared = self.preparation.apply(self.pool.table)
        self.rows = centred(prepared, self.pool.weight, self.pool.centre)
        goals = np.column_stack([log_odds(self.pool.target), RANKS * self.pool.target])
        self.targets = centred(goals, self.pool.weight, self.pool.centre)
        marks = np.zeros(len(self.preparation.marked))
        self.sign = np.concatenate([self.pool.sign, marks])
        self.least = np.concatenate([self.pool.least, marks])
        names = np.array([*self.teaching, DAMAGE])
        self.part: NDArray[np.str_] = names[np.minimum(self.pool.centre, len(self.teaching))]
        self.judged = {
            name: self.preparation.apply(material_table)
            for name, material_table in self.material.tables.items()
            if name in MAIN
        }

    @cached_property
    def sums(self) -> dict[str, tuple[FloatArray, FloatArray, float, int]]:
        """Of each set: products of columns, with log-odds and ranks, its weight and its number of rows."""
        out = {}
        for name in [*self.teaching, DAMAGE]:
            rows = self.part == name
            weight = self.pool.weight[rows] / self.pool.weight[rows].sum()
            weighted = self.rows[rows] * weight[:, None]
            out[name] = (
                weighted.T @ self.rows[rows],
                weighted.T @ self.targets[rows],
                float(self.pool.weight[rows].sum()),
                int(rows.sum()),
            )
        return out

    def ridge(self, recipe: Recipe, left: set[str]) -> FloatArray:
        """Weights learned without some families."""
        size = self.rows.shape[1]
        gram, target, total = np.zeros((size, size)), np.zeros(size), 0.0
        for name, (products, goes, weight, n) in self.sums.items():
            if name != DAMAGE and SETS[name].family in left:
                continue
            share = recipe.damage if name == DAMAGE else weight * recipe.weigh(name, n)
            gram, target, total = gram + share * products, target + share * goes[:, int(recipe.ranks)], total + share
        gram = gram / total + recipe.penalty * np.eye(size)
        sign = self.sign if recipe.held else np.zeros(size)
        return solve(gram, target / total, sign, self.least)

    def figures(self, learn: Callable[[set[str]], Callable[[FloatArray], FloatArray]]) -> Figures:
        """Spearman, and given length, on each main set by what was learned without its family."""
        out = {}
        for name, rows in self.judged.items():
            rated = self.material.rated[name]
            predictions = learn(leaving(name))(rows)
            length = np.array([len(text.split()) for text in rated.texts], dtype=np.float64)
            out[name] = [
                round(spearman(predictions, rated.ratings), 3),
                round(partial_spearman(predictions, rated.ratings, length), 3),
            ]
        out["mean of six"] = _mean(out, SIX)
        out["mean of eight"] = _mean(out, MAIN)
        return out

    def ranked(self, left: set[str]) -> Callable[[FloatArray], FloatArray]:
        """Logistic loss on pairs of a set (or an original and its damage) instead of squares."""
        from scipy.optimize import minimize

        gaps, weight = self._pairs(left)
        weight = weight / weight.sum()

        def loss(coef: FloatArray) -> tuple[float, FloatArray]:
            margin = gaps @ coef
            slope = -(gaps.T @ (weight / (1 + np.exp(margin)))) + 0.03 * coef
            value = weight @ np.logaddexp(0, -margin) + 0.015 * coef @ coef
            return float(value), slope

        start = np.zeros(self.rows.shape[1])
        weights = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
        return lambda rows: rows @ weights

    def _pairs(self, left: set[str]) -> tuple[FloatArray, FloatArray]:
        rng = np.random.default_rng(SEED)
        gaps, weights = [], []
        for name in [*self.teaching, DAMAGE]:
            rows = np.flatnonzero(self.part == name)
            drawn = rng.choice(rows, (2, PAIRS))
            if name == DAMAGE:  # an original stands before its damaged version
                first = rows[:-1][np.diff(self.pool.centre[rows]) == 0]
                drawn = rng.choice(first, PAIRS) + np.array([[0], [1]])
            elif SETS[name].family in left:
                continue
            way = np.sign(self.pool.target[drawn[0]] - self.pool.target[drawn[1]])
            differs = way != 0
            gap = (self.rows[drawn[0]] - self.rows[drawn[1]]) * way[:, None]
            gaps.append(gap[differs])
            share = DAMAGE_WEIGHT if name == DAMAGE else self.sums[name][2]
            weights.append(np.full(int(differs.sum()), share / differs.sum()))
        return np.vstack(gaps), np.concatenate(weights)

    def with_trees(self, left: set[str]) -> Callable[[FloatArray], FloatArray]:
        """The ridge, and boosted trees on what it leaves."""
        from xgboost import XGBRegressor

        coef = self.ridge(Recipe(), left)
        taught = np.flatnonzero(~np.isin(self.pool.family, sorted(left)))
        taught = np.random.default_rng(SEED).choice(taught, TREES_ROWS, replace=False)
        rest = self.targets[taught, 0] - self.rows[taught] @ coef
        trees = XGBRegressor(
            n_estimators=100,
            learning_rate=0.05,
            max_depth=4,
            subsample=0.7,
            random_state=SEED,
            colsample_bytree=0.3,
            min_child_weight=5,
            n_jobs=1,
        )
        weight = self.pool.weight[taught]
        trees.fit(self.rows[taught], rest, sample_weight=weight / weight.mean())
        return lambda rows: rows @ coef + trees.predict(rows - rows.mean(axis=0))


def _mean(figures: Figures, names: tuple[str, ...]) -> list[float]:
    return [round(float(v), 4) for v in np.mean([figures[name] for name in names], axis=0)]


def tried(trial: Trial) -> dict[str, Figures]:
    """Figures of every recipe."""

    def ridge(recipe: Recipe) -> Callable[[set[str]], Callable[[FloatArray], FloatArray]]:
        def learn(left: set[str]) -> Callable[[FloatArray], FloatArray]:
            coef = trial.ridge(recipe, left)
            return lambda rows: rows @ coef

        return learn

    out = {name: trial.figures(ridge(recipe)) for name, recipe in RECIPES.items()}
    out["ranking loss on pairs, without signs"] = trial.figures(trial.ranked)
    out["and boosted trees on what is left"] = trial.figures(trial.with_trees)
    return out
