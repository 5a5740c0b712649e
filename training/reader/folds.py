"""Folds of families of rated sets, and the wide detector's columns by bodies that never saw a text's family."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.features.detector import DAMAGE, IMPRESSION, RATING
from training.tables import read_table

FOLDS: Sequence[Sequence[str]] = read_table(__file__, "folds.toml")["folds"]
"""Families that are left out together, so that each text is read by a network that never saw its family."""
COLUMNS = Path(__file__).with_name("columns.npz")
WIDE = (DAMAGE, IMPRESSION, RATING)
"""Feature groups of the wide detector, in the order of the columns."""


@cache
def columns_by_text() -> dict[int, NDArray[np.float16]]:
    """Return the columns of each text in a fold, by the key of the text; `training.reader.columns` writes them."""
    if not COLUMNS.exists():
        raise SystemExit(f"{COLUMNS.name} is missing; run python -m training.reader.columns")
    with np.load(COLUMNS, allow_pickle=False) as stored:
        return dict(zip(stored["keys"].tolist(), stored["columns"], strict=True))
