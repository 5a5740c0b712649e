"""Train a model on rated texts: evaluate recipes, choose the best, and fit it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from naturalness.models.learners.elimination import Elimination
from naturalness.models.learners.table import ADAPTED, AUTO, LEARNERS, learners_named
from naturalness.pipelines.evaluation import ELIMINATED, Protocol, Result, chief_figure, evaluate, values_or_chance
from naturalness.pipelines.fitting import Settings, check_selection
from naturalness.pipelines.learning import Learned, Rated, check_learnable, fit, learn
from naturalness.pipelines.warm_start import shipped, start_for

Report = Callable[[str, int, int], None]
"""A progress callback, called with the stage, the number of steps done, and their total."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The recipes to try, and the protocol by which they are evaluated."""

    settings: Settings
    protocol: Protocol
    thorough: bool = False
    """Whether to try all learners that suit any features, eliminate features with the best learner, and measure the
    value of each feature group.
    """
    n_jobs: int = 1

    def learners(self, data: Rated) -> dict[str, Settings]:
        """Return the recipes of the first round, before elimination, keyed by name."""
        if not self.thorough:
            name = self.settings.learner + (ELIMINATED if self.settings.select == "rfe" else "")
            return {name: self.settings}
        origin = self.settings.origin
        starts = start_for(AUTO, data.columns, data.texts, origin) is not None
        able = [
            n
            for n, entry in LEARNERS.items()
            if entry.preparation is None
            and (entry.regressor or not data.rates)
            and (starts or not entry.adapts)
            and (entry.linear or data.pairs is None)
            and (data.versions or not entry.compares)
        ]
        plain = replace(self.settings, select="none", parameters=None)
        return {name: replace(plain, learner=name) for name in [AUTO, *able]}


@dataclass(frozen=True, slots=True)
class Training:
    """The results of a training, with the fitted model."""

    data: Rated
    results: dict[str, Result]
    chosen: str
    """The name of the chosen recipe; the model is fitted with it on all texts."""
    learned: Learned
    worth: tuple[float, list[dict[str, Any]]] | None = None
    elimination: Elimination | None = None
    """The result of feature elimination on all texts, even if the model was fitted without it; None if not done."""


def check_plan(data: Rated, plan: Plan) -> None:
    """Raise an error if nothing can be learned.

    Only the names of columns are needed, so this works before texts are measured.
    """
    settings = plan.settings
    pairs = data.pairs is not None
    learners_named(settings.learner, classes=not data.rates, pairs=pairs, versions=data.versions)
    check_selection(settings, pairs=pairs)
    check_learnable(data, settings.folds, plan.protocol.test_size)
    # With a named starting model, check that it suits the texts even if no learner is named.
    learner = ADAPTED if settings.origin is not None else settings.learner
    start_for(learner, data.columns, data.texts, settings.origin)


def choose_and_fit(data: Rated, plan: Plan, *, report: Report = lambda stage, done, total: None) -> Training:
    """Evaluate the recipes, choose one, and fit it to all texts."""
    check_plan(data, plan)
    results = _judge(data, plan, plan.learners(data), report, baselines=True)
    chosen = best_of(results, data)
    settings = plan.learners(data)[chosen]
    learned = slimmed = None
    if plan.thorough and data.pairs is None:
        name, slim = chosen + ELIMINATED, replace(settings, select="rfe")
        results |= _judge(data, plan, {name: slim}, report, baselines=False)
        report("fitting the model", 0, 1)
        slimmed = learn(data, slim, plan.protocol.threshold)
        report("fitting the model", 1, 1)
        if _figure(results[name], data) >= _figure(results[chosen], data):
            chosen, settings, learned = name, slim, slimmed
    if learned is None:
        report("fitting the model", 0, 1)
        learned = learn(data, settings, plan.protocol.threshold)
        report("fitting the model", 1, 1)
    choice, worth = learned.fitted.choice, None
    if plan.thorough:
        worth = ablate(data, replace(settings, learner=choice.learner, parameters=choice.parameters), report)
    elimination = (slimmed or learned).fitted.elimination
    return Training(data, results, chosen, learned, worth, elimination)


def _judge(
    data: Rated, plan: Plan, learners: dict[str, Settings], report: Report, *, baselines: bool
) -> dict[str, Result]:
    from naturalness.pipelines.baselines import baselines_for

    names = baselines_for(data) if baselines else []
    stage = "judging learners" if baselines else "eliminating features"
    total = len(plan.protocol.splits(data)) * (len(learners) + len(names))
    done = 0

    def advance(name: str) -> None:
        nonlocal done
        done += 1
        report(stage, done, total)

    report(stage, 0, total)
    return evaluate(data, learners, plan.protocol, baselines=names, n_jobs=plan.n_jobs, advance=advance)


def _figure(result: Result, data: Rated) -> float:
    """Return the mean of the chief figure; a split in which all scores are equal counts as chance."""
    return float(values_or_chance(result.runs, chief_figure(data)).mean())


def best_of(results: dict[str, Result], data: Rated) -> str:
    """Return the name of the recipe with the best mean over the splits; baselines are excluded."""
    learners = [name for name, result in results.items() if any(result.chosen)]
    return max(learners, key=lambda name: (_figure(results[name], data), -learners.index(name)))


def ablate(data: Rated, settings: Settings, report: Report) -> tuple[float, list[dict[str, Any]]]:
    """Return the cross-validated criterion with all feature groups, and a row per group: the criterion with only
    this group, and the criterion without it.

    ``settings`` name one learner with fixed parameters. If there is only one group, the value without it is NaN.
    """
    known = data.part(np.flatnonzero(data.teaching))
    groups: dict[str, list[int]] = {}
    for column, name in enumerate(data.columns):
        groups.setdefault(name.partition("__")[0], []).append(column)

    def score(columns: Sequence[int]) -> float:
        if not columns:
            return float("nan")
        part = known.with_columns(columns)
        # A group with too few columns for a warm start starts from zero instead of raising an error.
        start = (settings.origin or shipped()).start(part.columns)
        return fit(part, replace(settings, select="none"), start).choice.score

    report("leaving out groups", 0, len(groups))
    everything, rows = score(range(len(data.columns))), []
    for group, columns in groups.items():
        others = [i for i in range(len(data.columns)) if i not in set(columns)]
        rows.append({"group": group, "columns": len(columns), "without": score(others), "alone": score(columns)})
        report("leaving out groups", len(rows), len(groups))
    return everything, rows


def fingerprint(data: Rated) -> str:
    """Return a checksum of texts, labels, ratings and sources, by which a table can be recognised."""
    rows = [
        [text, int(label), None if rating != rating else float(rating), int(group)]
        for text, label, rating, group in zip(data.texts, data.labels, data.ratings, data.groups, strict=True)
    ]
    if data.pairs is not None:
        rows += data.pairs.tolist()
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()
