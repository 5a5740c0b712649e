"""Neighbouring sentences that have nothing to do with one another (Zhu & Bhat, 2020)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from naturalness.models.metrics.clouds import Cloud, moving_cost

FAR = 1.35
"""Distance that counts as no similarity: more than the 1.23 that sentences of different documents
are apart on average, so that few real neighbours (1 in 12 of held-out text, 2 in 9 of sentences of
different documents) are farther apart than `LEAST` allows (`benchmarks.papers.gruen_parts`)."""
LEAST = 0.05
"""Similarity below which a pair of neighbours is a violation, as in the paper."""


def similarity(one: Cloud | None, other: Cloud | None) -> float:
    """1 - Word Mover's Distance / 1.35; at most 1.

    Ours: the paper names no formula. NaN where a sentence has no words with a vector.
    """
    if one is None or other is None:
        return math.nan
    return 1 - moving_cost(one, other) / FAR


def violations(clouds: Sequence[Cloud | None], least: float = LEAST) -> int:
    """How many neighbours are less similar than that; those that cannot be compared are none."""
    return sum(similarity(*pair) < least for pair in pairwise(clouds))
