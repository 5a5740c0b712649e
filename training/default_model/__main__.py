"""Rebuild the default model: ``python -m training.default_model RATINGS CORPORA TREEBANKS --work DIR``.

DIR keeps feature tables for the next run and, for the fast model, has the ratings by folds (`training.reader.heads`).

``--fast`` rebuilds the fast model instead. Prints the mean correlation of eight rated sets, each judged by a model
trained without it. ``--card`` trains nothing and rewrites the card with the latest figures of `benchmarks.leave_out`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features import column_names, resolve
from naturalness.features.requirements import versions_of
from naturalness.judging.folder import Description, write_model
from naturalness.judging.hashes import known_texts
from naturalness.judging.people import PEOPLE, people_bytes
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.verdict import graded
from naturalness.text.parsing import pipeline_checksum
from training.arguments import command_parser
from training.default_model.card import card, note, rewrite
from training.default_model.measure import (
    Figures,
    Material,
    figures_by_set,
    means,
    measure_people,
    read_material,
    table_of,
)
from training.default_model.products import PRODUCTS, Product
from training.default_model.recipe import DAMAGE_WEIGHT, DEPARTURE, PENALTY, Pool, background, calibrated
from training.default_model.sets import SETS, read_named, teaching, teaching_readers
from training.manifest import CORPORA


def sources(names: Sequence[str], material: Material) -> list[dict[str, Any]]:
    """Return the training sets and corpora with their licences."""
    sets = [{"name": name, "licence": SETS[name].licence, "texts": len(material.rated[name].texts)} for name in names]
    return [*sets, *map(dict, CORPORA)]


def describe(product: Product, compiled: Compiled, names: Sequence[str], material: Material) -> Description:
    """Return the entries of the model's manifest."""
    resolved = resolve(product.groups)
    return Description(
        kind="classifier",
        groups=tuple(group.name for group in resolved),
        columns=tuple(column_names(resolved)),
        nlp="en",
        pipeline=pipeline_checksum(),
        assets=versions_of(resolved),
        classes=("unnatural", "natural"),
        threshold=0.5,
        scale=(0.0, 1.0),
        units=tuple(compiled.kinds()),
        learner="pooled ridge",
        parameters={"penalty": PENALTY, "departure": DEPARTURE, "damage_weight": DAMAGE_WEIGHT},
        training={"sources": sources(names, material), "command": product.command},
    )


def scores_of(compiled: Compiled, table: FloatArray) -> FloatArray:
    """Return the naturalness of the rows that can be judged."""
    return graded(compiled.decide(table[~np.isnan(table).all(axis=1)]))


def save(
    output: Path,
    product: Product,
    names: Sequence[str],
    material: Material,
    people: Mapping[str, FloatArray],
    pool: Pool,
    figures: Figures,
    ratings: Path,
    usual: FloatArray,
) -> None:
    """Write the folder, and its manifest entry if it is the shipped model.

    ``usual`` has the training texts' features as the shipped networks give them; unusual texts are recognised by it.
    """
    compiled = calibrated(pool)
    write_model(
        output,
        describe(product, compiled, names, material),
        compiled,
        # Of these the rating head learned more than the linear model.
        seen=known_texts(text for name in teaching_readers() for text in read_named(ratings, name).texts),
        background=background(pool, compiled, usual),
        pages={
            "card.md": card(product, names, sources(names, material), figures).encode(),
            "metrics.json": (
                json.dumps({"left_out": figures, "mean_of_eight": means(figures)}, indent=1) + "\n"
            ).encode(),
            PEOPLE: people_bytes({name: scores_of(compiled, table) for name, table in people.items()}),
        },
        force=True,
    )
    if output.resolve() == product.folder.resolve():
        summary = {"mean of eight sets left out": means(figures), "sets": figures}
        note(product, sources(names, material), summary)


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "treebanks", work=True)
    parser.add_argument("--fast", action="store_true", help="the model that reads cheap groups")
    parser.add_argument("--card", action="store_true", help="write the shipped card anew")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    product = PRODUCTS["fast" if args.fast else "default"]
    output = args.output or product.folder
    if args.card:
        rewrite(product)
        return
    material = read_material(args.ratings, args.corpora, args.work, groups=product.groups)
    names = teaching()
    pool = material.pool(names)
    figures = figures_by_set(material, pool)
    print(json.dumps(means(figures), indent=1))
    people = measure_people(material, args.corpora, args.treebanks, args.work, product.groups)
    usual = np.vstack([table_of(name, material.rated[name].texts, args.work, product.groups) for name in names])
    save(output, product, names, material, people, pool, figures, args.ratings, usual)


if __name__ == "__main__":
    main()
