"""What each group of features is worth: the result without it, and with it alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from naturalness.pipelines.fitting import Settings, fit_table
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.warm_start import shipped


@dataclass(frozen=True, slots=True)
class GroupWorth:
    """Cross-validated criterion (ROC AUC or rank correlation) around one group."""

    group: str
    n_columns: int
    without: float
    """NaN where it is the only group."""
    alone: float


def ablate(
    data: Rated, settings: Settings, *, advance: Callable[[], None] = lambda: None
) -> tuple[float, list[GroupWorth]]:
    """The criterion with all groups, and around each; one learner with fixed parameters."""
    groups: dict[str, list[int]] = {}
    for column, name in enumerate(data.columns):
        groups.setdefault(name.partition("__")[0], []).append(column)
    everything = _score(data, range(len(data.columns)), settings)
    rows = []
    for group, columns in groups.items():
        others = [i for i in range(len(data.columns)) if i not in set(columns)]
        rows.append(
            GroupWorth(
                group,
                len(columns),
                _score(data, others, settings) if others else float("nan"),
                _score(data, columns, settings),
            )
        )
        advance()
    return everything, rows


def _score(data: Rated, columns: range | list[int], settings: Settings) -> float:
    known = data.part(np.flatnonzero(data.teaching)).with_columns(list(columns))
    fitted = fit_table(
        known.table,
        known.target,
        n_classes=known.n_classes,
        names=known.classes,
        groups=known.groups,
        weight=np.ones(len(known)),
        settings=replace(settings, select="none"),
        pairs=known.pairs,
        # Not refused where a group's columns are too few for a start: it then starts from nothing.
        start=(settings.origin or shipped()).start(known.columns),
    )
    return fitted.choice.score
