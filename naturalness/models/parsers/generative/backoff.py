"""Witten-Bell smoothing: the probability of an outcome, interpolated over contexts of increasing length.

A context is a tuple of small integers, the most important one first. If n(c) is the total weight of context c, t(c) the
number of distinct outcomes kept for it, and d(c) the weight of the outcomes dropped from it, then

    P(o | c) = (n(c, o) + (k t(c) + d(c)) P(o | c without its last)) / (n(c) + k t(c))

with a separate k for each length (Witten and Bell, 1991, use k = 1). An unseen context has the probabilities of the
next shorter context. The empty context backs off to a probability that the caller gives, the ``floor``. If the floors
of all outcomes sum to 1, so do their probabilities.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import IntArray


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of outcomes for contexts of one length, sorted by context, then by outcome."""

    scale: float
    """The factor k in the formula."""
    contexts: IntArray
    """Contexts, each packed into one integer, in ascending order."""
    sizes: IntArray
    """Number of outcomes kept for each context."""
    dropped: IntArray
    """Total weight of the outcomes dropped from each context."""
    outcomes: IntArray
    weights: IntArray


class BackoffLevel(NamedTuple):
    """Shares and back-off weights computed from `Counts`, in arrays that `bisect` can search without a copy."""

    contexts: array[int]
    starts: array[int]
    outcomes: array[int]
    shares: array[float]
    left: array[float]


class Backoff:
    """A smoothed distribution over outcomes for every context."""

    def __init__(self, radix: Sequence[int], counts: Sequence[Counts]) -> None:
        self.radix = tuple(radix)
        self.levels = tuple(map(_level, counts))

    def prob(self, context: Sequence[int], outcome: int, floor: float) -> float:
        """Return the probability of an outcome, in (0, 1]; the empty context backs off to ``floor``."""
        share, left = self.split(context, outcome)
        return share + left * floor

    def split(self, context: Sequence[int], outcome: int) -> tuple[float, float]:
        """Return the part of the probability that comes from counts, and the weight of the floor."""
        share, remaining, key = 0.0, 1.0, 0
        for length, (contexts, starts, outcomes, shares, left) in enumerate(self.levels):
            if length:
                key = key * self.radix[length - 1] + context[length - 1]
            at = bisect_left(contexts, key)
            if at == len(contexts) or contexts[at] != key:
                break
            stop = starts[at + 1]
            position = bisect_left(outcomes, outcome, starts[at], stop)
            share *= left[at]
            remaining *= left[at]
            if position < stop and outcomes[position] == outcome:
                share += shares[position]
        return share, remaining


def _level(counts: Counts) -> BackoffLevel:
    starts = np.concatenate([[0], np.cumsum(counts.sizes)])
    summed = np.concatenate([[0], np.cumsum(counts.weights)])
    reserved = counts.scale * counts.sizes + counts.dropped
    total = summed[starts[1:]] - summed[starts[:-1]] + reserved
    return BackoffLevel(
        array("q", counts.contexts.astype(np.int64).tobytes()),
        array("q", starts.astype(np.int64).tobytes()),
        array("q", counts.outcomes.astype(np.int64).tobytes()),
        array("d", (counts.weights / np.repeat(total, counts.sizes)).tobytes()),
        array("d", (reserved / total).tobytes()),
    )


def from_arrays(name: str, arrays: Mapping[str, NDArray[Any]], radix: Sequence[int]) -> Backoff:
    """Return the distribution that is stored under a name; the caller verifies checksums."""

    def whole(part: str) -> IntArray:
        return arrays[f"{name}.{part}"].astype(np.int64).ravel()

    scales, lengths = arrays[f"{name}.scales"], whole("lengths")
    steps, sizes, dropped, events, weights = map(whole, ("steps", "sizes", "dropped", "outcomes", "weights"))
    ends, stops = np.cumsum(lengths), np.concatenate([[0], np.cumsum(sizes)])
    levels = []
    for start, end, scale in zip(ends - lengths, ends, scales.tolist(), strict=True):
        part = slice(stops[start], stops[end])
        contexts = np.cumsum(steps[start:end])
        levels.append(Counts(scale, contexts, sizes[start:end], dropped[start:end], events[part], weights[part]))
    return Backoff(radix, levels)
