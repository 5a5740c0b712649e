"""Tables whose columns are the vectors of words, for learners that read them in their order.

Such a table is not standardised column by column, and none of its gaps is filled with what words
have in common: which words there are is told by a mark for each place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import TrainingError
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.table import LEARNERS
from naturalness.models.vectors import WIDTH


def prepare_words(n_columns: int) -> Preparation:
    """What makes such a table ready; it learns nothing of it.

    Vectors of length 1 become such as have numbers of deviation 1. Behind them stands a mark for
    each place: 1 where there is no word.
    """
    places, rest = divmod(n_columns, WIDTH)
    if rest or not places:
        raise TrainingError(
            f"a table of {n_columns} columns; a learner that reads words in their order takes the "
            f"group vectors:N alone ({WIDTH} columns for each of N words)"
        )
    return Preparation(
        fill=np.zeros(n_columns),
        marked=np.arange(places, dtype=np.int64) * WIDTH,
        mean=np.zeros(n_columns + places),
        scale=np.concatenate([np.full(n_columns, WIDTH**-0.5), np.ones(places)]),
        kept=np.arange(n_columns + places, dtype=np.int64),
    )


def preparation_of(names: Sequence[str], n_columns: int) -> Preparation | None:
    """How the learners make a table of so many columns ready, if they have a way of their own."""
    if not any(LEARNERS[name].reads for name in names):
        return None
    if len(names) > 1:
        raise TrainingError(f"{', '.join(names)} cannot learn from one table; try them one by one")
    return prepare_words(n_columns)


def words_of(rows: FloatArray, width: int) -> list[FloatArray]:
    """The words of each prepared row: (n_words, width); of a row without words one of zeros.

    *Shape:* rows (n, places * (width + 1)).
    """
    places = rows.shape[1] // (width + 1)
    vectors = rows[:, : places * width].reshape(len(rows), places, width)
    there = rows[:, places * width :] == 0.0
    return [own[here] if here.any() else np.zeros((1, width)) for own, here in zip(vectors, there, strict=True)]
