"""Interpolated modified Kneser-Ney smoothing, with the same results as KenLM's `lmplz`.

After Chen and Goodman (1999), section 3 and equation 26; pruning and the order of computation follow Heafield et al.
(2013), "Scalable Modified Kneser-Ney Language Model Estimation". As in their paper, sums of counts are exact, and
everything computed from them is in single precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import BoolArray, Float32Array, IntArray
from naturalness.models.language.counting import BITS, PER_KEY, Counted, count_ngrams
from naturalness.models.language.tables import RESERVED, START, IdArray, Ngrams, positions

FALLBACK = (0.0, 0.5, 1.0, 1.5)
"""Discounts of n-grams seen 0, 1, 2, and 3 or more times, used if they cannot be computed from the text; the same
as in lmplz."""


def estimate(
    lines: Iterable[str],
    *,
    order: int = 5,
    prune: Sequence[int] = (),
    advance: Callable[[int], object] = lambda n: None,
) -> Ngrams:
    """Estimate an n-gram model from sentences, one per line, with spaces between units.

    ``prune`` gives, for each order, the count up to which n-grams are dropped; its last number also applies to all
    higher orders, as in `lmplz --prune`. ``advance`` is called now and then with the number of lines read since the
    previous call.
    """
    thresholds = _thresholds(prune, order)
    counted = count_ngrams(lines, order, advance=advance)
    return smooth(counted, thresholds)


def smooth(counted: Counted, thresholds: Sequence[int]) -> Ngrams:
    """Return the model estimated from the n-gram counts of a text, with one pruning threshold per order."""
    shape = _Shape.of(counted)
    below, notes = _unigrams(counted, shape, thresholds[0])
    keep = below.keep
    numbers = (np.cumsum(keep) - 1).astype(np.uint32)  # renumber the words that are kept
    ids = [numbers[keep.nonzero()[0]][:, None]]
    raw = [counted.occurrences[keep]]
    logprobs, backoffs = [_log10(below.probabilities[keep])], []
    for k in range(2, counted.order + 1):
        level, left, note = _level(counted, shape, k, below, thresholds[k - 1])
        backoffs.append(_log10(left[below.keep]))
        ids.append(_word_ids(counted, k, level.rows[level.keep], numbers))
        logprobs.append(_log10(level.probabilities[level.keep]))
        raw.append(level.raw[level.keep])
        notes += note
        below = level
    return Ngrams(
        list(compress(counted.words, keep)),
        tuple(ids),
        tuple(logprobs),
        tuple(backoffs),
        tuple(raw),
        counted.sentences,
        counted.tokens,
        tuple(notes),
    )


def _thresholds(prune: Sequence[int], order: int) -> list[int]:
    """Return the pruning threshold of each order."""
    counts = list(prune) or [0]
    if len(counts) > order or counts != sorted(counts) or counts[0] < 0:
        raise ValueError(
            f"prune is {tuple(prune)}; expected at most {order} counts from 0 up, none below "
            "the one before it: a pruned n-gram would otherwise be part of a longer one"
        )
    return counts + counts[-1:] * (order - len(counts))


class _Shape(NamedTuple):
    """For each row of the counted n-grams: how it differs from the row above, and which of its endings are n-grams."""

    same: NDArray[np.int8]
    """Number of final words shared with the row above."""
    reach: NDArray[np.int8]
    """Length of the longest ending with at most one `<s>`; longer endings contain padding and are not n-grams."""

    @classmethod
    def of(cls, counted: Counted) -> _Shape:
        same = np.zeros(len(counted.high), np.int8)
        for key in (counted.high, counted.low):
            equal = same[1:] == (PER_KEY if key is counted.low else 0)
            differs = key[1:] ^ key[:-1]
            for shared in range(PER_KEY):
                same[1:] += equal & (differs < 1 << (BITS * shared))
        reach = np.full(len(counted.high), counted.order, np.int8)
        for position in reversed(range(counted.order)):
            reach[counted.word(position) == START] = position + 1
        return cls(np.minimum(same, counted.order - 1), reach)


class _Level(NamedTuple):
    """The n-grams of one order, including pruned ones, sorted by last word, then by the word before it, and so on."""

    rows: IntArray
    """For each n-gram, the first row of the counted n-grams that ends with it."""
    ranks: IntArray
    """For each row of the counted n-grams, the index of the n-gram that it ends with; empty at the full order."""
    keys: IntArray
    """Sort key of each n-gram, ascending: the index of its ending among the n-grams one word shorter, combined with the
    id of its first word. Empty at the full order."""
    prefix: IntArray
    """For each n-gram, the index of its context (all but the last word) among the n-grams one word shorter."""
    keep: BoolArray
    raw: IntArray
    probabilities: Float32Array


def _adjusted(counted: Counted, shape: _Shape, k: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return rows, raw counts and adjusted counts of the k-grams, and how many k-grams have each adjusted count.

    The adjusted count is the number of distinct words that precede the k-gram; but for k-grams of the full order, and
    those that begin with `<s>`, which no word can precede, it is the raw count.
    """
    if k == counted.order:
        rows = np.flatnonzero(shape.reach >= k)
        raw = adjusted = counted.counts[rows]
    else:
        edges = np.flatnonzero(shape.same < k)
        real = shape.reach[edges] >= k
        raw = np.add.reduceat(counted.counts, edges)[real]
        adjusted = np.add.reduceat(shape.same <= k, edges, dtype=np.int64)[real]
        rows = edges[real]
        starts = counted.word(k - 1, rows) == START
        adjusted[starts] = raw[starts]
    tally = np.bincount(np.minimum(adjusted, 5), minlength=6)
    if k < counted.order and shape.reach[-1] >= k:
        # lmplz uses the raw count of the very last n-gram of an order; on a small text the
        # discounts would differ otherwise.
        tally[min(adjusted[-1], 5)] -= 1
        tally[min(raw[-1], 5)] += 1
    return rows, raw, adjusted, tally


