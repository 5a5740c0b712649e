"""Turn weighted events into the counts of a back-off distribution; its constants are fitted on held-out events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import IntArray
from naturalness.models.parsers.generative.backoff import Counts

Floats = NDArray[np.float64]
SCALES = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0, 7.0, 12.0, 20.0, 40.0)
"""Tried for each length of context, in units of the weight of an event of the main treebank."""


MAX_PACKED = 1 << 62
"""Upper bound for contexts packed into one integer, so that they fit into 64 bits."""


def pack(contexts: IntArray, radix: Sequence[int]) -> IntArray:
    """Pack each row, which is a context, into one integer; the integers sort in the same order as the rows."""
    if prod(radix) >= MAX_PACKED:
        raise ValueError(f"contexts of {tuple(radix)} values: too many for numbers of 64 bits")
    key: IntArray = np.zeros(len(contexts), np.int64)
    for column, size in zip(contexts.T, radix, strict=True):
        key = key * size + column
    return key


@dataclass(frozen=True, slots=True)
class Events:
    """Outcomes in contexts; an unknown element of a context and all elements after it are -1."""

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
    """Return events from rows whose last element is the outcome."""
    table = np.array(rows, np.int64)
    return Events(table[:, :-1], table[:, -1], np.ones(len(table), np.int64))


@dataclass(frozen=True, slots=True)
class Fitted:
    """Counts by length of context, and the resulting probabilities of held-out events."""

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
    """Count events, and choose for each length of context the scale that maximises the held-out likelihood.

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
    """Return contexts, the number of outcomes and the dropped weight of each; then all outcomes and their weights."""
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
    """Compute one step of `Backoff.split` for many events at once."""
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
    """Return the positions of keys in an ascending table, and whether they are in it."""
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return at, table[at] == keys
