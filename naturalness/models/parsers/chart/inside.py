"""The inside pass: for every span, the best score and the log-sum of scores over all its trees.

A tree is a set of nested labelled spans, one of which is the whole sentence; its score is the sum of the spans' scores.
Each tree has exactly one derivation from left to right: a sequence of siblings is split into the first one, which is a
constituent or a word, and the rest, which is again one sibling or several:

    inner(i, j) = sum over k of whole(i, k) * rest(k, j)        two siblings or more, j - i >= 2
    whole(i, j) = label(i, j) * inner(i, j)                     a constituent
    rest(i, j)  = (1 + label(i, j)) * inner(i, j)               one constituent, or several siblings
    whole(i, i + 1) = rest(i, i + 1) = 1 + label(i, i + 1)      a word, with or without a label

where label(i, j) is the sum over labels of exp(score). With maxima instead of sums, and scores instead of their
exponentials, the same equations give the best tree. Both are computed together, width by width.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from naturalness.arrays import FloatArray, IntArray

BEST, SUM = 0, 1
"""Indices along the first axis of the tables, which holds the maximum and the log-sum."""
FORBIDDEN = -1e300
"""Score that stands for -inf in the tables, because differences of infinities would be NaN."""
IMPOSSIBLE = -1e290
"""A tree with a score below this contains a forbidden span."""


class Chart(NamedTuple):
    """Tables for a sentence of n words; spans are ordered by width, then by start."""

    words: int
    labels: FloatArray  # (n * (n + 1) / 2, labels): scores of labels
    labelled: FloatArray  # (2, spans): maximum and log-sum over labels
    left: FloatArray  # (2, n, n): whole(i, j), by start and width - 1
    right: FloatArray  # (2, n, n): rest(i, j), by last word and n - width, to align with `left`
    total: FloatArray  # (2,): maximum and log-sum over trees

    @property
    def log_partition(self) -> float:
        """Natural log of the sum of exp(score) over all trees; -inf if there is no tree."""
        return _plain(self.total[SUM])

    @property
    def best(self) -> float:
        """Score of the best tree; -inf if there is no tree."""
        return _plain(self.total[BEST])


def fill(n: int, scores: ArrayLike) -> Chart:
    """Return the tables for n words, given scores (spans, labels), with spans ordered by width, then by start.

    A score of -inf (or any below -1e290) forbids the span with that label.
    """
    table = np.asarray(scores, dtype=np.float64)
    labels = np.maximum(table, FORBIDDEN)
    labelled = _over_labels(labels)
    free = labelled.copy()  # spans with or without a label
    np.maximum(labelled[BEST], 0.0, out=free[BEST])
    np.logaddexp(labelled[SUM], 0.0, out=free[SUM])
    left, right = np.empty((2, n, n)), np.empty((2, n, n))
    left[:, :, 0] = right[:, :, n - 1] = free[:, :n]
    at = n
    for width in range(2, n + 1):
        following = at + n - width + 1
        parts = left[:, : n - width + 1, : width - 1] + right[:, width - 1 :, n - width + 1 :]
        inner = np.maximum.reduce(parts, axis=2)
        rest = parts[SUM]
        rest -= inner[SUM, :, None]
        inner[SUM] += np.log(np.add.reduce(np.exp(rest, out=rest), axis=1))
        np.add(inner, labelled[:, at:following], out=left[:, : n - width + 1, width - 1])
        np.add(inner, free[:, at:following], out=right[:, width - 1 :, n - width])
        at = following
    total = left[:, 0, n - 1] if n > 1 else labelled[:, 0]
    return Chart(n, labels, labelled, left, right, total)


def _over_labels(labels: FloatArray) -> FloatArray:
    """Return the maximum and log-sum over the labels of each span, (2, spans)."""
    labelled = np.empty((2, len(labels)))
    best = np.maximum.reduce(labels, axis=1, out=labelled[BEST])
    if not best.max() < -IMPOSSIBLE:  # also true for NaN
        raise ValueError("scores hold NaN or inf; expected numbers, or -inf for forbidden spans")
    terms = labels - best[:, None]
    np.exp(terms, out=terms)
    np.log(np.add.reduce(terms, axis=1), out=labelled[SUM])
    labelled[SUM] += best
    return labelled


@lru_cache(maxsize=256)
def corners(n: int) -> tuple[IntArray, IntArray]:
    """Return the indices of the first and the last word of each span of n words, ordered by width, then by start."""
    widths = np.repeat(np.arange(n), np.arange(n, 0, -1))
    starts = np.arange(len(widths)) - (widths * n - widths * (widths - 1) // 2)
    stops = starts + widths
    starts.flags.writeable = stops.flags.writeable = False  # read-only, since cached arrays are shared
    return starts, stops


def _plain(value: np.float64) -> float:
    return float(value) if value > IMPOSSIBLE else -math.inf
