"""The rated sets that a simulated rater answers from: measured, and parted by their sources."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness import load_model
from naturalness.arrays import BoolArray, FloatArray
from naturalness.features.measuring import measure
from naturalness.features.store.folder import FeatureStore
from naturalness.studio.annotate.asking.pool import Pool
from training.default_model.sets import SETS

Row = Mapping[str, str]
TEST = 1 / 3
"""Share of the texts that is never asked about."""


def _by_source(row: Row) -> str:
    """What a system was asked to say: systems answer the same one."""
    return row["source"]


def _by_original(row: Row) -> str:
    """A sentence and its four round trips through other languages stand 500 rows apart."""
    return str(int(row["id"].rpartition("-")[2]) % 500)


def _by_text(row: Row) -> str:
    return row["text"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Which files make a set, and what must not straddle the pool and the test."""

    files: tuple[str, ...]
    source: Callable[[Row], str]


ENTRIES: Mapping[str, Entry] = {
    "GUG": Entry(("GUG",), _by_text),
    "SFHOTEL + SFREST": Entry(("SFHOTEL", "SFREST"), _by_source),
    "Lau BNC": Entry(("Lau BNC",), _by_original),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """A set with its features."""

    texts: tuple[str, ...]
    ratings: FloatArray
    sources: np.ndarray
    """A number for each text."""
    table: FloatArray
    columns: tuple[str, ...]

    @property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest rating."""
        return float(self.ratings.min()), float(self.ratings.max())


@dataclass(frozen=True, slots=True)
class Parted:
    """What is asked about, and what the models are judged by."""

    pool: Pool
    ratings: FloatArray
    test: FloatArray
    truth: FloatArray


def read_sets(ratings: Path, work: Path | None) -> dict[str, Measured]:
    """All sets, measured with the groups of the default model; features are kept in ``work``. Its
    score is no feature: it was taught with these very ratings.
    """
    description = load_model("default").saved.description
    store = FeatureStore(work).check() if work is not None else None
    out = {}
    for name, entry in ENTRIES.items():
        rows = [(file, row) for file in entry.files for row in _rows(ratings / SETS[file].file)]
        texts = tuple(row["text"] for _, row in rows)
        print(f"measuring {name}: {len(texts):,} texts", flush=True)
        measured = measure(texts, description.groups, nlp=description.nlp, store=store)
        sources = [f"{file} {entry.source(row)}" for file, row in rows]
        out[name] = Measured(
            texts,
            np.array([float(row["rating"]) for _, row in rows]),
            np.unique(sources, return_inverse=True)[1],
            measured.table,
            tuple(description.columns),
        )
    return out


def _rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if row["rating"] and row["text"].strip()]


def part(data: Measured, seed: int) -> Parted:
    """A third of the texts, whole sources, is kept as the true test."""
    order = np.random.default_rng(1000 + seed).permutation(data.sources.max() + 1)
    many = np.cumsum(np.bincount(data.sources)[order])
    apart = order[: int(np.searchsorted(many, TEST * len(data.texts))) + 1]
    test: BoolArray = np.isin(data.sources, apart)
    texts = tuple(text for text, out in zip(data.texts, test, strict=True) if not out)
    pool = Pool(texts, data.table[~test], data.columns, np.ones(len(texts), dtype=np.bool_))
    return Parted(pool, data.ratings[~test], data.table[test], data.ratings[test])
