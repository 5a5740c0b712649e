"""Probabilities of outcomes in contexts of growing length: Witten-Bell interpolation, exact.

A context is a tuple of small integers, the most important first. With n(c) the weight of a context,
t(c) the number of different outcomes kept in it and d(c) the weight of those that were dropped,

    P(o | c) = (n(c, o) + (k t(c) + d(c)) P(o | c without its last)) / (n(c) + k t(c))

with one k for each length (Witten and Bell, 1991, have k = 1); the outcome in an unseen context has
the probability of the next shorter one, and without any context the base is a ``floor`` that the
caller gives. Where the floors of all outcomes sum to 1, so do the probabilities.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import IntArray

MAX_PACKED = 1 << 62
"""Packed contexts, and sums of weights, stay below it."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted for contexts of one length; the order is that of contexts and outcomes."""

    scale: float
    """k of the formula."""
    contexts: IntArray
    """Packed by `pack`, ascending."""
    sizes: IntArray
    """Outcomes kept of each context."""
    dropped: IntArray
    """Weight of the outcomes that were not."""
    outcomes: IntArray
    weights: IntArray


class Level(NamedTuple):
    """Probabilities made of `Counts`, in arrays that `bisect` reads without making a copy."""

    contexts: array[int]
    starts: array[int]
    outcomes: array[int]
    shares: array[float]
    left: array[float]


class Backoff:
    """A distribution over outcomes for every context."""

    def __init__(self, radix: Sequence[int], counts: Sequence[Counts]) -> None:
        self.radix = tuple(radix)
        self.levels = tuple(map(_level, counts))

    def prob(self, context: Sequence[int], outcome: int, floor: float) -> float:
        """Return the probability of an outcome, in (0, 1]; ``floor`` is its probability without counts."""
        share, left = self.split(context, outcome)
        return share + left * floor

    def split(self, context: Sequence[int], outcome: int) -> tuple[float, float]:
        """Return the probability by counts, and the share that is left to the floor."""
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


def _level(counts: Counts) -> Level:
    starts = np.concatenate([[0], np.cumsum(counts.sizes)])
    summed = np.concatenate([[0], np.cumsum(counts.weights)])
    reserved = counts.scale * counts.sizes + counts.dropped
    total = summed[starts[1:]] - summed[starts[:-1]] + reserved
    return Level(
        array("q", counts.contexts.astype(np.int64).tobytes()),
        array("q", starts.astype(np.int64).tobytes()),
        array("q", counts.outcomes.astype(np.int64).tobytes()),
        array("d", (counts.weights / np.repeat(total, counts.sizes)).tobytes()),
        array("d", (reserved / total).tobytes()),
    )


def pack(contexts: IntArray, radix: Sequence[int]) -> IntArray:
    """Return rows of contexts as one number each, in the order of the rows."""
    _check_room(radix)
    key: IntArray = np.zeros(len(contexts), np.int64)
    for column, size in zip(contexts.T, radix, strict=True):
        key = key * size + column
    return key


def _check_room(radix: Sequence[int]) -> None:
    """Refuse contexts whose numbers would not fit: they would be taken for others."""
    if prod(radix) >= MAX_PACKED:
        raise ValueError(f"contexts of {tuple(radix)} values: too many for numbers of 64 bits")


def to_arrays(name: str, radix: Sequence[int], counts: Sequence[Counts]) -> dict[str, Any]:
    """Return the arrays of a distribution for a file, in the smallest integers that hold them."""
    steps = [np.diff(level.contexts, prepend=0) for level in counts]
    return {
        f"{name}.radix": np.array(radix, np.int64),
        f"{name}.scales": np.array([level.scale for level in counts]),
        f"{name}.lengths": np.array([len(level.contexts) for level in counts], np.int64),
        f"{name}.steps": _small(np.concatenate(steps)),
    } | {
        f"{name}.{part}": _small(np.concatenate([getattr(level, part) for level in counts]))
        for part in ("sizes", "dropped", "outcomes", "weights")
    }


def _small(values: IntArray) -> NDArray[Any]:
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def from_arrays(name: str, arrays: Mapping[str, NDArray[Any]], radix: Sequence[int], outcomes: int) -> Backoff:
    """Return the distribution that `to_arrays` wrote; raise `ValueError` if the sizes of its arrays do not fit."""

    def whole(part: str) -> IntArray:
        integers: IntArray = arrays[f"{name}.{part}"].astype(np.int64).ravel()
        return integers

    _check_room(radix)
    scales, lengths = arrays[f"{name}.scales"], whole("lengths")
    steps, sizes, dropped, events, weights = map(whole, ("steps", "sizes", "dropped", "outcomes", "weights"))
    ends, stops = np.cumsum(lengths), np.concatenate([[0], np.cumsum(sizes)])
    if not (
        tuple(whole("radix")) == tuple(radix)
        and scales.shape == lengths.shape
        and 1 <= len(lengths) <= len(radix) + 1
        and len(steps) == len(sizes) == len(dropped) == ends[-1]
        and len(events) == len(weights) == stops[-1]
        and min(lengths.min(), sizes.min(), weights.min(), scales.min()) > 0
        and (events < outcomes).all()
    ):
        raise ValueError(f"{name}: contexts, outcomes and weights do not fit together")
    levels = []
    for start, end, scale in zip(ends - lengths, ends, scales.tolist(), strict=True):
        part = slice(stops[start], stops[end])
        contexts = np.cumsum(steps[start:end])
        levels.append(Counts(scale, contexts, sizes[start:end], dropped[start:end], events[part], weights[part]))
    return Backoff(radix, levels)
