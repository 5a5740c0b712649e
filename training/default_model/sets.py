"""The rated sets: which teach the default model, which only measure it, and under which licence."""

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
"""Agreement of raters, where it is not known."""


@dataclass(frozen=True, slots=True)
class RatedSet:
    """One file of ratings. Sets of one family share texts or makers, and leave together."""

    file: str
    family: str
    licence: str = UNSTATED
    licensed: bool = False
    """Whether a stated licence allows commercial use."""
    share: float = 1.0
    """Factor of its probability to be drawn when a reader is trained; 0 for a set that never teaches."""
    column: str = "rating"
    also_leaves: tuple[str, ...] = ()
    """Other families that leave with it, for the texts that they share."""
    agreement: float = USUAL
    """Correlation of one rater with the mean of the others, by which a set weighs in the linear model."""


SETS: Mapping[str, RatedSet] = {name: RatedSet(**row) for name, row in read_table(__file__, "sets.toml").items()}
LARGEST = 2_000
"""Texts of a set that only teaches the linear model, at most."""
OF_MORE = frozenset({"SFHOTEL quality", "SFREST quality", "LAMP", "GMEG", "QGEval clarity"})
"""Sets in which people rated quality or clarity, that is more than how a text sounds."""
CONVERSATIONS = frozenset({"topicalchat", "personachat", "fed", "dialsummeval"})
"""Families of replies in conversations and of what sums them up."""
MAIN = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST", "E2E", "Topical-Chat", "SummEval")
"""The eight sets whose mean judges a recipe."""
SIX = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST", "Topical-Chat")
"""Those of them on which single metrics are compared: E2E's ratings are noisy, SummEval's texts long."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Texts of a set and their mean ratings."""

    texts: tuple[str, ...]
    ratings: FloatArray

    @property
    def places(self) -> FloatArray:
        """Each rating's rank within the set, in (0, 1)."""
        out: FloatArray = (ranks(self.ratings) - 0.5) / len(self.ratings)
        return out


def read_rows(path: Path) -> list[dict[str, str]]:
    """Rows of a tab-separated file."""
    opener = gzip.open if path.suffix == ".gz" else open
    csv.field_size_limit(1 << 30)
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_set(path: Path, column: str = "rating") -> Ratings:
    """Texts with a rating of a file, but for those that are marked as cheating."""
    rated = [row for row in read_rows(path) if row[column] and row["text"].strip()]
    rated = [row for row in rated if "cheating" not in (row.get("system") or "").lower()]
    return Ratings(tuple(row["text"] for row in rated), np.array([float(row[column]) for row in rated]))


def read_named(folder: Path, name: str) -> Ratings:
    """Texts and ratings of a set of `SETS`."""
    return read_set(folder / SETS[name].file, SETS[name].column)


def key_of(text: str) -> int:
    """Return the hash by which the number of a text is found."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def teaching(*, licensed_only: bool = False) -> list[str]:
    """Names of the sets that teach the linear model: those in which people rated how a text sounds, and no more."""
    return [
        name for name, one in SETS.items() if one.share and name not in OF_MORE and (one.licensed or not licensed_only)
    ]


def teaching_readers() -> list[str]:
    """Names of the sets that teach readers and their heads."""
    return [name for name, one in SETS.items() if one.share]


def leaving(name: str) -> set[str]:
    """Families that must not teach where this set measures."""
    return {SETS[name].family, *SETS[name].also_leaves}
