"""Read everything, measure every set with a model that never saw it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.features import column_names, resolve
from naturalness.models.learners.prepared import FloatArray
from naturalness.pipelines.measures import partial_spearman, pearson, spearman
from naturalness.pipelines.measuring import measure
from naturalness.pipelines.store import assets_of
from naturalness.resources import load_manifest
from training.default_model.damage import Damaged, build
from training.default_model.recipe import DAMAGE, Pool, judged_by_leaving_out
from training.default_model.sets import MAIN, SETS, Ratings, read_set

FIGURES = ("spearman", "spearman_given_length", "pearson")
Figures = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Material:
    """All rated sets, the damaged sentences, and the feature table of each."""

    rated: Mapping[str, Ratings]
    damaged: Damaged
    tables: Mapping[str, FloatArray]


def read_material(
    ratings: Path, corpora: Path, work: Path | None, seed: int = 0,
    groups: Sequence[str] | None = None,
) -> Material:  # fmt: skip
    """Read, damage and measure; tables are kept in ``work``, named by texts, assets and columns."""
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
    rated = {name: read_set(ratings / entry.file) for name, entry in SETS.items()}
    damaged = build(corpora, seed)
    texts = {**{name: r.texts for name, r in rated.items()}, DAMAGE: damaged.texts}
    tables = {name: table_of(name, t, work, groups) for name, t in texts.items()}
    return Material(rated, damaged, tables)


def table_of(
    name: str, texts: Sequence[str], work: Path | None, groups: Sequence[str] | None = None
) -> FloatArray:
    """The features of a set's texts, of the groups that ship or of those named."""
    assets = sorted(load_manifest().items())
    made = [asset.checksum for _, asset in assets if asset.kind != "model"]
    made += [f"{group}:{assets_of([group])}" for group in groups or ("rules",)]
    made += column_names(resolve(groups))
    key = hashlib.sha256("\n".join([*texts, *made]).encode("utf-8", "replace")).hexdigest()[:16]
    kept = None if work is None else work / f"features-{key}.npy"
    if kept is not None and kept.exists():
        table: FloatArray = np.load(kept, allow_pickle=False)
        return table
    print(f"measuring {name}: {len(texts):,} texts", flush=True)
    found = measure(list(texts), groups, nlp="en").table
    if kept is not None:
        np.save(kept, found)
    return found


def figures_by_set(material: Material, pool: Pool) -> Figures:
    """Correlations of each set's ratings with scores of a model that left its family out."""
    out: Figures = {}
    for name, rated in material.rated.items():
        margins = judged_by_leaving_out(name, pool, material.tables[name])
        length = np.array([len(text.split()) for text in rated.texts], dtype=np.float64)
        out[name] = {
            "n": len(rated.texts),
            "spearman": round(spearman(margins, rated.ratings), 3),
            "spearman_given_length": round(partial_spearman(margins, rated.ratings, length), 3),
            "pearson": round(pearson(margins, rated.ratings), 3),
        }
    return out


def means(figures: Figures) -> dict[str, float]:
    """Means over the eight main sets."""
    return {
        name: round(float(np.mean([figures[which][name] for which in MAIN])), 3) for name in FIGURES
    }
