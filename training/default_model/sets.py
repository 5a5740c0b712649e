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

UNSTATED = "not stated by its authors"


HALF = 0.5
"""Share of E2E and its like in the draw: their ratings are noisy, or their texts much alike."""
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


def _open(
    file: str, family: str, licence: str, share: float = 1.0, column: str = "rating", agreement: float = USUAL
) -> RatedSet:
    return RatedSet(file, family, licence, True, share, column, agreement=agreement)


SETS: Mapping[str, RatedSet] = {
    "Lau BNC": RatedSet("lau2017_bnc_mop4.acceptability.tsv", "bnc", agreement=0.67),
    "style transfer": RatedSet("styletransfer.naturalness.tsv", "style"),
    "SFHOTEL": RatedSet("sfhot.naturalness.tsv", "sfhot"),
    "SFHOTEL quality": RatedSet("sfhot.quality.tsv", "sfhot"),
    "SFREST": RatedSet("sfres.naturalness.tsv", "sfres"),
    "SFREST quality": RatedSet("sfres.quality.tsv", "sfres"),
    "E2E": RatedSet("e2e.naturalness.tsv.gz", "e2e", "ratings: " + UNSTATED, share=HALF, agreement=0.15),
    "RankME": _open("rankme_likert_s2.naturalness.tsv", "e2e", "CC BY-SA 4.0", HALF, agreement=0.13),
    "INLG 2016": RatedSet("inlg2016.naturalness.tsv", "inlg2016", share=HALF, agreement=0.45),
    "Topical-Chat": _open("usr_topicalchat.naturalness.tsv", "topicalchat", "MIT"),
    "Persona-Chat": RatedSet("usr_personachat.naturalness.tsv", "personachat", agreement=0.5),
    "FED": RatedSet("fed.fluency.tsv", "fed", agreement=0.19),
    "SummEval": _open("summeval.fluency.tsv.gz", "summeval", "Apache-2.0 and MIT"),
    "Newsroom": _open("newsroom.fluency.tsv", "newsroom", "Apache-2.0"),
    "DialSummEval": RatedSet("dialsummeval.fluency.tsv", "dialsummeval", agreement=0.16),
    "Adger": RatedSet("lau2017_adger_mop4.acceptability.tsv", "adger", agreement=0.80),
    "Adger, filtered": RatedSet("lau2017_adger_filtered_mop4.acceptability.tsv", "adger", agreement=0.80),
    "Linguistic Inquiry": RatedSet("li_sprouse2013.acceptability.tsv", "linguistic_inquiry"),
    "MegaAcceptability": _open("megaacceptability.acceptability.tsv.gz", "mega", "CC BY-SA 4.0", HALF),
    "LAMP": _open("lamp.quality.tsv.gz", "lamp", "BSD-3-Clause"),
    "GMEG": RatedSet("gmeg.quality.tsv.gz", "gec"),
    "seq2seq GEC": _open("seq2seq_llm_gec.grammaticality.tsv", "gec", "MIT"),
    "WMT21 fluency": _open("wmt21_ted_zhen_mqm.fluency.tsv.gz", "wmt", "Apache-2.0"),
    "WMT21 fluency and style": _open("wmt21_ted_zhen_mqm.fluency_style.tsv.gz", "wmt", "Apache-2.0"),
    "WMT23": _open("wmt23_zhen_sxs_mqm.fluency_style.tsv.gz", "wmt", "Apache-2.0"),
    "MT believability": _open("mt_believability.fluency.tsv.gz", "mt_believability", "CC BY", column="rating_z"),
    "queries": _open("query_wellformedness.wellformed.tsv.gz", "queries", "CC BY-SA 4.0"),
    "Li 2018 Yelp": _open("li2018_yelp.grammaticality.tsv.gz", "style", "CC BY-SA 4.0"),
    "Li 2018 Amazon": _open("li2018_amazon.grammaticality.tsv.gz", "style", "CC BY-SA 4.0"),
    "Li 2018 captions": _open("li2018_captions.grammaticality.tsv.gz", "style", "CC BY-SA 4.0"),
    "ParaBank": RatedSet("parabank_eval.grammaticality.tsv.gz", "parabank", share=HALF),
    "puns": RatedSet("pungen.grammaticality.tsv", "puns"),
    "ParaQuality": RatedSet("paraquality.wellformed.tsv.gz", "paraquality"),
    "QGEval fluency": RatedSet("qgeval.fluency.tsv.gz", "qg"),
    "QGEval clarity": RatedSet("qgeval.clarity.tsv.gz", "qg"),
    "SimQG": RatedSet("simqg.fluency.tsv", "qg"),
    # Never taught: GUG's terms are non-commercial, CoLA's for research.
    "GUG": RatedSet("gug.grammaticality.tsv", "gug", "CC BY-NC-SA 4.0", share=0),
    "CoLA": RatedSet("cola.acceptability.tsv", "cola", "research use", share=0, also_leaves=("adger",)),
}
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