def _discounts(tally: IntArray, k: int) -> tuple[Float32Array, list[str]]:
    """Return the discounts for adjusted counts of 0, 1, 2, and 3 or more, and a note if they are `FALLBACK`."""
    seen = tally.astype(np.float32)
    amounts = np.zeros(4, np.float32)
    if seen[1:4].all():
        ratio = seen[1] / np.float32(tally[1] + 2.0 * tally[2])
        for j in range(1, 4):
            amounts[j] = np.float32(j) - np.float32(j + 1) * ratio * seen[j + 1] / seen[j]
        if (amounts >= 0).all() and (amounts <= np.arange(4)).all():
            return amounts, []
    note = f"discounts of {k}-grams cannot be computed from this text; took {', '.join(map(str, FALLBACK[1:]))} instead"
    return np.array(FALLBACK, np.float32), [note]


def _weights(
    adjusted: IntArray, keep: BoolArray, prefix: IntArray, n_contexts: int, amounts: Float32Array
) -> tuple[Float32Array, Float32Array]:
    """Return each context's total count and its back-off mass: the share of probability reserved for shorter contexts.

    The mass is the share that discounting and pruning have freed.
    """
    totals = np.bincount(prefix, adjusted, n_contexts).astype(np.float32)
    left = np.zeros(n_contexts, np.float32)
    size = np.where(keep, np.minimum(adjusted, 3), 0).astype(np.int8)
    for j in range(1, 4):
        n_discounted = np.bincount(prefix[size == j], minlength=n_contexts)
        left += amounts[j] * n_discounted.astype(np.float32)
    pruned = ~keep
    left += np.bincount(prefix[pruned], adjusted[pruned], n_contexts).astype(np.float32)
    # A context that no n-gram extends backs off with all its mass.
    return totals, np.divide(left, totals, out=np.ones_like(left), where=totals > 0)


def _unigrams(counted: Counted, shape: _Shape, threshold: int) -> tuple[_Level, list[str]]:
    """Return the unigrams, interpolated with the uniform distribution, and notes.

    The probability of `<unk>` comes only from the uniform distribution.
    """
    n_words = len(counted.words)
    rows, raw, adjusted, tally = _adjusted(counted, shape, 1)
    present = counted.word(0, rows)
    counts = np.zeros(n_words, np.int64)
    counts[present] = adjusted
    keep = np.ones(n_words, np.bool_)
    keep[present] = raw > threshold
    keep[: len(RESERVED)] = True
    amounts, notes = _discounts(tally, 1)
    prefix = np.zeros(n_words, np.int64)
    totals, left = _weights(counts, keep, prefix, 1, amounts)
    uniform = np.float32(1.0 / (keep.sum() - 1))  # <s> is never predicted
    probabilities = (counts.astype(np.float32) - amounts[np.minimum(counts, 3)]) / totals[0]
    probabilities += left[0] * uniform
    probabilities[START] = 1
    keys = np.arange(n_words)
    return _Level(rows, counted.word(0), keys, prefix, keep, raw, probabilities), notes


def _level(
    counted: Counted, shape: _Shape, k: int, below: _Level, threshold: int
) -> tuple[_Level, Float32Array, list[str]]:
    """Return the k-grams; the back-off mass of each (k-1)-gram, as a context; and notes."""
    rows, raw, adjusted, tally = _adjusted(counted, shape, k)
    first = counted.word(k - 1, rows)
    suffix = below.ranks[rows]
    keep = raw > threshold
    n_words = len(counted.words)
    prefix = first if k == 2 else positions(below.keys, below.prefix[suffix] * n_words + first)
    amounts, notes = _discounts(tally, k)
    totals, left = _weights(adjusted, keep, prefix, len(below.keys), amounts)
    probabilities = adjusted.astype(np.float32) - amounts[np.minimum(adjusted, 3)]
    probabilities /= totals[prefix]
    probabilities += left[prefix] * below.probabilities[suffix]
    if k == counted.order:  # only longer n-grams, which do not exist, would need these
        ranks = keys = np.zeros(0, np.int64)
    else:
        ranks = np.zeros(len(counted.high), np.int64)
        ranks[rows] = 1
        np.cumsum(ranks, out=ranks)
        ranks -= 1
        keys = suffix * n_words + first
    return _Level(rows, ranks, keys, prefix, keep, raw, probabilities), left, notes


def _word_ids(counted: Counted, k: int, rows: IntArray, numbers: IdArray) -> IdArray:
    """Return the word ids of k-grams, first word first; ``numbers`` maps ids to those in the pruned vocabulary."""
    ids = np.empty((len(rows), k), np.uint32)
    for position in range(k):
        ids[:, k - 1 - position] = numbers[counted.word(position, rows)]
    return ids


def _log10(values: Float32Array) -> Float32Array:
    """Return log10 in single precision, clipped to at most 0, since rounding may have raised a probability above 1."""
    smallest = np.finfo(np.float32).tiny
    # numpy's own single-precision log10 is wrong in the last bit for about half of all numbers.
    logs = np.log10(np.maximum(values, smallest), dtype=np.float64).astype(np.float32)
    return np.minimum(logs, np.float32(0))
