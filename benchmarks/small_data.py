"""How good does a model become with 50, 100 … ratings? Features, embeddings, words, and both.

`python -m benchmarks.small_data RATINGS CORPORA [--work DIR] [--seeds 5]`: of each set a third is
kept apart, sources whole; from the rest so many texts teach. Spearman of score and rating on the
third, mean over the seeds (0 to 4). All ways learn from the same texts. `adapted` starts from the
default recipe trained without the set and its family; the row "no ratings" is that model as it is.
Where a model tells all texts the same, nothing was learned, and its figure counts as 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from benchmarks.own_sets import FILES_OF_SETS, RatedSet, pool, read_rated_set, some, without
from benchmarks.report import context, markdown_table, write
from naturalness.pipelines.baselines import tf_idf
from naturalness.pipelines.evaluation import CHANCE
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated, learn
from naturalness.pipelines.warm_start import Origin
from naturalness.statistics.correlation import spearman
from naturalness.statistics.folds import fresh_splits
from training.arguments import command_parser

SIZES = (50, 100, 200, 400, 800, None)
NGRAMS = ("word_lm__", "piece_lm__", "tag_lm__")
ADAPTED, RIDGE = "adapted", "logistic-l2"
View = Callable[[RatedSet], Rated]


def language(rated_set: RatedSet) -> Rated:
    """Return the set with the n-gram scores alone."""
    names = [i for i, name in enumerate(rated_set.data.columns) if name.startswith(NGRAMS)]
    return rated_set.data.with_columns(names)


WAYS: Mapping[str, tuple[View, str]] = {
    "the default's features, from the shipped model (`adapted`)": (RatedSet.with_default, ADAPTED),
    "features, from the shipped model (`adapted`)": (RatedSet.with_features, ADAPTED),
    "features (ridge)": (RatedSet.with_features, RIDGE),
    "features and embedding (`adapted`)": (RatedSet.with_both, ADAPTED),
    "features and embedding (ridge)": (RatedSet.with_both, RIDGE),
    "embedding alone (ridge)": (RatedSet.with_embedding, RIDGE),
    "n-gram scores alone (ridge)": (language, RIDGE),
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
            at = "all" if size is None else str(size)
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
                value = spearman(scores, rating)
                figures_of[name].setdefault(at, []).append(round(value, 4) if value == value else CHANCE["spearman"])
            print(".", end="", file=sys.stderr, flush=True)
    return figures_of


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
    """Command line."""
    parser = command_parser(__doc__, "ratings", "corpora")
    parser.add_argument("--work", type=Path, help="keeps feature tables between runs")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    teaching = pool(options.ratings, options.corpora, options.work)
    sections, results = [], {}
    for name, parts in FILES_OF_SETS.items():
        rated_set = read_rated_set(name, options.ratings, options.work)
        figures_of = measured(rated_set, without(teaching, parts), options.seeds)
        results[name] = figures_of
        sections.append(f"## {name}\n\n{table(figures_of, round(len(rated_set.data) * 2 / 3))}")
        print(f"\n{sections[-1]}", flush=True)
    about = context(
        command="python -m benchmarks.small_data RATINGS CORPORA",
        seeds=options.seeds,
        sets={name: list(parts) for name, parts in FILES_OF_SETS.items()},
    )
    write("small_data", "Training with few ratings", "\n".join(sections), {"context": about, "spearman": results})


if __name__ == "__main__":
    main()
