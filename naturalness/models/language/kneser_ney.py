"""Interpolated modified Kneser-Ney smoothing, with the same results as KenLM's `lmplz`.

After Chen and Goodman (1999), section 3 and equation 26; pruning and the order of computation follow Heafield et al.
(2013), "Scalable Modified Kneser-Ney Language Model Estimation". As in their paper, sums of counts are exact, and
everything computed from them is in single precision.

The n-grams of a text are counted in one pass. An n-gram of up to six words is stored as two integers, of three words
each, with the last word in the highest bits. When sorted, n-grams with the same last words are therefore adjacent. The
text is sorted and counted in chunks, whose counts are then merged. The result has one row in memory for each distinct
n-gram of the full order. Shorter n-grams need no second pass: since each sentence is padded with `<s>` at the front,
they are endings of full-order n-grams.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import BoolArray, Float32Array, IntArray
from naturalness.errors import CorpusError
from naturalness.models.language.tables import RESERVED, START, STOP, IdArray, Ngrams

FALLBACK = (0.0, 0.5, 1.0, 1.5)
"""Discounts of n-grams seen 0, 1, 2, and 3 or more times, used if they cannot be computed from the text; the same
as in lmplz."""
BITS = 21  # three words in 63 bits: the sign bit stays free, so signed integers sort correctly
PER_KEY = 3
MOST_WORDS = 1 << BITS
CHUNK = 4_000_000
"""Number of words in a chunk; sorting it takes about 100 bytes of memory per word."""

# kenlm reads <UNK> as <unk>, so <UNK> cannot be an ordinary word either.
_SKIPPED = {word.encode() for word in (*RESERVED, "<UNK>")}
Columns = tuple[IntArray, IntArray, IntArray]


@dataclass(frozen=True, slots=True)
class Counted:
    """The distinct n-grams of the full order, sorted by last word, then by the word before it, and so on."""

    words: list[str]
    """Words by id: the three reserved words, then the others in order of appearance."""
    order: int
    high: IntArray
    """Ids of the last three words of each n-gram, packed into one integer."""
    low: IntArray
    """Ids of the words before these, packed in the same way; zero if the order is at most 3."""
    counts: IntArray
    occurrences: IntArray
    """Number of occurrences of each word; `</s>` occurs once per sentence."""
    sentences: int
    tokens: int

    def word(self, position: int, rows: IntArray | None = None) -> IntArray:
        """Return the word ids at one position, of all n-grams or of those in ``rows``; position 0 is the last word."""
        key = self.high if position < PER_KEY else self.low
        key = key if rows is None else key[rows]
        return (key >> (BITS * (PER_KEY - 1 - position % PER_KEY))) & (MOST_WORDS - 1)


def units(line: str) -> list[bytes]:
    """Return the units of a line as UTF-8 bytes, without reserved words.

    Units are separated by ASCII white space and NUL, as in the kenlm package. `<s>`, `</s>` and `<unk>` in the text are
    skipped, as by `lmplz --skip_symbols`.
    """
    words = line.encode("utf-8", "replace").replace(b"\0", b" ").split()
    if "<" in line:
        return [unit for unit in words if unit not in _SKIPPED]
    return words


def count_ngrams(lines: Iterable[str], order: int, *, chunk: int = CHUNK) -> Counted:
    """Count the n-grams of a text with one sentence per line; lines without a unit are skipped."""
    reader = _Reader(order)
    chunks = [_count_chunk(tokens, order) for tokens in reader.chunks(lines, chunk)]
    if not chunks:
        raise CorpusError("the text has no words; expected lines of units with spaces between them")
    high, low, counts = chunks.pop() if len(chunks) == 1 else _sum(*map(np.concatenate, zip(*chunks, strict=True)))
    return Counted(
        [word.decode() for word in reader.ids],
        order,
        high,
        low,
        counts,
        reader.occurrences,
        reader.sentences,
        reader.tokens,
    )


class _Reader:
    """Converts lines to word ids; each sentence is padded with `<s>` in front and ends with `</s>`."""

    def __init__(self, order: int) -> None:
        self.ids: defaultdict[bytes, int] = defaultdict()
        self.ids.default_factory = self.ids.__len__  # an unseen word gets the next id
        for word in RESERVED:
            self.ids[word.encode()]
        self.order = order
        self.occurrences = np.zeros(len(self.ids), np.int64)
        self.sentences = self.tokens = 0

    def chunks(self, lines: Iterable[str], size: int) -> Iterator[NDArray[np.uint32]]:
        """Yield arrays of complete sentences, of about ``size`` ids each."""
        buffer = array("I")
        start = [START] * (self.order - 1)
        find = self.ids.__getitem__
        for line in lines:
            if not (words := units(line)):
                continue
            if len(buffer) >= size:
                yield self._close(buffer)
                buffer = array("I")
            self.sentences += 1
            self.tokens += len(words)
            buffer.extend(start)
            buffer.extend(map(find, words))
            buffer.append(STOP)
        if buffer:
            yield self._close(buffer)

    def _close(self, buffer: array[int]) -> NDArray[np.uint32]:
        if len(self.ids) > MOST_WORDS:
            raise CorpusError(
                f"the text has more than {MOST_WORDS - len(RESERVED):,} different words; "
                "replace rare ones before counting (`least`)"
            )
        tokens = np.frombuffer(buffer, np.uint32)
        seen = np.bincount(tokens, minlength=len(self.ids))
        seen[START] = 0
        seen[: len(self.occurrences)] += self.occurrences
        self.occurrences = seen
        return tokens


def _count_chunk(tokens: NDArray[np.uint32], order: int) -> Columns:
    """Return the distinct n-grams of a chunk with their counts, sorted."""
    ends = np.flatnonzero(tokens != START)
    keys = []
    for part in range(2):
        key = np.zeros(len(ends), np.int64)
        for position in range(part * PER_KEY, min(order, (part + 1) * PER_KEY)):
            # Each sentence starts with order - 1 ids of <s>, so an n-gram never reaches into the previous sentence.
            key |= tokens[ends - position].astype(np.int64) << (BITS * (PER_KEY - 1 - position % PER_KEY))
        keys.append(key)
    return _sum(keys[0], keys[1], np.ones(len(ends), np.int64))


def _sum(high: IntArray, low: IntArray, counts: IntArray) -> Columns:
    """Sort rows, merge equal ones and add up their counts."""
    rows = np.lexsort((low, high)) if low.any() else np.argsort(high)
    high, low, counts = high[rows], low[rows], counts[rows]
    fresh = np.empty(len(high), np.bool_)
    fresh[:1] = True
    fresh[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    first = np.flatnonzero(fresh)
    return high[first], low[first], np.add.reduceat(counts, first)


def estimate(lines: Iterable[str], *, order: int = 5, prune: Sequence[int] = ()) -> Ngrams:
    """Estimate an n-gram model from sentences, one per line, with spaces between units.

    ``prune`` gives, for each order, the count up to which n-grams are dropped; its last number also applies to all
    higher orders, as in `lmplz --prune`.
    """
    thresholds = [*prune, *[prune[-1] if prune else 0] * (order - len(prune))]
    counted = count_ngrams(lines, order)
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
    prefix = first if k == 2 else np.searchsorted(below.keys, below.prefix[suffix] * n_words + first)
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
