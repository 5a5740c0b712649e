"""From weighted events to the counts of a back-off distribution, its constants fitted on others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import IntArray
from naturalness.models.parsers.generative.backoff import Counts, pack

Floats = NDArray[np.float64]
SCALES = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0, 7.0, 12.0, 20.0, 40.0)
"""Tried for each length of context, in units of the weight of an event of the main treebank."""


@dataclass(frozen=True, slots=True)
class Events:
    """Outcomes in contexts; a place of a context that is not known is -1, as are all behind it."""

    contexts: IntArray
    """(n, places)"""
    outcomes: IntArray
    weights: IntArray

    def __add__(self, other: Events) -> Events:
        return Events(
            np.concatenate([self.contexts, other.contexts]),
            np.concatenate([self.outcomes, other.outcomes]),
            np.concatenate([self.weights, other.weights]),
        )


def events(rows: Sequence[Sequence[int]]) -> Events:
    """Events of rows that end with the outcome."""
    table = np.array(rows, np.int64)
    return Events(table[:, :-1], table[:, -1], np.ones(len(table), np.int64))


@dataclass(frozen=True, slots=True)
class Fitted:
    """Counts by length of context, and the probabilities that they give the held-out events."""

    counts: list[Counts]
    probs: Floats


def fit(
    seen: Events,
    held_out: Events,
    floors: Floats,
    *,
    radix: Sequence[int],
    outcomes: int,
    unit: int,
    least: Sequence[int],
) -> Fitted:
    """Count, and choose for each length of context the scale that held-out events like best.

    Events of less weight than ``least`` (by length of context) are dropped, and so are outcomes
    with the number ``outcomes``, which stands for all that have none.
    """
    counts, probs = [], floors
    for length in range(len(radix) + 1):
        known = (seen.contexts[:, :length] >= 0).all(axis=1)
        level = _count(
            pack(seen.contexts[known, :length], radix[:length]),
            seen.outcomes[known],
            seen.weights[known],
            outcomes,
            least[length],
        )
        keys = pack(held_out.contexts[:, :length], radix[:length])
        best = -np.inf
        for scale in SCALES:
            tried = Counts(scale * unit, *level)
            probabilities_tried = probabilities(tried, keys, held_out.outcomes, probs, outcomes)
            total = float(held_out.weights @ np.log(probabilities_tried))
            if total > best:
                best, chosen, after = total, tried, probabilities_tried
        counts.append(chosen)
        probs = after
    return Fitted(counts, probs)


def _count(
    keys: IntArray, events: IntArray, weights: IntArray, outcomes: int, least: int
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Contexts, outcomes kept of each, weight dropped of each; outcomes, their weights."""
    packed, inverse = np.unique(keys * (outcomes + 1) + events, return_inverse=True)
    total = np.bincount(inverse, weights).astype(np.int64)
    known = packed % (outcomes + 1)
    frequent = (total >= least) & (known < outcomes)
    contexts, row = np.unique(packed // (outcomes + 1), return_inverse=True)
    sizes = np.bincount(row, frequent).astype(np.int64)
    dropped = np.bincount(row, total * ~frequent).astype(np.int64)
    some = sizes > 0
    return contexts[some], sizes[some], dropped[some], known[frequent], total[frequent]


def probabilities(counts: Counts, keys: IntArray, events: IntArray, lower: Floats, outcomes: int) -> Floats:
    """One step of `Backoff.split` for many events at once."""
    stops = np.cumsum(counts.sizes)
    summed = np.add.reduceat(counts.weights, stops - counts.sizes)
    reserved = counts.scale * counts.sizes + counts.dropped
    total = summed + reserved
    row, known = _look_up(counts.contexts, keys)
    packed = np.repeat(counts.contexts, counts.sizes) * (outcomes + 1) + counts.outcomes
    event, hit = _look_up(packed, keys * (outcomes + 1) + events)
    share = np.where(hit, counts.weights[event], 0) / total[row]
    probs: Floats = np.where(known, share + (reserved / total)[row] * lower, lower)
    return probs


def _look_up(table: IntArray, keys: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
    """Places of keys in an ascending table, and whether they are there."""
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return at, table[at] == keys
