"""How naturalness is spread, for each label and for each system."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray
from naturalness.reports.raters.judged import Judged

BINS = 20
SYSTEMS = 12
"""Systems with a histogram of their own: those with most texts; the rest share one."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Texts in `BINS` equal parts of 0..1, the last of which includes 1."""

    name: str
    texts: int
    counts: tuple[int, ...]
    naturalness: float
    """Mean, 0..1."""
    rating: float
    """Mean of the raters; NaN where there are no ratings."""
    natural: float
    """Share with the best label; NaN where there are no labels."""


def by_label(judged: Judged) -> tuple[Histogram, ...]:
    """One for each label that a text has, from worst to best."""
    labels = judged.data.labels
    return tuple(
        _histogram(judged, labels == place, name)
        for place, name in enumerate(judged.data.classes)
        if (labels == place).any()
    )


def by_system(judged: Judged, systems: Sequence[str | None]) -> tuple[Histogram, ...]:
    """One for each system, by name; texts of several systems are in none. Empty for one system."""
    many = Counter(system for system in systems if system is not None)
    if len(many) < 2:
        return ()
    own = sorted(name for name, _ in _most(many))
    names = np.array([system if system is not None else "" for system in systems], dtype=object)
    known = np.array([system is not None for system in systems], dtype=bool)
    found = [_histogram(judged, known & (names == name), name) for name in own]
    rest = known & ~np.isin(names, own)
    if rest.any():
        found.append(_histogram(judged, rest, f"{len(many) - len(own)} others"))
    return tuple(found)


def _most(many: Counter[str]) -> list[tuple[str, int]]:
    ordered = sorted(many.items(), key=lambda one: (-one[1], one[0]))
    return ordered if len(ordered) <= SYSTEMS else ordered[: SYSTEMS - 1]


def _histogram(judged: Judged, rows: BoolArray, name: str) -> Histogram:
    values, data = judged.naturalness[rows], judged.data
    counts, _ = np.histogram(values, bins=BINS, range=(0.0, 1.0))
    ratings, labels = data.ratings[rows], data.labels[rows]
    rated, known = ratings[~np.isnan(ratings)], labels[labels >= 0]
    return Histogram(
        name,
        int(rows.sum()),
        tuple(int(n) for n in counts),
        float(values.mean()) if len(values) else math.nan,
        float(rated.mean()) if len(rated) else math.nan,
        float((known == judged.best).mean()) if len(known) else math.nan,
    )
