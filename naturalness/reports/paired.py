"""The share of pairs of texts in which scores and people prefer the same text, with intervals.

A pair counts as 1 if the preferred text has the higher score, and as 1/2 for a tie. Pairs that share a source or a text
are not independent. Intervals are therefore Wilson's (1927) for the effective number of pairs given the variance
between sources (Korn & Graubard 1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.learners.differences import within
from naturalness.statistics.measures import effective, wilson
from naturalness.statistics.significance import ranked

if TYPE_CHECKING:
    from naturalness.pipelines.learning import Rated


@dataclass(frozen=True, slots=True)
class Share:
    """The share of correctly ordered pairs, 0..1, with its 95 % interval; NaN without pairs."""

    value: float
    low: float
    high: float
    pairs: int
    sources: int
    """The number of groups of pairs that share a source or a text."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of texts; each field has one entry per pair."""

    rows: IntArray
    """The indices of the preferred text and of the other text, (n, 2)."""
    groups: IntArray
    phenomena: tuple[str, ...] = ()
    """The phenomenon that each pair illustrates; empty if unknown."""

    def __len__(self) -> int:
        return len(self.rows)


def pairs_of(data: Rated) -> Pairs:
    """Return the pairs of texts in a rated table."""
    assert data.pairs is not None
    return Pairs(data.pairs, data.groups[data.pairs[:, 0]], data.phenomena)


def share_of(outcomes: FloatArray, groups: IntArray) -> Share:
    """Return the share of correctly ordered pairs, given their outcomes as computed by `won`; NaN outcomes are
    ignored.
    """
    known = ~np.isnan(outcomes)
    values, sources = outcomes[known], groups[known]
    n = len(values)
    if not n:
        return Share(math.nan, math.nan, math.nan, 0, 0)
    weight = effective(values, sources)
    low, high = wilson(float(values.mean()) * weight, weight)
    return Share(float(values.mean()), low, high, n, len(np.unique(sources)))


def by_phenomenon(outcomes: FloatArray, pairs: Pairs) -> dict[str, Share]:
    """Return the share of correctly ordered pairs for each phenomenon, sorted from the highest share to the lowest."""
    names = np.array(pairs.phenomena, dtype=object)
    shares = {
        name or "(none)": share_of(outcomes[names == name], pairs.groups[names == name])
        for name in dict.fromkeys(pairs.phenomena)
    }
    return {name: shares[name] for name in ranked({name: share.value for name, share in shares.items()})}


def unseen_pairs(pairs: Pairs, rows: IntArray, n_texts: int) -> Pairs:
    """Return the pairs whose two texts are both among ``rows``; indices still refer to all texts."""
    _, is_unseen = within(pairs.rows, rows, n_texts)
    phenomena = tuple(pairs.phenomena[i] for i in np.flatnonzero(is_unseen)) if pairs.phenomena else ()
    return Pairs(pairs.rows[is_unseen], pairs.groups[is_unseen], phenomena)
