"""Every learner on every set, beside what needs no knowledge of language, and single features.

Labels are learned, on two thirds of the texts, in fresh splits (seed 0). A learner's parameters
are chosen by five folds within the training part of the first split and kept for the others;
calibration and threshold (for weighted F1) come from five folds in every split.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.words import tf_idf
from naturalness.arrays import FloatArray
from naturalness.files.resources import has_package
from naturalness.models.learners.table import LEARNERS
from naturalness.pipelines.evaluation import (
    SIMPLE,
    Baseline,
    Judged,
    Outcome,
    Protocol,
    Result,
    SplitJob,
    length,
    majority,
    run_job,
)
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.statistics.measures import roc_auc
from naturalness_replication import neighbours
from naturalness_replication.papers.cache import Cache, identity
from naturalness_replication.papers.naturalness.sets import ENTRIES, read
from naturalness_replication.recurrent import NAME
from naturalness_replication.vectors import VectorFeatures

REPEATS = 10
BASELINES: Mapping[str, Baseline] = {"majority": majority, "length alone": length, "tf-idf": tf_idf}
COMPARED = ("logistic-l2", "rbf-svm", "random-forest")
"""Learners on the set that demonstrates a leak."""
FROM_RATINGS = ("logistic-l2", "rbf-svm")
"""Learners that are also trained on the ratings, where these are means of several raters."""
DEEP = NAME
DEEP_SET, DEEP_REPEATS = "SFHOTEL + SFREST", 3
SINGLE: Mapping[str, str] = {
    "perplexity of the language model": "word_lm__perplexity",
    "score of the language model": "word_lm__score",
    "probability by the reranker": "constituency__reranker_logprob",
    "probability by the parser": "constituency__parser_logprob",
}
"""The single features of the paper, by our names; our chart parser replaces a reranker."""
ALONE = neighbours.NAME
BEST, BEST_BASELINE = "the best of ours (logistic regression)", "best single feature"
SETTLED = ("learner", "select", "folds", "class_weight", "seed", "parameters")
"""The settings on which a result depends."""
Results = dict[str, Result]


def learners_of(name: str) -> list[str]:
    """The learners that a set is learned by; `auto` chooses among some of them.

    Not what starts from the shipped model, which learned three of these sets, nor means of
    learners: `benchmarks.trained` has both.
    """
    if name == "Lau BNC, plain random":
        return list(COMPARED)
    return [n for n, e in LEARNERS.items() if not (e.preparation or e.adapts or e.compares)]


def every_learner(name: str, data: Rated, how: Protocol, cache: Cache) -> Results:
    """Return results of baselines and learners on a set, by name."""
    results = {n: run_baseline(name, data, how, cache, n, baseline) for n, baseline in BASELINES.items()}
    for learner in learners_of(name):
        results[learner] = run_learner(name, data, how, cache, Settings(learner=learner))
    if ENTRIES[name].graded:
        graded = replace(data, rates=True)
        for learner in FROM_RATINGS:
            title = f"{learner}, taught the ratings"
            results[title] = run_learner(name, graded, how, cache, Settings(learner=learner))
    return results


def deep(ratings: Path, work: Path | None, how: Protocol, cache: Cache) -> Result | None:
    """Return the paper's deep baseline on one set; None without torch and without cached results."""
    there = has_package("torch")
    if work is None and not there:
        return None
    data = read(ratings, ENTRIES[DEEP_SET], work, [VectorFeatures()])
    how, settings = replace(how, repeats=DEEP_REPEATS), Settings(learner=DEEP)
    if not there and not cache.has(f"{DEEP_SET}, {DEEP}, split 0", _key(data, how, settings)):
        return None
    return run_learner(DEEP_SET, data, how, cache, settings)


def single_features(name: str, data: Rated, how: Protocol, cache: Cache) -> tuple[Results, dict[str, int]]:
    """k nearest neighbours over one feature, and logistic regression over the one that says most
    about each training part: also how often which that was.
    """
    results: Results = {}
    for title, column in SINGLE.items():
        single = data.with_columns([data.columns.index(column)])
        settings = Settings(learner=ALONE)
        results[title] = run_learner(f"{name}, {title}", single, how, cache, settings)
    results[BEST] = run_baseline(name, data, how, cache, BEST_BASELINE, single_feature)
    chosen: list[int] = cache(
        f"{name}, {BEST}",
        [identity(data), asdict(how)],
        lambda: [strongest(data.part(train)) for train, _ in how.splits(data)],
    )
    counted = Counter(data.columns[i] for i in chosen)
    return results, dict(counted.most_common())


def single_feature(train: Rated, test: Rated, settings: Settings) -> Judged:
    """Learn from the one feature that best predicts the training part."""
    best = [strongest(train)]
    return learn(train.with_columns(best), replace(settings, learner=SIMPLE)).judge(test.with_columns(best).table)


def strongest(train: Rated) -> int:
    """Return the index of the column whose ROC AUC on the training part is furthest from 1/2."""
    strengths = [_strength(column, train) for column in train.table.T]
    return int(np.nanargmax(strengths)) if not np.isnan(strengths).all() else 0


def _strength(column: FloatArray, train: Rated) -> float:
    use = train.teaching & ~np.isnan(column)
    if use.sum() < 0.5 * len(train):
        return math.nan
    return abs(roc_auc(column[use], train.labels[use] == 1) - 0.5)


def run_baseline(name: str, data: Rated, how: Protocol, cache: Cache, what: str, baseline: Baseline) -> Result:
    """Evaluate a baseline in all splits."""
    splits, runs = how.splits(data), []
    for number in range(len(splits)):
        job = SplitJob(what, baseline, Settings(), number)
        runs.append(
            cache(
                f"{name}, {what}, split {number}",
                _key(data, how, Settings()),
                lambda job=job: dict(run_job(data, how, splits, job).figures),
            )
        )
    return Result(what, tuple(runs))


def run_learner(name: str, data: Rated, how: Protocol, cache: Cache, settings: Settings) -> Result:
    """Evaluate a learner in all splits with the parameters chosen in the first."""
    splits, runs = how.splits(data), []
    for number in range(len(splits)):
        job = SplitJob(settings.learner, None, settings, number)
        done = cache(
            f"{name}, {settings.learner}, split {number}",
            _key(data, how, settings),
            lambda job=job: _done(run_job(data, how, splits, job)),
        )
        runs.append(done["figures"])
        settings = replace(settings, parameters=done["parameters"])
    return Result(settings.learner, tuple(runs))


def _done(outcome: Outcome) -> dict[str, Any]:
    return {"figures": dict(outcome.figures), "parameters": dict(outcome.parameters)}


def _key(data: Rated, how: Protocol, settings: Settings) -> object:
    """Return the inputs on which a split's result depends; the number of splits is not among them."""
    chosen = {name: getattr(settings, name) for name in SETTLED}
    return [identity(data), asdict(replace(how, repeats=0)), chosen]
