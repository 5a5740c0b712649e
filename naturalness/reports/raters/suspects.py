"""Ratings that may be slips: texts whose label models that did not see it contradict surely.

Confident learning (Northcutt, Jiang & Chuang 2021): a class is counted as confident from the mean
naturalness of its own texts on, so that a model that is too kind or too strict on all texts raises
no suspicion. A text is suspected where the class that it is not labelled with is confident and its
own is not. Of several labels, the best is held against the rest.

Those come first whose place among all texts by naturalness is farthest from their place by rating,
or, where there are no ratings, those farthest beyond what is confident: a text that was rated just
below the bound of the labels is no slip, however natural it is told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.reports.raters.judged import Judged
from naturalness.statistics.measures import ranks


@dataclass(frozen=True, slots=True)
class Suspects:
    """Texts whose label is doubted."""

    rows: IntArray
    """The likeliest slips first."""
    labelled: int
    """Texts with a label, of which these are some."""
    natural_from: float
    """Naturalness from which on a text is natural with confidence; NaN where a class is missing."""
    unnatural_to: float
    """Naturalness up to which it is unnatural with confidence."""

    @property
    def share(self) -> float:
        """Of the labelled texts; NaN where there are none."""
        return len(self.rows) / self.labelled if self.labelled else math.nan


def find_suspects(judged: Judged) -> Suspects:
    """Suspected labels, the likeliest slips first."""
    known = np.flatnonzero(judged.known)
    natural = judged.data.labels[known] == judged.best
    if not natural.any() or natural.all():
        return Suspects(known[:0], len(known), math.nan, math.nan)
    scores = judged.naturalness[known]
    high, low = float(scores[natural].mean()), float(scores[~natural].mean())
    margin = beyond(scores, natural, high, low)
    apart = _apart(judged)[known]
    order = np.argsort(np.where(np.isnan(apart), -margin, -apart), kind="stable")
    rows = known[order[margin[order] > 0]]
    return Suspects(rows, len(known), high, low)


def _apart(judged: Judged) -> FloatArray:
    """How far places by naturalness and by rating are apart, 0..1; NaN where there are none."""
    out = np.full(len(judged.naturalness), np.nan)
    rated = ~np.isnan(judged.data.ratings)
    if rated.all():
        places = [ranks(x) / len(x) for x in (judged.naturalness, judged.data.ratings)]
        out = np.abs(places[0] - places[1])
    return out


def beyond(scores: FloatArray, natural: BoolArray, high: float, low: float) -> FloatArray:
    """How far each text lies beyond the confident score of the other class; above 0: suspected.

    A class is confident where its probability reaches the mean probability of its own texts. Where
    both are, as with a model that knows little, the nearer one counts.
    """
    margin = np.where(natural, low - scores, scores - high)
    own = np.where(natural, scores >= high, scores <= low)
    return np.where(own, -np.inf, margin)
