"""Which of the costly groups the default model needs.

`python -m benchmarks.group_sets RATINGS CORPORA [--work DIR]`: the groups of all shipped models (`COMMON`) with every
choice of those that read networks or trees. Figures: mean Spearman of the recipe of `training.default_model` over six
and over eight sets that were left out, and mean five-fold Pearson of ridge regression trained on five sets. The model
reads the choice with the fewest networks, then the fewest groups, of those whose three figures are each within .003
of the best in their column. ``--of MODEL``: print the figures of what a shipped model reads, which takes half the
time.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from itertools import chain, combinations
from pathlib import Path

import numpy as np

from benchmarks.ablation import columns_of, judged
from benchmarks.constituency_features import five_fold
from benchmarks.report import context, markdown_table, write
from naturalness.features import COMMON, GROUPS, LIGHT, NETWORKS
from training.default_model.measure import Material, read_material
from training.default_model.products import PRODUCTS
from training.default_model.sets import MAIN, SIX

FOLDED = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST")
NAMES = ("six left out", "eight left out", "five folds")
SLACK = 0.003
COSTLY = tuple(name for name in GROUPS if name not in LIGHT)


def figures(material: Material, columns: Sequence[int]) -> tuple[float, ...]:
    """The three means of a model over these columns, by `NAMES`."""
    by_set = judged(material, columns)
    folded = [five_fold(material.tables[name][:, columns], material.rated[name].ratings) for name in FOLDED]
    print(*(f"{name} {value:.3f}" for name, value in zip(FOLDED, folded, strict=True)))
    means = [np.mean([by_set[name]["spearman"] for name in sets]) for sets in (SIX, MAIN)]
    return (*map(float, means), float(np.mean(folded)))


def networks(names: Collection[str]) -> int:
    """Networks that these groups read, each once."""
    return len(NETWORKS & {need.name for name in names for need in GROUPS[name].requires})


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--of", choices=PRODUCTS, help="print the figures of what this shipped model reads")
    options = parser.parse_args()
    groups = PRODUCTS[options.of].groups if options.of else tuple(GROUPS)
    material = read_material(options.ratings, options.corpora, options.work, groups=groups)
    if options.of:
        measured = figures(material, range(len(material.columns)))
        print(*(f"{name}: {value:.3f}" for name, value in zip(NAMES, measured, strict=True)), sep="\n")
        return
    places = columns_of()
    by_choice = {}
    for some in chain.from_iterable(combinations(COSTLY, n) for n in range(len(COSTLY) + 1)):
        names = {*COMMON, *some}
        by_choice[some] = figures(material, [i for name in GROUPS if name in names for i in places[name]])
        print(*(f"{value:.3f}" for value in by_choice[some]), *some, flush=True)
    best = np.max(list(by_choice.values()), axis=0)
    near = [some for some, values in by_choice.items() if (best - values <= SLACK).all()]
    chosen = min(near, key=lambda some: (networks(some), len(some)), default=COSTLY)
    rows = [
        [
            ("**" + ", ".join(some) + "**" if some == chosen else ", ".join(some)) or "none",
            networks(some),
            *(f"{value:.3f}" for value in values),
        ]
        for some, values in by_choice.items()
    ]
    table = markdown_table(["groups beside those of all models", "networks", *NAMES], rows)
    note = (
        f"Means over {', '.join(SIX)}; over these, E2E and SummEval; five-fold Pearson over {', '.join(FOLDED)}. "
        "In bold: the fewest networks, then the fewest groups, of those within .003 of the best everywhere.\n\n"
    )
    about = context(command="python -m benchmarks.group_sets RATINGS CORPORA", seed=0)
    data = {
        "context": about,
        "chosen": list(chosen),
        "figures": {", ".join(some): dict(zip(NAMES, values, strict=True)) for some, values in by_choice.items()},
    }
    write("group_sets", "Which of the costly groups the default model needs", note + table, data)


if __name__ == "__main__":
    main()
