"""Fit a learner to a table of features: tune, select columns, fit on all rows, calibrate, and compile to arrays.

The two estimators and `naturalness train` share this module. The compiled arrays can be used without scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import TrainingError, UnknownName
from naturalness.judging.background import herd
from naturalness.models.learners.calibration import calibrate
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.differences import calibrate_pairs, pair_criterion
from naturalness.models.learners.elimination import Elimination, eliminate
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.start import Start
from naturalness.models.learners.table import LEARNERS, learners_named
from naturalness.models.learners.tuning import Choice, Measure, Problem, fit_units, tune
from naturalness.models.learners.units import Unit
from naturalness.pipelines.warm_start import Origin
from naturalness.statistics.correlation import spearman
from naturalness.statistics.folds import check_enough, folds
from naturalness.statistics.measures import mean_order, roc_auc

SELECTIONS = ("none", "rfe")
LEAST_SLOPE = 0.1
"""The smallest slope of the calibration after a warm start. It is positive, so that a few ratings that disagree by
chance cannot reverse the order.
"""
CHECKED_ROWS, TOLERANCE = 20, 1e-5
"""The number of rows on which compiled arrays are compared with their estimators, and the largest difference
allowed.
"""
ClassWeight = Literal["balanced"] | None


@dataclass(frozen=True, slots=True)
class Settings:
    """Training settings; see the estimators' parameters of the same names."""

    learner: str = "auto"
    select: str = "none"
    folds: int = 5
    class_weight: ClassWeight = "balanced"
    seed: int = 0
    parameters: dict[str, Any] | None = None
    """Fixed parameters, used instead of the learner's grid."""
    origin: Origin | None = None
    """The model from which warm starts begin; None for the shipped one."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted learner, and the choices that led to it."""

    compiled: Compiled
    units: tuple[Any, ...]
    """The estimators of scikit-learn or XGBoost, as fitted."""
    choice: Choice
    """The learner that is used, with its parameters."""
    elimination: Elimination | None
    out_of_fold: FloatArray
    """Calibrated log-odds or ratings of each row, predicted when its fold was held out, (n, n_units)."""
    target: FloatArray
    """The target of each row."""
    background: FloatArray
    """A few prepared rows whose mean is close to the mean of all rows, (b, p)."""


def criterion(problem: Problem) -> Measure:
    """Return the criterion by which parameters are chosen: accuracy on pairs, ROC AUC, averaged over classes, or rank
    correlation for ratings.
    """
    if problem.pairs is not None:
        return pair_criterion(problem.pairs, len(problem.table))

    def measure(rows: IntArray, decisions: FloatArray) -> float:
        target = problem.target[rows]
        if not problem.n_classes:
            return _rank_correlation(target, decisions)
        labels = [1] if problem.n_classes == 2 else range(problem.n_classes)
        areas = [roc_auc(values, target == label) for values, label in zip(decisions.T, labels, strict=True)]
        return float(np.mean(areas))

    return measure


def criterion_of_versions(problem: Problem) -> Measure | None:
    """Return the criterion by which learners are compared if sources have several texts (`mean_order`), or None."""
    if problem.versions is None:
        return None
    overall, within = criterion(problem), pair_criterion(problem.versions, len(problem.table))
    rates = not problem.n_classes
    return lambda rows, decisions: mean_order(overall(rows, decisions), within(rows, decisions), rates=rates)


def _rank_correlation(target: FloatArray, decisions: FloatArray) -> float:
    """Return Spearman's correlation, or 0 for constant decisions, whose correlation is undefined.

    If it were NaN, it would be ignored in the mean over folds, so that constant decisions could win.
    """
    value = spearman(decisions[:, 0], target)
    return 0.0 if value != value and len(np.unique(target)) > 1 else value


