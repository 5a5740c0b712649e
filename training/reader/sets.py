"""Families of rated sets in folds, and pairs of post-edits."""

from __future__ import annotations

from pathlib import Path

from training.default_model.sets import read_rows

LARGEST = 6_000
"""Unique texts of a set that teach, at most."""
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


def read_edits(folder: Path) -> list[tuple[str, str]]:
    """Return pairs of a post-edit and the translation that it mends."""
    least, most = EDITED
    rows = read_rows(folder / EDITS)
    return [(row["good"], row["bad"]) for row in rows if least <= float(row["hter"]) <= most]
