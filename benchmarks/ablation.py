"""What each feature group is worth.

`python -m benchmarks.ablation RATINGS CORPORA [--work DIR] [--apart]`: the recipe of
`training.default_model` on each of the eight main sets, trained without its family, as in
`benchmarks.leave_out`; with one group alone, with all groups but one, and without both contextual
models. With ``--apart`` also what the groups over programs that are installed apart (LanguageTool,
Link Grammar) add to all others: five-fold Pearson of ridge regression on three sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.constituency_features import five_fold
from benchmarks.report import context, markdown_table, write
from naturalness.features import GROUPS
from training.default_model.measure import FIGURES, Figures, Material, figures_by_set, means, read_material, table_of
from training.default_model.recipe import pool_of
from training.default_model.sets import MAIN, teaching

PROGRAMS = ("grammar", "link")
"""Groups over programs; `gleu_link` is made of `gleu` and numbers of `link`."""
CONTEXTUAL = ("damage", "neural_lm")
FOLDED = ("GUG", "Lau BNC", "style transfer")


def judged(material: Material, columns: Sequence[int] | None = None) -> Figures:
    """Figures of the eight main sets by models over some of the columns, or all."""
    if columns is not None:
        tables = {name: table[:, columns] for name, table in material.tables.items()}
        named = tuple(material.columns[i] for i in columns)
        material = replace(material, tables=tables, columns=named)
    pool = pool_of(material.rated, material.tables, material.damaged, teaching=teaching(), columns=material.columns)
    main = {name: rated for name, rated in material.rated.items() if name in MAIN}
    return figures_by_set(replace(material, rated=main), pool)


def columns_of() -> dict[str, list[int]]:
    """Places of each group's columns."""
    columns, at = {}, 0
    for name, group in GROUPS.items():
        columns[name] = list(range(at, at + len(group.features)))
        at += len(group.features)
    return columns


def added(material: Material, work: Path | None) -> list[list[object]]:
    """Five-fold Pearson with and without each group over a program, one row a set."""
    rows: list[list[object]] = []
    for name in FOLDED:
        rated, table = material.rated[name], material.tables[name]
        tables = [table_of(name, rated.texts, work, [group]) for group in PROGRAMS]
        parts = [table, *(np.hstack([table, more]) for more in tables), np.hstack([table, *tables]), *tables]
        rows.append([name, len(rated.texts), *(five_fold(part, rated.ratings) for part in parts)])
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--apart", action="store_true")
    options = parser.parse_args()
    material = read_material(options.ratings, options.corpora, options.work)
    figures_of: dict[str, Figures] = {"all that ship": judged(material)}
    columns = columns_of()
    every = [i for group in columns.values() for i in group]
    for name, indices in columns.items():
        figures_of[f"{name} alone"] = judged(material, indices)
        figures_of[f"without {name}"] = judged(material, [i for i in every if i not in set(indices)])
    gone = {i for name in CONTEXTUAL for i in columns[name]}
    counting = [i for i in every if i not in gone]
    figures_of[f"without {' and '.join(CONTEXTUAL)}"] = judged(material, counting)
    rows = []
    whole = means(figures_of["all that ship"])["spearman"]
    for name, figures in figures_of.items():
        mean = means(figures)
        rows.append([name, *mean.values(), round(mean["spearman"] - whole, 3)])
    table = markdown_table(
        ["features", *FIGURES.values(), "Spearman less that of all"],
        [[row[0], *(f"{value:.3f}" for value in row[1:])] for row in rows],
    )
    note = f"\nMeans over eight sets left out: {', '.join(MAIN)}.\n"
    about = context(command="python -m benchmarks.ablation RATINGS CORPORA --apart", seed=0)
    data: dict[str, object] = {
        "context": about,
        "mean_of_eight": {name: means(f) for name, f in figures_of.items()},
        "sets": figures_of,
    }
    if options.apart:
        header = [
            "five folds, Pearson",
            "texts",
            "all that ship",
            *(f"and {name}" for name in PROGRAMS),
            "and both",
            *(f"{name} alone" for name in PROGRAMS),
        ]
        folded = added(material, options.work)
        data["five_fold"] = [dict(zip(header, row, strict=True)) for row in folded]
        shown = [[row[0], row[1], *(f"{value:.3f}" for value in row[2:])] for row in folded]
        note += "\n" + markdown_table(header, shown)
    write("ablation", "What each feature group is worth", table + note, data)


if __name__ == "__main__":
    main()
