"""What readers say of rated texts, by text and reader; and who must not speak of whom."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.reader.batches import Rated

ANSWERS = "answers.npz"
NEVER_TAUGHT = ("GUG", "CoLA")
WHOLE, FOLD = "six", "six-fold-{}"
"""The reader that saw all families that teach, and that which saw none of a fold."""
Array = NDArray[Any]


def read_answers(work: Path) -> dict[str, Array]:
    """Return ``keys`` and, by the name of each reader, its ratings of the texts with these keys."""
    with np.load(work / ANSWERS, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def of_keys(answers: Mapping[str, Array], keys: Array) -> dict[str, Array]:
    """Return the answers in the order of these keys; `KeyError` for a text that no reader has read."""
    order = np.argsort(answers["keys"])
    known = answers["keys"][order]
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    if (known[at] != keys).any():
        raise KeyError(f"{int((known[at] != keys).sum())} texts that no reader has read")
    return {name: values[order[at]] for name, values in answers.items()}


def fold_of_families(rated: Rated) -> dict[str, int]:
    """Return the fold in which each family leaves."""
    return {family: k for k, families in enumerate(rated.folds) for family in families}


def never_taught(rated: Rated) -> NDArray[np.int64]:
    """Return the rows of texts that teach no reader."""
    return np.unique(np.concatenate([one.rows for one in rated.sets if one.name in NEVER_TAUGHT]))


def standard(rating: NDArray[np.floating], rated: Rated) -> NDArray[np.float32]:
    """Return ratings in deviations over texts that teach no reader."""
    rows = never_taught(rated)
    there: NDArray[np.float32] = ((rating - rating[rows].mean()) / rating[rows].std()).astype(np.float32)
    return there