def compile_units(choice: Choice, units: Sequence[Any], rows: FloatArray) -> tuple[Unit, ...]:
    """Compile fitted estimators to arrays, and raise an error unless estimators and arrays give the same decisions.

    Decisions can differ if the user sets parameters that are outside the learner's grid and that the arrays cannot
    represent.
    """
    refusal = (
        f"learner {choice.learner!r} with parameters {choice.parameters!r} cannot be saved as "
        "arrays; use the names of its grid"
    )
    sample = rows[:: max(1, len(rows) // CHECKED_ROWS)]
    form = LEARNERS[choice.learner].form
    try:
        arrays = tuple(map(form.compile, units))
        agree = all(
            np.allclose(array.decide(sample), form.decide(unit, sample), rtol=TOLERANCE, atol=TOLERANCE)
            for array, unit in zip(arrays, units, strict=True)
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TrainingError(refusal) from error
    if not agree:
        raise TrainingError(refusal)
    return arrays


def balanced(target: FloatArray, weight: FloatArray, n_classes: int) -> FloatArray:
    """Return weights that give each class the same total weight."""
    out = weight.copy()
    for number in range(n_classes):
        of = target == number
        out[of] *= weight.sum() / (n_classes * weight[of].sum())
    return out


def check_selection(settings: Settings, *, pairs: bool) -> None:
    """Raise an error for an unknown method of selecting columns, or one that does not support pairs."""
    if settings.select not in SELECTIONS:
        raise UnknownName("selection", settings.select, SELECTIONS)
    if pairs and settings.select != "none":
        raise TrainingError(
            f"`select={settings.select}` uses a random forest, which cannot learn from pairs; leave it out"
        )


def fit_table(
    table: FloatArray,
    target: FloatArray,
    *,
    n_classes: int,
    names: Sequence[Any],
    groups: IntArray,
    weight: FloatArray,
    settings: Settings,
    start: Start | None = None,
    pairs: IntArray | None = None,
    versions: IntArray | None = None,
) -> Fitted:
    """Learn class indices (``n_classes`` >= 2) or ratings (``n_classes`` 0) from a table, or an order from ``pairs``.

    Each pair consists of two row indices, the preferred row first; ``n_classes`` is then 0, and the target of a row is
    its index. ``versions`` are such pairs of rated rows of one source (`pairs_of_sources`), if most rows have any.
    Without ``start``, learners that support warm starts begin from zero, and `auto` leaves them out.
    """
    learners = learners_named(
        settings.learner,
        classes=n_classes > 0 or pairs is not None,
        starts=start is not None,
        n_rows=len(table) if pairs is None else len(pairs),
        pairs=pairs is not None,
        versions=versions is not None,
    )
    check_enough(target, n_classes, groups, settings.folds, names)
    inner = folds(target, n_classes, groups, settings.folds, settings.seed)
    balanced_weight = balanced(target, weight, n_classes) if settings.class_weight == "balanced" else weight
    prepare = LEARNERS[learners[0]].preparation
    fixed = prepare and prepare(table.shape[1])
    check_selection(settings, pairs=pairs is not None)
    if fixed is not None and settings.select != "none":
        raise TrainingError(
            f"learner {settings.learner!r} reads whole vectors, of which `select={settings.select}` would take parts "
            "away; leave it out"
        )
    if start is not None and all(LEARNERS[name].adapts for name in learners):
        fixed = start.preparation(learn_preparation(table, balanced_weight))
    problem = Problem(table, target, n_classes, balanced_weight, inner, fixed, start, pairs, groups, versions)
    measure = criterion(problem)
    preparation = fixed or learn_preparation(table, balanced_weight)
    elimination = None
    if settings.select == "rfe":
        elimination = eliminate(problem, preparation, measure, seed=settings.seed)
        preparation = preparation.selecting(elimination.columns)
    best = tune(
        problem,
        learners,
        measure,
        criterion_of_versions(problem),
        selected=elimination.of_folds if elimination else (),
        seed=settings.seed,
        parameters=settings.parameters,
    )[0]
    everything = np.arange(len(table), dtype=np.int64)
    rows = preparation.apply(table)
    units = fit_units(
        best.learner, best.parameters, problem, rows, everything, settings.seed, problem.direction(preparation)
    )
    arrays = compile_units(best, units, rows)
    if pairs is None:
        starts = start is not None and LEARNERS[best.learner].adapts
        calibration = calibrate(best.decisions, target, weight, n_classes, LEAST_SLOPE if starts else 0.0)
    else:
        final = LEARNERS[best.learner].form.decide(units[0], rows)[:, None]
        tested = [test for _, test in inner]
        calibration = calibrate_pairs(best.decisions, pairs, tested, final)
    compiled = Compiled(preparation, arrays, calibration)
    out_of_fold = calibration.apply(best.decisions)
    return Fitted(compiled, tuple(units), best, elimination, out_of_fold, target, herd(rows))
