"""What constituency features tell apart: damaged from real, learners' from well-rated sentences.

`python -m benchmarks.constituency_features CORPORA RATINGS`: corpus sentences from the held-out
`.dev` files, each beside itself with one damage of one kind; GUG's sentences with a mean rating of
3.5 or more against the others (its own binary task). Area under the curve: the share of pairs where
the natural one has the higher value, so below .5 a high value marks the unnatural. No training
there. Then, on GUG, five-fold Pearson of ridge regression on each group of features, and on all.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.model_selection import KFold, cross_val_predict

from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.features import GROUPS, column_names, extract, resolve
from naturalness.pipelines.regressor import NaturalnessRegressor
from naturalness.research.generating import KINDS, damage_docs
from naturalness.statistics.correlation import pearson
from naturalness.statistics.measures import roc_auc
from naturalness.text.parsing import parse
from training.default_model.sets import read_set

SHOWN = (
    "parser_logprob_word",
    "rules_logprob_word",
    "words_logprob_word",
    "reranker_logprob_word",
    "nbest_skew",
    "nbest_kurtosis",
    "nbest_entropy",
    "nbest_margin",
    "nbest_mass",
    "root_clause",
    "root_fragment",
)
GUG = "gug.grammaticality.tsv"
TOP = 3.5
SEED = 0


def held_out(corpora: Path, per_register: int) -> list[str]:
    """The first sentences of ordinary length of each register's held-out part."""
    texts: list[str] = []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = [line.strip() for line in file]
        texts += [line for line in lines if 6 <= len(line.split()) <= 35][:per_register]
    return texts


def measured(texts: Sequence[str], names: Sequence[str] | None = ("constituency",)) -> FloatArray:
    """Values of the groups, in batches."""
    groups = resolve(names)
    blocks = [extract(parse(texts[i : i + 512]), groups) for i in range(0, len(texts), 512)]
    return np.vstack(blocks)


def areas(natural: FloatArray, other: FloatArray) -> dict[str, float]:
    """Area under the curve of each feature shown, over rows where it is defined."""
    columns = [name.partition("__")[2] for name in column_names(resolve(["constituency"]))]
    by_name = {}
    for name in SHOWN:
        at = columns.index(name)
        values = np.concatenate([natural[:, at], other[:, at]])
        positive = np.arange(len(values)) < len(natural)
        defined = ~np.isnan(values)
        by_name[name] = roc_auc(values[defined], positive[defined])
    return by_name


def damage_areas(corpora: Path, per_register: int) -> dict[str, tuple[int, dict[str, float]]]:
    """For each kind of damage: pairs, and the area of each feature."""
    texts = held_out(corpora, per_register)
    plain = measured(texts)
    docs = parse(texts)
    by_kind = {}
    for kind in KINDS:
        damaged = list(damage_docs(docs, kinds=[kind], seed=SEED))
        changed = [i for i, d in enumerate(damaged) if d.damages]
        other = measured([damaged[i].text for i in changed])
        by_kind[kind] = (len(changed), areas(plain[changed], other))
    return by_kind


def five_fold(table: FloatArray, ratings: FloatArray) -> float:
    """Pearson of out-of-fold predictions with ratings."""
    model = NaturalnessRegressor(learner="logistic-l2", random_state=SEED)  # ridge, for ratings
    folds = KFold(5, shuffle=True, random_state=SEED)
    return pearson(cross_val_predict(model, table, ratings, cv=folds), ratings)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--per-register", type=int, default=60)
    options = parser.parse_args()
    by_kind = damage_areas(options.corpora, options.per_register)
    gug = read_set(options.ratings / GUG)
    table = measured(gug.texts, None)
    columns = column_names(resolve(None))
    indices = [i for i, name in enumerate(columns) if name.startswith("constituency__")]
    top = gug.ratings >= TOP
    rows: list[list[object]] = [[f"damage: {kind}", n, *figures.values()] for kind, (n, figures) in by_kind.items()]
    learners = areas(table[top][:, indices], table[~top][:, indices])
    rows.append(["GUG: rated 3.5 or more, against the rest", len(table), *learners.values()])
    shown = markdown_table(["natural against", "texts", *SHOWN], rows)
    groups = {}
    for name in GROUPS:
        at = [i for i, column in enumerate(columns) if column.startswith(f"{name}__")]
        groups[name] = five_fold(table[:, at], gug.ratings)
    others = [i for i in range(len(columns)) if i not in indices]
    groups["all but constituency"] = five_fold(table[:, others], gug.ratings)
    groups["all"] = five_fold(table, gug.ratings)
    shown += "\n" + markdown_table(
        ["features, GUG, five folds", "Pearson"], [[name, value] for name, value in groups.items()]
    )
    about = context(
        command="python -m benchmarks.constituency_features CORPORA RATINGS",
        seed=SEED,
        per_register=options.per_register,
    )
    data = {
        "context": about,
        "damage": {kind: {"pairs": n, **figures} for kind, (n, figures) in by_kind.items()},
        "gug": learners,
        "gug_pearson": groups,
    }
    write("constituency_features", "What constituency features tell apart", shown, data)


if __name__ == "__main__":
    main()
