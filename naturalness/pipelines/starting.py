"""The model that learning starts from, where a learner adapts one: the shipped one, if it may.

It may not where it learned from the very texts: what it says of them would be no news, and no
split of them could tell how good the adapted model is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from naturalness.errors import TrainingError
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.start import Start, start_of
from naturalness.models.learners.table import LEARNERS
from naturalness.pipelines.store import read_model
from naturalness.resources import locate

MOST_SEEN = 0.05
"""Share of texts that a model may know by chance: short ones are the same everywhere."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A model to start from."""

    compiled: Compiled
    columns: tuple[str, ...]
    seen: NDArray[np.uint64]
    """Hashes of the texts that it learned from."""

    def start(self, columns: Sequence[str]) -> Start | None:
        """It in the terms of a table; None where they share too few columns."""
        return start_of(self.compiled, self.columns, columns)

    def knows(self, hashes: NDArray[np.uint64]) -> bool:
        """Whether it learned from these texts."""
        return len(hashes) > 0 and bool(np.isin(hashes, self.seen).mean() > MOST_SEEN)


@cache
def shipped() -> Origin:
    """The default model."""
    saved = read_model(locate("model"), changed_assets=True)
    return Origin(saved.compiled, saved.description.columns, saved.seen)


def start_for(
    learner: str, columns: Sequence[str], hashes: NDArray[np.uint64], origin: Origin | None = None
) -> Start | None:
    """Where ``learner`` starts from, by default from the shipped model; None where it cannot.

    Raises where a learner that adapts was asked for by name, and there is nothing that it may
    start from.
    """
    entry = LEARNERS.get(learner)
    if entry is not None and not entry.adapts:
        return None
    model = origin or shipped()
    found = model.start(columns)
    if found is not None and not model.knows(hashes):
        return found
    if entry is None:
        return None
    if found is None:
        raise TrainingError(
            f"learner {learner!r} starts from the shipped model, most of whose columns are not "
            f"among {', '.join(columns[:3])} …; leave --features out, or take another learner"
        )
    raise TrainingError(
        f"learner {learner!r} starts from the shipped model, which learned from these very texts; "
        "no split of them could tell how good it is: take another learner"
    )
