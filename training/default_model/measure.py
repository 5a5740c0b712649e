"""Read all sets, and evaluate each with a model trained without it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features import GROUPS, column_names, resolve
from naturalness.features.measuring import measure
from naturalness.features.requirements import versions_of
from naturalness.judging.people import LEARNERS
from naturalness.statistics.correlation import partial_spearman, pearson, ranks, spearman
from naturalness.text.parsing import pipeline_checksum
from training.default_model.damage import Damaged, build
from training.default_model.people import LEARNERS_SET, sentences_by_people
from training.default_model.recipe import DAMAGE, Pool, judged_by_leaving_out, pool_of
from training.default_model.sets import LARGEST, MAIN, SETS, Ratings, key_of, read_named, teaching
from training.reader.folds import FOLDS, WIDE, columns_by_text

FIGURES: Mapping[str, str] = {
    "spearman": "Spearman",
    "spearman_given_length": "given length",
    "spearman_given_both": "given length and word frequency",
    "pearson": "Pearson",
}
"""Figures of a set, and their headings in tables."""
FREQUENCY = "readability__zipf_mean"
"""Mean log frequency of the known words."""
Figures = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Material:
    """All rated sets, the damaged sentences, and the feature table of each, its columns named."""

    rated: Mapping[str, Ratings]
    damaged: Damaged
    tables: Mapping[str, FloatArray]
    columns: tuple[str, ...]
    frequency: Mapping[str, FloatArray]
    """Mean word frequency of each text; the median where no word is known."""

    def pool(self, names: Sequence[str] | None = None) -> Pool:
        """Return the training rows of the named sets, or of all training sets, and the damaged sentences."""
        chosen = teaching() if names is None else names
        return pool_of(self.rated, self.tables, self.damaged, teaching=chosen, columns=self.columns)


def read_material(ratings: Path, corpora: Path, work: Path | None, groups: Sequence[str] | None = None) -> Material:
    """Read, damage and measure; tables are kept in ``work``, named by texts, assets and columns.

    Columns of networks that ratings taught come from networks that never saw a text's family: those of the wide
    detector from ``columns.npz`` of `training.reader`, ratings of the narrow one from ``rating_fast.npz`` in ``work``,
    which `training.reader.heads` writes.
    """
    rated = {name: sampled(read_named(ratings, name), name) for name in SETS}
    damaged = build(corpora)
    texts = {**{name: r.texts for name, r in rated.items()}, DAMAGE: damaged.texts}
    tables = {name: table_of(name, t, work, groups) for name, t in texts.items()}
    columns = tuple(column_names(resolve(groups)))
    for name in rated:
        put_cross_fitted(name, tables[name], rated[name].texts, columns, work)
    column = columns.index(FREQUENCY)
    known = {name: tables[name][:, column] for name in rated}
    frequency = {name: np.where(np.isnan(v), np.nanmedian(v), v) for name, v in known.items()}
    return Material(rated, damaged, tables, columns, frequency)


def sampled(rated: Ratings, name: str) -> Ratings:
    """Return the set, or a sample if it is large and used only for training."""
    if name in (*MAIN, "CoLA") or len(rated.texts) <= LARGEST:
        return rated
    chosen = np.sort(np.random.default_rng(0).choice(len(rated.texts), LARGEST, replace=False))
    return Ratings(tuple(rated.texts[i] for i in chosen), rated.ratings[chosen])


def put_cross_fitted(
    name: str, table: FloatArray, texts: Sequence[str], columns: Sequence[str], work: Path | None
) -> None:
    """Replace the columns of texts that are in a fold by those of networks that never saw their family.

    A linear model must not learn from columns that are more accurate than those of new texts.
    """
    if not any(SETS[name].family in fold for fold in FOLDS):
        return
    wide = column_names(resolve(WIDE))
    read = [i for i, column in enumerate(wide) if column in columns]
    places = [columns.index(wide[i]) for i in read]
    narrow = [at for at, column in enumerate(columns) if column.startswith("rating_fast__")]
    for i, key in enumerate(map(key_of, texts)):
        if places:
            table[i, places] = columns_by_text()[key][read]
        for at in narrow:
            table[i, at] = ratings_by_folds(work)[key]


@cache
def ratings_by_folds(work: Path | None) -> Mapping[int, float]:
    """Return the rating of each text by its key; the narrow rating head never saw its family."""
    path = (work or Path()) / "rating_fast.npz"
    if not path.exists():
        raise SystemExit(
            f"{path} is not there, which `python -m training.reader.heads` writes; name its folder as --work"
        )
    with np.load(path, allow_pickle=False) as stored:
        return dict(zip(stored["keys"].tolist(), stored["rating"].tolist(), strict=True))


def measure_people(
    material: Material, corpora: Path, treebanks: Path, work: Path | None, groups: Sequence[str] | None = None
) -> dict[str, FloatArray]:
    """Return the feature table of human-written sentences by register, without training sentences."""
    texts = sentences_by_people(corpora, treebanks, set(material.damaged.texts))
    tables = {name: table_of(name, t, work, groups) for name, t in texts.items()}
    return {**tables, LEARNERS: material.tables[LEARNERS_SET]}


def table_of(name: str, texts: Sequence[str], work: Path | None, groups: Sequence[str] | None = None) -> FloatArray:
    """Return the features of a set's texts, of the named groups or, by default, of the shipped ones."""
    origin = [pipeline_checksum("en"), *(f"{group}:{versions_of(resolve([group]))}" for group in groups or GROUPS)]
    origin += column_names(resolve(groups))
    key = hashlib.sha256("\n".join([*texts, *origin]).encode("utf-8", "replace")).hexdigest()[:16]
    path = None if work is None else work / f"features-{key}.npy"
    if path is not None and path.exists():
        table: FloatArray = np.load(path, allow_pickle=False)
        return table
    print(f"measuring {name}: {len(texts):,} texts", flush=True)
    measured = measure(list(texts), groups, nlp="en").table
    if path is not None:
        np.save(path, measured)
    return measured


