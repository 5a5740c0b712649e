"""Is a mean of learners better than the best of them? `auto`, `blend` and other means, per set.

`python -m benchmarks.blend RATINGS [--work DIR] [--rows N] [--repeats N]`: for each set and split
every learner is tuned once by five folds on the training rows; the best of some, and means of some,
are then made of the same choices, so that they differ in nothing else. Sets with ratings to learn,
and with labels (above the set's median or not). At most N rows of a set are taken, a third of them
for testing. Texts of one source stay together. All features of this release; seed 0. Tables are
kept in DIR, where one is named.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.blend import joint, weights_of
from naturalness.models.learners.prepared import learn_preparation
from naturalness.models.learners.table import AUTO, LEARNERS, learners_named
from naturalness.models.learners.tuning import Problem, fit_units, tune
from naturalness.pipelines.fitting import balanced, criterion
from naturalness.statistics.folds import folds, fresh_splits
from training.default_model.measure import table_of
from training.default_model.sets import SETS, read_set

PLACES: Mapping[str, tuple[tuple[str, ...], int]] = {
    "SFHOTEL + SFREST": (("SFHOTEL", "SFREST"), 0),
    "style transfer": (("style transfer",), 0),
    "GUG": (("GUG",), 0),
    "Lau BNC": (("Lau BNC",), 2),
}
"""The sets, and how many classes are learned beside the ratings."""
LABELS = ", labels"
PARTS = 500
"""Rows of each part of Lau BNC: the n-th row of each is the same sentence."""
AMONG = tuple(learners_named(AUTO, classes=True, starts=False))
"""What `auto` chooses among where there is no model to start from."""
NAMES = tuple(dict.fromkeys([*AMONG, *LEARNERS["blend"].parts]))
MEANS = {"mean of `auto`'s": AMONG, "`blend`": LEARNERS["blend"].parts, "mean of all four": NAMES}


def read(set_name: str, ratings: Path, work: Path | None) -> tuple[FloatArray, FloatArray, IntArray]:
    """Table, ratings and sources of a set."""
    tables, values = [], []
    texts: list[str] = []
    for name in PLACES[set_name][0]:
        rated = read_set(ratings / SETS[name].file)
        tables.append(table_of(name, rated.texts, work))
        values.append(rated.ratings)
        texts += rated.texts
    sources = np.unique(np.array(texts), return_inverse=True)[1].astype(np.int64)
    if set_name == "Lau BNC":
        sources = np.arange(len(texts), dtype=np.int64) % PARTS
    return np.vstack(tables), np.concatenate(values), sources


def judge(
    table: FloatArray, target: FloatArray, sources: IntArray, n_classes: int, repeats: int
) -> dict[str, list[float]]:
    """The figure of each learner and mean in each split."""
    figures: dict[str, list[float]] = {}
    measure = criterion(n_classes)
    splits = fresh_splits(target, n_classes, sources, repeats=repeats, test_size=1 / 3, seed=0)
    for seed, (train, test) in enumerate(splits):
        weight = np.ones(len(train))
        if n_classes:
            weight = balanced(target[train], weight, n_classes)
        inner = folds(target[train], n_classes, sources[train], 5, seed)
        problem = Problem(table[train], target[train], n_classes, weight, inner)
        choices = tune(problem, NAMES, measure, seed=seed)
        preparation = learn_preparation(table[train], weight)
        rows, new = preparation.apply(table[train]), preparation.apply(table[test])
        every = np.arange(len(train), dtype=np.int64)
        single = {}
        for choice in choices:
            (unit,) = fit_units(choice.learner, choice.parameters, problem, rows, every, seed)
            single[choice.learner] = LEARNERS[choice.learner].form.decide(unit, new)[:, None]
        judged = dict(single)
        best = next(choice.learner for choice in choices if choice.learner in AMONG)
        judged["`auto`: the best of its"] = single[best]
        decided = {choice.learner: choice.decisions for choice in choices}
        for title, members in MEANS.items():
            weights = weights_of([decided[name] for name in members], [part for _, part in inner])
            judged[title] = joint([single[name] for name in members], weights)
        for title, decisions in judged.items():
            figures.setdefault(title, []).append(measure(target[test], decisions))
    return figures


def some(sources: IntArray, most: int) -> IntArray:
    """Rows of sources taken at random, at most so many."""
    order = np.random.default_rng(0).permutation(np.unique(sources))
    rank = np.empty(int(sources.max()) + 1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.sort(np.argsort(rank[sources], kind="stable")[:most])


def rows_of(by_model: Mapping[str, Mapping[str, Sequence[float]]]) -> list[list[Any]]:
    """What each learner and each mean reaches in each set, and over the sets with ratings."""
    titles = [*NAMES, "`auto`: the best of its", *MEANS]
    out = []
    for title in titles:
        means = {name: float(np.mean(figures[title])) for name, figures in by_model.items()}
        whole = float(np.mean([mean for name, mean in means.items() if LABELS not in name]))
        out.append([title, *(f"{value:.3f}" for value in [*means.values(), whole])])
    return out


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--work", type=Path, help="where tables are kept")
    parser.add_argument("--rows", type=int, default=900, help="at most so many rows of a set (900)")
    parser.add_argument("--repeats", type=int, default=5, help="fresh splits (5)")
    options = parser.parse_args()
    results: dict[str, dict[str, list[float]]] = {}
    for set_name, (_, labelled) in PLACES.items():
        table, ratings, sources = read(set_name, options.ratings, options.work)
        rows = some(sources, options.rows)
        table, ratings, sources = table[rows], ratings[rows], sources[rows]
        results[set_name] = judge(table, ratings, sources, 0, options.repeats)
        if labelled:
            labels = (ratings > np.median(ratings)).astype(np.float64)
            results[set_name + LABELS] = judge(table, labels, sources, labelled, options.repeats)
        print(set_name, rows_of({set_name: results[set_name]}), flush=True)
    about = context(
        command=f"python -m benchmarks.blend RATINGS --rows {options.rows} --repeats {options.repeats}",
        seed=0,
        sets={name: list(names) for name, (names, _) in PLACES.items()},
    )
    note = "Spearman with ratings (with labels: ROC AUC), mean over the splits; higher is better.\n\n"
    write(
        "blend",
        "The best learner, or the mean of several",
        note + markdown_table(["", *results, "mean with ratings"], rows_of(results)),
        {
            "context": about,
            "figures": {
                name: {title: [round(value, 4) for value in values] for title, values in figures.items()}
                for name, figures in results.items()
            },
        },
    )


if __name__ == "__main__":
    main()
