"""Read sources and references of the rated sets."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.default_model.sets import SETS, read_rows

LAU_SENTENCES = 500
"""Rows of each of the five parts of Lau BNC: the n-th of each is the same sentence."""
PAIRS = "e2e_naturalness.pairs.tsv.gz"
Row = dict[str, str]


def rated_rows(ratings: Path, name: str) -> list[Row]:
    """Return the rows with text and rating, as `training.default_model.sets.read_set` does."""
    return [r for r in read_rows(ratings / SETS[name].file) if r["rating"] and r["text"].strip()]


def sources_of(ratings: Path, name: str) -> NDArray[np.int64]:
    """Return a number per row, equal for versions of one source."""
    rows = rated_rows(ratings, name)
    if name == "Lau BNC":
        return np.arange(len(rows)) % LAU_SENTENCES
    if name == "style transfer":  # the last part of an id is the number of the input
        named = [row["id"].rpartition("-")[2] for row in rows]
    else:
        named = [row["source"] or row["text"].lower().strip() for row in rows]
    return np.unique(named, return_inverse=True)[1]


def references_of(ratings: Path, name: str) -> list[list[str]]:
    """Return the references of each row."""
    return [json.loads(row["references"] or "[]") for row in rated_rows(ratings, name)]
