"""The rated sets: their licences, and whether they train the default model or only measure it."""

from __future__ import annotations

import csv
import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import ranks
from training.tables import read_table

UNSTATED = "not stated by its authors"


USUAL = 0.43
"""Agreement of raters where it is unknown."""


@dataclass(frozen=True, slots=True)
class RatedSet:
    """One file of ratings. Sets of a family share texts or authors, and are left out together."""

    file: str
    family: str
    licence: str = UNSTATED
    licensed: bool = False
    """Whether a stated licence allows commercial use."""
    share: float = 1.0
    """Sampling factor in the training of readers; 0 for sets that never teach."""
    column: str = "rating"
    also_leaves: tuple[str, ...] = ()
    """Other families that are left out with it, since they share texts."""
    agreement: float = USUAL
    """Correlation of one rater with the mean of the others; it weights the set in the linear model."""


SETS: Mapping[str, RatedSet] = {name: RatedSet(**row) for name, row in read_table(__file__, "sets.toml").items()}
LARGEST = 2_000
"""The most texts taken of a set that only trains the linear model."""
OF_MORE = frozenset({"SFHOTEL quality", "SFREST quality", "LAMP", "GMEG", "QGEval clarity"})
"""Sets of ratings of quality or clarity, which concern more than how a text sounds."""
MAIN = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST", "E2E", "Topical-Chat", "SummEval")
"""The eight sets whose mean judges a recipe."""
SIX = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST", "Topical-Chat")
"""The six of them for comparisons with single metrics: E2E's ratings are noisy, SummEval's texts long."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Texts of a set and their mean ratings."""

    texts: tuple[str, ...]
    ratings: FloatArray

    @property
    def places(self) -> FloatArray:
        """Return each rating's rank within the set, in (0, 1)."""
        out: FloatArray = (ranks(self.ratings) - 0.5) / len(self.ratings)
        return out


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a tab-separated file."""
    opener = gzip.open if path.suffix == ".gz" else open
    csv.field_size_limit(1 << 30)
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_set(path: Path, column: str = "rating") -> Ratings:
    """Return the rated texts of a file, without those marked as cheating."""
    rated = [row for row in read_rows(path) if row[column] and row["text"].strip()]
    rated = [row for row in rated if "cheating" not in (row.get("system") or "").lower()]
    return Ratings(tuple(row["text"] for row in rated), np.array([float(row[column]) for row in rated]))


def read_named(folder: Path, name: str) -> Ratings:
    """Return texts and ratings of a set of `SETS`."""
    return read_set(folder / SETS[name].file, SETS[name].column)


def key_of(text: str) -> int:
    """Return the hash that identifies a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def teaching() -> list[str]:
    """Return the names of the sets that train the linear model, which rate only how a text sounds."""
    return [name for name, one in SETS.items() if one.share and name not in OF_MORE]


def teaching_readers() -> list[str]:
    """Return the names of the sets that train readers and their heads."""
    return [name for name, one in SETS.items() if one.share]


def leaving(name: str) -> set[str]:
    """Return the families to leave out when this set is the test set."""
    return {SETS[name].family, *SETS[name].also_leaves}
