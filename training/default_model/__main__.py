"""Rebuild the default model: ``python -m training.default_model RATINGS CORPORA [--work DIR]``.

``--fast`` rebuilds the fast one instead. Prints, for every rated set, what a model that never saw
it says of it, beside the figures of the model that ships now. ``--licensed-only`` learns from sets
with a stated free licence alone and writes to a folder that is named with ``-o``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.features import column_names, resolve
from naturalness.models.learners.compiled import Compiled
from naturalness.parsing import pipeline_checksum
from naturalness.pipelines.card import LIMITS
from naturalness.pipelines.reference import reference_bytes
from naturalness.pipelines.store import Description, assets_of, write_model
from naturalness.resources import load_manifest
from training.default_model.measure import (
    FIGURES,
    Figures,
    Material,
    figures_by_set,
    means,
    read_material,
)
from training.default_model.products import PRODUCTS, Product
from training.default_model.recipe import (
    DAMAGE_WEIGHT,
    PENALTY,
    Pool,
    background,
    calibrated,
    pool_of,
)
from training.default_model.sets import MAIN, SETS, teaching
from training.manifest import ASSETS, CORPORA, record


def last_figures(asset_name: str) -> Figures:
    """Figures of the model that ships now; empty before the first."""
    asset = load_manifest().get(asset_name)
    return dict(asset.figures.get("sets", {})) if asset else {}


def show(figures: Figures, last: Figures) -> None:
    """A line per set, this model's figures and in brackets the last one's."""
    print(f"{'left out':18}" + "".join(f"{name:>26}" for name in FIGURES))
    for name, row in [*figures.items(), ("mean of eight", means(figures))]:
        old = last.get(name) or (means(last) if name == "mean of eight" and last else {})
        cells = [f"{row[f]:+.3f}" + (f" ({old[f]:+.3f})" if f in old else "") for f in FIGURES]
        print(f"{name:18}" + "".join(f"{cell:>26}" for cell in cells))


def sources(names: Sequence[str], material: Material) -> list[dict[str, Any]]:
    """The sets and corpora that taught, with their licences."""
    sets = [
        {"name": name, "licence": SETS[name].licence, "texts": len(material.rated[name].texts)}
        for name in names
    ]
    return [*sets, *map(dict, CORPORA)]


def card(product: Product, names: Sequence[str], material: Material, figures: Figures) -> str:
    """The model's card."""
    rows = [
        f"| {name} | {row['n']:,} | " + " | ".join(f"{row[f]:.2f}" for f in FIGURES)
        + f" | {'yes' if name in names else 'no'} |"
        for name, row in figures.items()
    ]  # fmt: skip
    mean = means(figures)
    listed = [f"- {s['name']}: {s['licence']}" for s in sources(names, material)]
    return "\n".join([
        f"# {product.title}", "",
        "For English sentences and short texts of any kind, without ratings of your own. Its "
        "score is the probability that people rate a text in the better half of texts like it; "
        "ratings of your own domain make a better model: `naturalness train`.", "",
        f"A linear function of {product.reads}, learned from "
        "differences within rated sets (ratings as ranks within their set, every family of sets "
        "the same weight) and between corpus sentences and the same with one to three damages "
        f"(the weight of {DAMAGE_WEIGHT:g} families). Ridge penalty {PENALTY:g}. The sigmoid was "
        "learned on families that were left out.", "",
        "## How good", "",
        "Each set judged by a model that learned from none of its family. Mean of the eight main "
        f"sets ({', '.join(MAIN)}): Spearman {mean['spearman']:.3f}, given length "
        f"{mean['spearman_given_length']:.3f}, Pearson {mean['pearson']:.3f}.", "",
        "Without any rating, SLOR of the shipped model of words has a mean Spearman of .28 on "
        f"{', '.join(MAIN[:5])} (benchmarks/results/language.md), this model "
        f"{np.mean([figures[name]['spearman'] for name in MAIN[:5]]):.2f}.", "",
        "| left out | texts | Spearman | given length | Pearson | teaches |",
        "| --- | ---: | ---: | ---: | ---: | --- |", *rows, "",
        "## Learned from", "",
        "No text of these is in the model; sets without a stated licence lend weights alone.", "",
        *listed, "",
        "## Limits", "", *(f"- {limit}" for limit in LIMITS), "",
    ])  # fmt: skip


def describe(
    product: Product, compiled: Compiled, names: Sequence[str], material: Material
) -> Description:
    """The manifest's entries."""
    groups = tuple(group.name for group in resolve(product.groups))
    return Description(
        kind="classifier",
        groups=groups,
        columns=tuple(column_names(resolve(product.groups))),
        nlp="en",
        pipeline=pipeline_checksum(),
        assets=assets_of(groups),
        classes=("unnatural", "natural"),
        threshold=0.5,
        scale=(0.0, 1.0),
        units=tuple(compiled.kinds()),
        learner="pooled ridge",
        parameters={"penalty": PENALTY, "damage_weight": DAMAGE_WEIGHT},
        training={"sources": sources(names, material), "command": product.command},
    )


def save(
    output: Path, product: Product, names: Sequence[str], material: Material, pool: Pool,
    figures: Figures,
) -> None:  # fmt: skip
    """Write the folder, and its entry in the manifest where it is the one that ships."""
    compiled = calibrated(pool)
    taught = np.vstack([material.tables[name] for name in names])
    write_model(
        output,
        describe(product, compiled, names, material),
        compiled,
        texts=[text for name in names for text in material.rated[name].texts],
        background=background(pool, compiled),
        pages={
            "card.md": card(product, names, material, figures).encode(),
            "metrics.json": (json.dumps({"left_out": figures, "mean_of_eight": means(figures)},
                                        indent=1) + "\n").encode(),
            "reference.parquet": reference_bytes(
                taught, column_names(resolve(product.groups))
            ),
        },
        force=True,
    )  # fmt: skip
    if output == ASSETS / product.asset:
        record(
            product.asset,
            kind="model",
            description=product.description,
            licence="CC BY-SA 4.0",
            sources=[{k: str(v) for k, v in s.items() if k != "texts"}
                     for s in sources(names, material)],
            command=product.command,
            path=product.asset,
            figures={"mean of eight sets left out": means(figures), "sets": figures},
        )  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path, help="keeps feature tables between runs")
    parser.add_argument("--fast", action="store_true", help="the model that reads cheap groups")
    parser.add_argument("--licensed-only", action="store_true")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    product = PRODUCTS["fast" if given.fast else "default"]
    output = given.output or ASSETS / product.asset
    if given.licensed_only and output == ASSETS / product.asset:
        parser.error("--licensed-only needs -o FOLDER: it does not replace the shipped model")
    material = read_material(given.ratings, given.corpora, given.work, groups=product.groups)
    names = teaching(licensed_only=given.licensed_only)
    pool = pool_of(
        material.rated, material.tables, material.damaged, teaching=names,
        columns=material.columns,
    )  # fmt: skip
    figures = figures_by_set(material, pool)
    show(figures, last_figures(product.asset))
    save(output, product, names, material, pool, figures)


if __name__ == "__main__":
    main()
