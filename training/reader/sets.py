"""The rated sets that teach a reader, their families, and the folds of families."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

UNSTATED = "not stated by its authors"
LARGEST = 6_000
"""Unique texts of a set that teach, at most."""
HALF = 0.5
"""Share of E2E and its like in the draw: their ratings are noisy, or their texts much alike."""


@dataclass(frozen=True, slots=True)
class RatedFile:
    """One file of ratings."""

    file: str
    family: str
    licence: str = UNSTATED
    licensed: bool = False
    """Whether a stated licence allows commercial use."""
    share: float = 1.0
    """Factor of its probability to be drawn; 0 for a set that is read and never teaches."""
    column: str = "rating"


def _open(file: str, family: str, licence: str, share: float = 1.0, column: str = "rating") -> RatedFile:
    return RatedFile(file, family, licence, True, share, column)


SETS: Mapping[str, RatedFile] = {
    "Lau BNC": RatedFile("lau2017_bnc_mop4.acceptability.tsv", "bnc"),
    "style transfer": RatedFile("styletransfer.naturalness.tsv", "style"),
    "SFHOTEL": RatedFile("sfhot.naturalness.tsv", "sfhot"),
    "SFHOTEL quality": RatedFile("sfhot.quality.tsv", "sfhot"),
    "SFREST": RatedFile("sfres.naturalness.tsv", "sfres"),
    "SFREST quality": RatedFile("sfres.quality.tsv", "sfres"),
    "E2E": RatedFile("e2e.naturalness.tsv.gz", "e2e", "ratings: " + UNSTATED, share=HALF),
    "RankME": _open("rankme_likert_s2.naturalness.tsv", "e2e", "CC BY-SA 4.0", HALF),
    "INLG 2016": RatedFile("inlg2016.naturalness.tsv", "inlg2016", share=HALF),
    "Topical-Chat": _open("usr_topicalchat.naturalness.tsv", "topicalchat", "MIT"),
    "Persona-Chat": RatedFile("usr_personachat.naturalness.tsv", "personachat"),
    "FED": RatedFile("fed.fluency.tsv", "fed"),
    "SummEval": _open("summeval.fluency.tsv.gz", "summeval", "Apache-2.0 and MIT"),
    "Newsroom": _open("newsroom.fluency.tsv", "newsroom", "Apache-2.0"),
    "DialSummEval": RatedFile("dialsummeval.fluency.tsv", "dialsummeval"),
    "Adger": RatedFile("lau2017_adger_mop4.acceptability.tsv", "adger"),
    "Adger, filtered": RatedFile("lau2017_adger_filtered_mop4.acceptability.tsv", "adger"),
    "Linguistic Inquiry": RatedFile("li_sprouse2013.acceptability.tsv", "linguistic_inquiry"),
    "MegaAcceptability": _open("megaacceptability.acceptability.tsv.gz", "mega", "CC BY-SA 4.0", HALF),
    "LAMP": _open("lamp.quality.tsv.gz", "lamp", "BSD-3-Clause"),
    "GMEG": RatedFile("gmeg.quality.tsv.gz", "gec"),
    "seq2seq GEC": _open("seq2seq_llm_gec.grammaticality.tsv", "gec", "MIT"),
    "WMT21 fluency": _open("wmt21_ted_zhen_mqm.fluency.tsv.gz", "wmt", "Apache-2.0"),
    "WMT21 fluency and style": _open("wmt21_ted_zhen_mqm.fluency_style.tsv.gz", "wmt", "Apache-2.0"),
    "WMT23": _open("wmt23_zhen_sxs_mqm.fluency_style.tsv.gz", "wmt", "Apache-2.0"),
    "MT believability": _open("mt_believability.fluency.tsv.gz", "mt_believability", "CC BY", column="rating_z"),
    "queries": _open("query_wellformedness.wellformed.tsv.gz", "queries", "CC BY-SA 4.0"),
    "Li 2018 Yelp": _open("li2018_yelp.grammaticality.tsv.gz", "style", "CC BY-SA 4.0"),
    "Li 2018 Amazon": _open("li2018_amazon.grammaticality.tsv.gz", "style", "CC BY-SA 4.0"),
    "Li 2018 captions": _open("li2018_captions.grammaticality.tsv.gz", "style", "CC BY-SA 4.0"),
    "ParaBank": RatedFile("parabank_eval.grammaticality.tsv.gz", "parabank", share=HALF),
    "puns": RatedFile("pungen.grammaticality.tsv", "puns"),
    "ParaQuality": RatedFile("paraquality.wellformed.tsv.gz", "paraquality"),
    "QGEval fluency": RatedFile("qgeval.fluency.tsv.gz", "qg"),
    "QGEval clarity": RatedFile("qgeval.clarity.tsv.gz", "qg"),
    "SimQG": RatedFile("simqg.fluency.tsv", "qg"),
    # Read, so that their texts have a number of a reader too; never taught.
    "GUG": RatedFile("gug.grammaticality.tsv", "gug", "CC BY-NC-SA 4.0", share=0),
    "CoLA": RatedFile("cola.acceptability.tsv", "cola", "research use", share=0),
    "HUSE": RatedFile("huse_summarization.typicality.tsv", "huse", share=0),
    "SummEval, single scores": RatedFile("summeval_individual.fluency.tsv.gz", "summeval", share=0),
    "Newsroom, single scores": RatedFile("newsroom_individual.fluency.tsv", "newsroom", share=0),
    "RankME, together": _open("rankme_likert_s1.naturalness.tsv", "e2e", "CC BY-SA 4.0", 0),
}
EDITS = "mlqe_postedit.pairs.tsv.gz"
"""Machine translations and what people made of them (CC0): pairs, of no family."""
EDITED = (0.05, 0.8)
"""How much of a translation the edit changed (HTER), at least and at most."""

FOLDS: tuple[tuple[str, ...], ...] = (
    ("bnc", "e2e", "inlg2016", "queries"),
    ("style", "wmt", "puns"),
    ("sfhot", "sfres", "gec", "mt_believability", "lamp"),
    ("topicalchat", "personachat", "fed", "adger", "linguistic_inquiry", "mega", "parabank"),
    ("summeval", "newsroom", "dialsummeval", "qg", "paraquality"),
)
"""Families that leave together, so that each text gets its number from a reader that saw nothing of its family."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Texts of a file and their ratings."""

    texts: list[str]
    ratings: NDArray[np.float64]


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a tab-separated file."""
    opener = gzip.open if path.suffix == ".gz" else open
    csv.field_size_limit(1 << 30)
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_ratings(folder: Path, rated: RatedFile) -> Ratings:
    """Return the rated texts of a file; of ParaQuality without those that are marked as cheating."""
    rows = [row for row in read_rows(folder / rated.file) if row[rated.column] and row["text"].strip()]
    if rated.family == "paraquality":
        rows = [row for row in rows if "cheating" not in row["system"].lower()]
    return Ratings([row["text"] for row in rows], np.array([float(row[rated.column]) for row in rows]))


def read_edits(folder: Path) -> list[tuple[str, str]]:
    """Return pairs of a post-edit and the translation that it mends."""
    least, most = EDITED
    rows = read_rows(folder / EDITS)
    return [(row["good"], row["bad"]) for row in rows if least <= float(row["hter"]) <= most]
