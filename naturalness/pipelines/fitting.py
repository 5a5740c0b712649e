"""Learn from a feature table: choose, eliminate, fit on all rows, calibrate, compile.

The two estimators and `naturalness train` share this; what it returns needs no scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from naturalness.models.learners.neighbours import Neighbours
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.start import Start
from naturalness.models.learners.table import LEARNERS, learners_named, preparation_of
from naturalness.models.learners.tuning import Choice, Problem, fit_units, tune
from naturalness.models.learners.units import Form, Unit
from naturalness.pipelines.warm_start import Origin
from naturalness.statistics.correlation import spearman
from naturalness.statistics.folds import check_enough, folds
from naturalness.statistics.measures import roc_auc

SELECTIONS = ("none", "rfe")
LEAST_SLOPE = 0.1
"""Of the calibration of what starts from another model: few ratings that differ by chance do not undo its order."""
CHECKED, ALIKE = 20, 1e-5
"""Rows on which arrays are held against estimators, and how far they may be apart."""
ClassWeight = Literal["balanced"] | None


@dataclass(frozen=True, slots=True)
class Settings:
    """How to learn; what the estimators' arguments of the same names say."""

    learner: str = "auto"
    select: str = "none"
    folds: int = 5
    class_weight: ClassWeight = "balanced"
    seed: int = 0
    parameters: dict[str, Any] | None = None
    """Fixed parameters instead of the learner's grid."""
    origin: Origin | None = None
    """What learners that adapt start from, instead of the shipped model."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was learned, and how it was chosen."""

    compiled: Compiled
    units: tuple[Any, ...]
    """The estimators as scikit-learn or XGBoost fitted them."""
    choices: tuple[Choice, ...]
    """The best of each learner tried, the one that was taken first."""
    elimination: Elimination | None
    out_of_fold: FloatArray
    """Calibrated log-odds or ratings of rows when they were not trained on; (n, n_units)."""
    target: FloatArray
    """What was learned of these rows."""
    background: FloatArray
    """A few prepared rows whose mean is typical; (b, p)."""

    @property
    def choice(self) -> Choice:
        """The learner and parameters taken."""
        return self.choices[0]


def criterion(n_classes: int) -> Callable[[FloatArray, FloatArray], float]:
    """What parameters are chosen by: ROC AUC (mean over classes), or rank correlation."""
    if not n_classes:
        return _rank_correlation
    if n_classes == 2:
        return lambda target, decisions: roc_auc(decisions[:, 0], target == 1)
    return lambda target, decisions: float(np.mean([roc_auc(decisions[:, c], target == c) for c in range(n_classes)]))


def _rank_correlation(target: FloatArray, decisions: FloatArray) -> float:
    """Spearman; 0 for decisions that are all the same, so that they never win by being left out."""
    value = spearman(decisions[:, 0], target)
    return 0.0 if value != value and len(np.unique(target)) > 1 else value


def compile_units(choice: Choice, units: Sequence[Any], rows: FloatArray) -> tuple[Unit, ...]:
    """The arrays of fitted estimators, held against them: other parameters than those of the
    grid may make of a learner something that the arrays do not say.
    """
    refusal = (
        f"learner {choice.learner!r} with parameters {choice.parameters!r} cannot be saved as "
        "arrays; keep to the names of its grid"
    )
    sample = rows[:: max(1, len(rows) // CHECKED)]
    form = LEARNERS[choice.learner].form
    try:
        arrays = tuple(map(form.compile, units))
        agree = all(_agree(form, array, unit, sample) for array, unit in zip(arrays, units, strict=True))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TrainingError(refusal) from error
    if not agree:
        raise TrainingError(refusal)
    return arrays


def _agree(form: Form, unit: Unit, estimator: Any, rows: FloatArray) -> bool:
    """Return whether a unit decides as its estimator does."""
    if isinstance(unit, Neighbours):
        rows = rows[unit.settled(rows)]
    if not len(rows):
        return True
    return bool(np.allclose(unit.decide(rows), form.decide(estimator, rows), rtol=ALIKE, atol=ALIKE))


def balanced(target: FloatArray, weight: FloatArray, n_classes: int) -> FloatArray:
    """Weights under which every class counts the same."""
    out = weight.copy()
    for number in range(n_classes):
        of = target == number
        out[of] *= weight.sum() / (n_classes * weight[of].sum())
    return out


def check_selection(settings: Settings, *, pairs: bool) -> None:
    """Refuse a selection of columns that there is not, or not for pairs."""
    if settings.select not in SELECTIONS:
        raise UnknownName("selection", settings.select, SELECTIONS)
    if pairs and settings.select != "none":
        raise TrainingError(
            f"--select {settings.select} (select={settings.select!r}) asks a random forest, which "
            "does not learn from pairs; leave it out"
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
) -> Fitted:
    """Learn numbers of classes (``n_classes`` >= 2) or ratings (0) from a table, or ``pairs`` of
    its rows, the preferred one first (``n_classes`` is 0, and the target the number of a row).

    Without a ``start``, learners that adapt start from nothing, and `auto` does without them.
    """
    learners = learners_named(
        settings.learner,
        classes=n_classes > 0 or pairs is not None,
        starts=start is not None,
        n_rows=len(table) if pairs is None else len(pairs),
        pairs=pairs is not None,
    )
    check_enough(target, n_classes, groups, settings.folds, names)
    inner = folds(target, n_classes, groups, settings.folds, settings.seed)
    pull = balanced(target, weight, n_classes) if settings.class_weight == "balanced" else weight
    fixed = preparation_of(learners, table.shape[1])
    check_selection(settings, pairs=pairs is not None)
    if fixed is not None and settings.select != "none":
        raise TrainingError(
            f"learner {settings.learner!r} reads whole vectors, of which --select "
            f"{settings.select} (select={settings.select!r}) would take parts away; leave it out"
        )
    if start is not None and all(LEARNERS[name].adapts for name in learners):
        fixed = start.preparation(learn_preparation(table, pull))
    problem = Problem(table, target, n_classes, pull, inner, fixed, start, pairs)
    measure = criterion(n_classes) if pairs is None else pair_criterion(pairs, len(table))
    preparation = fixed or learn_preparation(table, pull)
    elimination = None
    if settings.select == "rfe":
        elimination = eliminate(problem, preparation, measure, seed=settings.seed)
        preparation = preparation.selecting(elimination.columns)
    choices = tune(
        problem, learners, measure, selected=preparation.selected, seed=settings.seed, parameters=settings.parameters
    )
    best = choices[0]
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
    return Fitted(compiled, tuple(units), tuple(choices), elimination, out_of_fold, target, herd(rows))
