"""Quality of models trained on 50, 100 … ratings, by features and by words.

`python -m benchmarks.small_data RATINGS CORPORA [--work DIR] [--seeds 5]`: a third of each set, with whole sources, is
held out; 50, 100 … of the other texts are training data. Spearman of score and rating on the third, mean over the
seeds (0 to 4). All methods learn from the same texts. `adapted` starts from the default recipe trained without the set
and its family; the row "no ratings" is that model unchanged. If a model gives all texts the same score, its figure
counts as 0.

With `--mixture`, `adapted` and `mixture` learn from 100 to 399 texts of every rated set, from ratings or from labels
(whether a rating is above the set's mean), and half of the set is held out; the figures are written to another file.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from operator import attrgetter

import numpy as np

from benchmarks.own_sets import FILES_OF_SETS, RatedSet, pool, read_rated_set, some, without
from benchmarks.report import markdown_table, write
from benchmarks.words import tf_idf
from naturalness.features import DEFAULT, column_names, resolve
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.pipelines.warm_start import Origin
from naturalness.statistics.correlation import spearman
from naturalness.statistics.folds import fresh_splits
from training.arguments import command_parser
from training.default_model.measure import put_cross_fitted, sampled, table_of
from training.default_model.sets import SETS, read_named

SIZES = (50, 100, 200, 400, 800, None)
FEW, MIXED = (100, 200, 300, 399), ("adapted", "mixture")
RARE, LOSS = 8, 0.01
ADAPTED, RIDGE = "adapted", "logistic-l2"
View = Callable[[RatedSet], Rated]


WAYS: Mapping[str, tuple[View, str]] = {
    "the default's features, from the shipped model (`adapted`)": (RatedSet.with_default, ADAPTED),
    "features, from the shipped model (`adapted`)": (attrgetter("data"), ADAPTED),
    "features (ridge)": (attrgetter("data"), RIDGE),
}
WORDS, NONE = "tf-idf (ridge)", "no ratings: the recipe without the set"


def measured(rated_set: RatedSet, origin: Origin, seeds: int) -> dict[str, dict[str, list[float]]]:
    """Return Spearman by method and number of ratings, one value per seed."""
    data = rated_set.data
    splits = fresh_splits(data.target, 0, data.groups, repeats=seeds, test_size=1 / 3, seed=0)
    views = {name: view(rated_set) for name, (view, _) in WAYS.items()}
    start = rated_set.with_default().table
    figures_of: dict[str, dict[str, list[float]]] = {name: {} for name in (*WAYS, WORDS, NONE)}
    for seed, (train, test) in enumerate(splits):
        rating = data.ratings[test]
        for size in SIZES:
            at = str(size or "all")
            rows = some(train, size, seed)
            predictions = {
                name: learn(views[name].part(rows), Settings(learner=learner, seed=seed, origin=origin)).judge(
                    views[name].table[test]
                )[0]
                for name, (_, learner) in WAYS.items()
            }
            predictions[WORDS] = tf_idf(data.part(rows), data.part(test), Settings())[0]
            predictions[NONE] = origin.compiled.decide(start[test])[:, 0]
            for name, scores in predictions.items():
                figures_of[name].setdefault(at, []).append(round(np.nan_to_num(spearman(scores, rating)), 4))
    return figures_of


def mixed(name: str, options: argparse.Namespace, origin: Origin) -> dict[str, list[float]]:
    """Return Spearman of `adapted` and `mixture` by target and number of texts; equal texts are one group."""
    rated, columns = sampled(read_named(options.ratings, name), name), column_names(resolve(DEFAULT))
    table = table_of(name, rated.texts, options.work, DEFAULT)
    put_cross_fitted(name, table, rated.texts, columns, options.work)
    groups = np.unique([text.lower().strip() for text in rated.texts], return_inverse=True)[1]
    labels, ends = (rated.ratings > rated.ratings.mean()).astype(np.int64), (rated.ratings.min(), rated.ratings.max())
    data = Rated(rated.texts, table, tuple(columns), labels, rated.ratings, groups, ("", "rated"), ends, True)
    out: dict[str, list[list[float]]] = {}
    splits = fresh_splits(data.target, 0, groups, repeats=options.seeds, test_size=1 / 2, seed=0)
    for seed, (train, test) in enumerate(splits):
        for size, rates in product(FEW, (True, False)):
            part = replace(data.part(some(train, size, seed)), rates=rates)
            if len(train) >= size and np.bincount(part.labels, minlength=2).min() >= RARE:
                learned = [learn(part, Settings(n, seed=seed, origin=origin)) for n in MIXED]
                row = [spearman(one.judge(table[test])[0], rated.ratings[test]) for one in learned]
                out.setdefault(f"{size} {part.learned}", []).append(row)
    return {size: np.nan_to_num(values).mean(axis=0).tolist() for size, values in out.items()}


def gains(results: Mapping[str, Mapping[str, list[float]]]) -> str:
    """Return a table of means over the sets, the smallest gain by the mixture, and the sets that lose by it."""
    rows = []
    for size in (f"{n} {target}" for target in ("ratings", "labels") for n in FEW):
        pairs = np.array([result[size] for result in results.values() if size in result])
        gain = np.diff(pairs)
        values = (*pairs.mean(axis=0), gain.min(), gain.max())
        rows.append([size, len(pairs), *map("{:.3f}".format, values), int((gain < -LOSS).sum())])
    return markdown_table(["texts", "sets", *MIXED, "smallest gain", "largest gain", f"sets that lose {LOSS}"], rows)


def table(by_way: Mapping[str, Mapping[str, list[float]]], n_all: int) -> str:
    """Return a table of means, the best of each column in bold."""
    sizes = list(next(iter(by_way.values())))
    means = {name: [float(np.mean(row[size])) for size in sizes] for name, row in by_way.items()}
    best = [max(row[i] for row in means.values()) for i in range(len(sizes))]
    rows = [
        [name, *(f"**{v:.3f}**" if v == best[i] else f"{v:.3f}" for i, v in enumerate(row))]
        for name, row in means.items()
    ]
    return markdown_table(["", *sizes[:-1], f"all ({n_all:,})"], rows)


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "--work")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--mixture", action="store_true")
    options = parser.parse_args()
    teaching = pool(options.ratings, options.corpora, options.work)
    if options.mixture:
        by_set, command = {}, f"python -m benchmarks.small_data RATINGS CORPORA --mixture --seeds {options.seeds}"
        for name in SETS:  # a run that is cut short leaves the sets before it
            by_set[name] = mixed(name, options, without(teaching, [name]))
            write("mixture", "The mixture on few ratings", gains(by_set), {"spearman": by_set}, command=command)
        return
    sections, results = [], {}
    for name, parts in FILES_OF_SETS.items():
        rated_set = read_rated_set(name, options.ratings, options.work)
        results[name] = figures_of = measured(rated_set, without(teaching, parts), options.seeds)
        sections.append(f"## {name}\n\n{table(figures_of, round(len(rated_set.data) * 2 / 3))}")
    write(
        "small_data",
        "Training with few ratings",
        "\n".join(sections),
        {"spearman": results},
        command=f"python -m benchmarks.small_data RATINGS CORPORA --seeds {options.seeds}",
        seeds=options.seeds,
        sets={name: list(parts) for name, parts in FILES_OF_SETS.items()},
    )


if __name__ == "__main__":
    main()
