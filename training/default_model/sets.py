"""The rated sets: which teach the default model, which only measure it, and under which licence."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import ranks

UNSTATED = "not stated by its authors"


@dataclass(frozen=True, slots=True)
class RatedSet:
    """One file of ratings. Sets of one family share texts or makers, and leave together."""

    file: str
    family: str
    licence: str
    teaches: bool = True
    licensed: bool = False
    """Whether a stated licence allows commercial use."""
    also_leaves: tuple[str, ...] = ()
    """Other families that leave with it, for the texts that they share."""


SETS: Mapping[str, RatedSet] = {
    "GUG": RatedSet("gug.grammaticality.tsv", "gug", "CC BY-NC-SA 4.0", teaches=False),
    "Lau BNC": RatedSet("lau2017_bnc_mop4.acceptability.tsv", "bnc", UNSTATED),
    "style transfer": RatedSet("styletransfer.naturalness.tsv", "style", UNSTATED),
    "SFHOTEL": RatedSet("sfhot.naturalness.tsv", "sfhot", UNSTATED),
    "SFREST": RatedSet("sfres.naturalness.tsv", "sfres", UNSTATED),
    "E2E": RatedSet("e2e.naturalness.tsv.gz", "e2e", "ratings: " + UNSTATED),
    "Topical-Chat": RatedSet("usr_topicalchat.naturalness.tsv", "topicalchat", "MIT", licensed=True),
    "SummEval": RatedSet("summeval.fluency.tsv.gz", "summeval", "Apache-2.0 and MIT", licensed=True),
    "Persona-Chat": RatedSet("usr_personachat.naturalness.tsv", "personachat", UNSTATED),
    "FED": RatedSet("fed.fluency.tsv", "fed", UNSTATED),
    "Newsroom": RatedSet("newsroom.fluency.tsv", "newsroom", "Apache-2.0", licensed=True),
    "INLG 2016": RatedSet("inlg2016.naturalness.tsv", "inlg2016", UNSTATED),
    "DialSummEval": RatedSet("dialsummeval.fluency.tsv", "dialsummeval", UNSTATED),
    "Adger": RatedSet("lau2017_adger_mop4.acceptability.tsv", "adger", UNSTATED),
    "Adger, filtered": RatedSet("lau2017_adger_filtered_mop4.acceptability.tsv", "adger", UNSTATED),
    "RankME": RatedSet("rankme_likert_s2.naturalness.tsv", "e2e", "CC BY-SA 4.0", licensed=True),
    "CoLA": RatedSet("cola.acceptability.tsv", "cola", "research use", teaches=False, also_leaves=("adger",)),
}
MAIN = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST", "E2E", "Topical-Chat", "SummEval")
"""The eight sets whose mean judges a recipe."""


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


def read_set(path: Path) -> Ratings:
    """Texts with a rating of a file."""
    opener = gzip.open if path.suffix == ".gz" else open
    csv.field_size_limit(1 << 30)
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rated = [row for row in rows if row["rating"] and row["text"].strip()]
    return Ratings(tuple(row["text"] for row in rated), np.array([float(row["rating"]) for row in rated]))


def teaching(*, licensed_only: bool = False) -> list[str]:
    """Names of the sets that teach."""
    return [n for n, s in SETS.items() if s.teaches and (s.licensed or not licensed_only)]


def leaving(name: str) -> set[str]:
    """Families that must not teach where this set measures."""
    return {SETS[name].family, *SETS[name].also_leaves}
