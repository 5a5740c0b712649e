"""Rated sets for the simulated rater: measured, and split by source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.leave_out.rated import rated_rows
from naturalness import load_model
from naturalness.arrays import BoolArray, FloatArray
from naturalness.features.measuring import measure
from naturalness.files.store import MeasurementStore
from naturalness.studio.annotate.asking.pool import Pool

Row = Mapping[str, str]
TEST = 1 / 3
"""Share of the texts held out for testing."""


def _by_source(row: Row) -> str:
    """Return the input of a system's output; several systems answer the same input."""
    return row["source"]


def _by_original(row: Row) -> str:
    """Return the number of the original sentence: its four round-trip translations stand 500 rows apart."""
    return str(int(row["id"].rpartition("-")[2]) % 500)


def _by_text(row: Row) -> str:
    return row["text"]


@dataclass(frozen=True, slots=True)
class Entry:
    """The files of a set, and the source of a row; sources never straddle pool and test."""

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
    """The pool of texts to ask about, and the held-out test."""

    pool: Pool
    ratings: FloatArray
    test: FloatArray
    truth: FloatArray


def read_sets(ratings: Path, work: Path | None) -> dict[str, Measured]:
    """All sets, measured with the groups of the default model; features are kept in ``work``. Its
    score is no feature: it was taught with these very ratings.
    """
    description = load_model("default").saved.description
    store = MeasurementStore(work).check() if work is not None else None
    out = {}
    for name, entry in ENTRIES.items():
        rows = [(file, row) for file in entry.files for row in rated_rows(ratings, file)]
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


def part(data: Measured, seed: int) -> Parted:
    """Hold out a third of the texts, by whole sources."""
    order = np.random.default_rng(1000 + seed).permutation(data.sources.max() + 1)
    many = np.cumsum(np.bincount(data.sources)[order])
    apart = order[: int(np.searchsorted(many, TEST * len(data.texts))) + 1]
    test: BoolArray = np.isin(data.sources, apart)
    texts = tuple(text for text, out in zip(data.texts, test, strict=True) if not out)
    pool = Pool(texts, data.table[~test], data.columns, np.ones(len(texts), dtype=np.bool_))
    return Parted(pool, data.ratings[~test], data.table[test], data.ratings[test])
