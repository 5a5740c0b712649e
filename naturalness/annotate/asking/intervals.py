"""95 % intervals of figures on a test share of a few dozen texts.

At this size a bootstrap is too narrow, and has no width at all where all is right; these are the
intervals of values that would not make what was seen too unlikely.
"""

from __future__ import annotations

import math

import numpy as np

from naturalness.annotate.asking.taught import Figure
from naturalness.arrays import BoolArray, FloatArray
from naturalness.statistics.measures import roc_auc, spearman

FEWEST = 8
"""Texts under which an interval would say nothing."""
CERTAIN = 1.959964
STEPS = 4000


def spearman_figure(scores: FloatArray, ratings: FloatArray) -> Figure:
    """Rank correlation; Fisher's z with the variance of Bonett & Wright (2000)."""
    n, value = len(scores), spearman(scores, ratings)
    if n < FEWEST or math.isnan(value):
        return Figure("spearman", value, math.nan, math.nan, n)
    kept = min(max(value, -0.999), 0.999)
    half = CERTAIN * math.sqrt((1 + kept**2 / 2) / (n - 3))
    low, high = math.tanh(math.atanh(kept) - half), math.tanh(math.atanh(kept) + half)
    return Figure("spearman", value, low, high, n)


def auc_figure(scores: FloatArray, better: BoolArray) -> Figure:
    """ROC AUC; all values whose own standard error (Hanley & McNeil 1982, with both numbers
    replaced by their mean, as Newcombe 2006 advises) reaches what was seen.
    """
    n, m, value = int(better.sum()), int((~better).sum()), roc_auc(scores, better)
    if min(n, m) < 3 or n + m < FEWEST:
        return Figure("roc_auc", value, math.nan, math.nan, n + m)
    at = (np.arange(STEPS) + 0.5) / STEPS
    mean = (n + m) / 2 - 1
    inner = 1 + mean * (1 - at) / (2 - at) + mean * at / (1 + at)
    error = np.sqrt(at * (1 - at) * inner / (n * m))
    inside = at[np.abs(at - value) <= CERTAIN * error]
    low, high = float(inside.min()), float(inside.max())
    # The ends of the grid are the ends of the scale.
    low, high = (0.0 if low < 1 / STEPS else low), (1.0 if high > 1 - 1 / STEPS else high)
    return Figure("roc_auc", value, min(low, value), max(high, value), n + m)


def share_figure(name: str, value: float, n: int) -> Figure:
    """A share of n texts or pairs, 0..1; Wilson (1927). Weighted F1 is near enough to the share of
    right labels to have its interval.
    """
    if n < FEWEST or math.isnan(value):
        return Figure(name, value, math.nan, math.nan, n)
    square = CERTAIN**2
    centre = (value + square / (2 * n)) / (1 + square / n)
    half = CERTAIN / (1 + square / n) * math.sqrt(value * (1 - value) / n + square / (4 * n * n))
    return Figure(name, value, max(0.0, centre - half), min(1.0, centre + half), n)
