"""GRUEN with constants fitted to ratings, as its paper's were."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.metrics.gruen import STEPS, GruenMetric
from naturalness.models.metrics.gruen.parts import Constants, Parts
from naturalness.reports.metrics.scoring import FOLDS, Scored
from naturalness.statistics.folds import folds
from naturalness.statistics.measures import spearman

if TYPE_CHECKING:
    from spacy.tokens import Doc

TUNED = "-tuned"
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
PENALTIES = (0.0, 0.05, 0.1, 0.2)
PER_NAT = (0.0, 0.05, 0.1, 0.2, 0.5)
BETTER = 1e-9
"""By which one choice must beat another; of equal ones the first stays."""


def score_tuned(metric: GruenMetric, docs: Sequence[Doc], ratings: FloatArray, groups: IntArray, seed: int) -> Scored:
    """The metric with constants fitted to ratings, each text by those of folds without its source.

    What they are on all ratings stands in the note.
    """
    parts = metric.parts(docs)
    known = np.flatnonzero([bool(one.likelihoods) for one in parts] & ~np.isnan(ratings))
    scores = np.full(len(ratings), math.nan)
    n_folds = min(FOLDS, len(np.unique(groups[known])))
    note = f"{n_folds} sources are too few to learn from"
    if n_folds > 1:
        table, target = scores_by_constants([parts[i] for i in known], metric.name), ratings[known]
        for train, test in folds(target, 0, groups[known], n_folds, seed):
            chosen = best_of(table, train, target[train])
            scores[known[test]] = table[chosen][test]
        fitted = best_of(table, np.arange(len(known)), target)
        note = f"{describe(fitted)}; told out of fold, {n_folds} folds, sources together"
    return Scored(
        metric.name + TUNED,
        scores,
        f"{metric.signature}|tuned|out-of-fold:{n_folds}|seed:{seed}",
        f"{metric.name} with constants fitted to these ratings, out of fold; 0..1",
        learned=True,
        note=note,
    )


def scores_by_constants(parts: Sequence[Parts], name: str) -> dict[Constants, FloatArray]:
    """Scores of texts by every choice of constants, those that have no part in a step left out."""
    steps = STEPS[name].penalties
    repeated = np.array([one.repeated if "r" in steps else 0.0 for one in parts])
    unrelated = np.array([one.unrelated if "u" in steps else 0.0 for one in parts])
    disorder = np.array([one.disorder if "n" in steps else 0.0 for one in parts])
    violations, disorder = repeated + unrelated, np.nan_to_num(disorder)
    penalties = PENALTIES if violations.any() else (Constants().violation,)
    nats = PER_NAT if disorder.any() else (Constants().nat,)
    found = {}
    for (weight, least, grammatical), off, nat in product(_grammar(parts), penalties, nats):
        scores = np.clip(grammatical - off * violations - nat * disorder, 0.0, 1.0)
        found[Constants(weight, least, off, nat)] = scores
    return found


def _grammar(parts: Sequence[Parts]) -> Iterator[tuple[float, float, FloatArray]]:
    shares = WEIGHTS if any(len(one.likelihoods) > 1 for one in parts) else (Constants().least,)
    for weight, least in product(WEIGHTS, shares):
        constants = Constants(acceptability=weight, least=least)
        yield weight, least, np.array([one.grammaticality(constants) for one in parts])


def best_of(table: dict[Constants, FloatArray], rows: IntArray, ratings: FloatArray) -> Constants:
    """The constants whose scores of these rows go best with ratings, by Spearman."""
    best, found = -math.inf, Constants()
    for constants, scores in table.items():
        reached = spearman(scores[rows], ratings)
        if reached > best + BETTER:
            best, found = reached, constants
    return found


def describe(constants: Constants) -> str:
    """In a line."""
    told = ", ".join(f"{name} {value:g}" for name, value in constants._asdict().items())
    return f"best constants: {told}"