def figures_by_set(material: Material, pool: Pool) -> Figures:
    """Return correlations of each set's ratings with a model trained without its family."""
    return {
        name: figures_of(material, name, judged_by_leaving_out(name, pool, material.tables[name]))
        for name in material.rated
    }


def figures_of(material: Material, name: str, margins: FloatArray) -> dict[str, float]:
    """Return correlations of a set's ratings with a model's margins."""
    rated, frequency = material.rated[name], material.frequency[name]
    length = np.array([len(text.split()) for text in rated.texts], dtype=np.float64)
    correlations = {
        "spearman": spearman(margins, rated.ratings),
        "spearman_given_length": partial_spearman(margins, rated.ratings, length),
        "spearman_given_both": partial_spearman_of_all(margins, rated.ratings, length, frequency),
        "pearson": pearson(margins, rated.ratings),
    }
    return {"n": len(rated.texts), **{key: round(value, 3) for key, value in correlations.items()}}


def partial_spearman_of_all(x: FloatArray, y: FloatArray, *known_columns: FloatArray) -> float:
    """Return the partial rank correlation of x and y, -1..1: that of the residuals of their ranks on the others'.

    For a single other column it equals `partial_spearman`.
    """
    known = np.column_stack([np.ones(len(x)), *map(ranks, known_columns)])
    left = [ranks(v) - known @ np.linalg.lstsq(known, ranks(v), rcond=None)[0] for v in (x, y)]
    return pearson(*left)


def means(figures: Figures) -> dict[str, float]:
    """Return the means, over the eight main sets, of the figures that all of them have."""
    main = [figures[which] for which in MAIN]
    names = [name for name in FIGURES if all(name in row for row in main)]
    return {name: round(float(np.mean([row[name] for row in main])), 3) for name in names}
