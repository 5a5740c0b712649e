"""Posteriors of spans, by the outside pass: what all trees around a span add up to."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from naturalness.models.parsers.chart.inside import (
    FORBIDDEN,
    IMPOSSIBLE,
    SUM,
    Chart,
    FloatArray,
    fill,
    upper,
)


def posteriors(scores: ArrayLike) -> FloatArray:
    """The probability that a tree holds a labelled span, in [0, 1], shaped as the scores.

    Zero below the diagonal; NaN where no tree is possible. For ``scores`` see
    `inside.log_partition`.
    """
    chart = fill(scores)
    n = chart.words
    found = np.zeros((n * n, chart.labels.shape[1]))
    if chart.total[SUM] < IMPOSSIBLE:
        found[upper(n)] = np.nan
    else:
        around = _inner(chart) + _outside(chart) - chart.total[SUM]
        found[upper(n)] = np.exp(np.minimum(chart.labels + around[:, None], 0.0))
    return found.reshape(n, n, -1)


def _inner(chart: Chart) -> FloatArray:
    """Log-sums over what is within each span, (spans,)."""
    n = chart.words
    starts, widths = np.divmod(upper(n), n)
    widths -= starts
    inner: FloatArray = chart.right[SUM, starts + widths, n - 1 - widths]
    inner -= np.logaddexp(chart.labelled[SUM], 0.0)
    inner[:n] = 0.0
    return inner


def _outside(chart: Chart) -> FloatArray:
    """Log-sums over what is around each labelled span, (spans,).

    A span is a first sibling within spans that end later, or follows one within spans that start
    earlier. Tables as in the inside pass, [line, width - 1], with FORBIDDEN where a span would end
    outside the sentence; those of the inside pass are turned round to line up with them.
    """
    n = chart.words
    places = upper(n)
    starts, lasts = np.divmod(places, n)
    widths = lasts - starts
    rest, whole, above, below = np.full((4, n, n), FORBIDDEN)
    rest[starts, widths] = chart.right[SUM, lasts, n - 1 - widths]  # by start
    whole[lasts, widths] = chart.left[SUM, starts, widths]  # by last word
    labelled, around = chart.labelled[SUM], np.full(len(places), FORBIDDEN)
    at = len(places) - 1
    around[at] = 0.0
    bare = np.full(1, FORBIDDEN)  # around several siblings without a label
    for width in range(n, 0, -1):
        count = n - width + 1
        if width < n:
            first, later = np.full((2, count), FORBIDDEN)
            first[:-1] = _log_sum(above[: count - 1, width:] + rest[width:, : n - width])
            later[1:] = _log_sum(below[width:, width:] + whole[: n - width, : n - width])
            around[at : at + count] = np.logaddexp(first, later)
            bare = later
        inner = np.logaddexp(labelled[at : at + count] + around[at : at + count], bare)
        above[:count, width - 1] = below[width - 1 :, width - 1] = inner
        at -= count + 1
    return around


def _log_sum(terms: FloatArray) -> FloatArray:
    """Over the last axis."""
    most = terms.max(axis=-1)
    total: FloatArray = most + np.log(np.exp(terms - most[:, None]).sum(axis=-1))
    return total
