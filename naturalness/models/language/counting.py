"""Count the n-grams of a text in one pass.

An n-gram of up to six words is two integers of three words each, the last word in the highest
bits: sorted, n-grams with the same ending stand together, and so do those of every shorter ending.
Chunks of the text are sorted and counted on their own, and then together. What stays in memory in
the end is one row for each different n-gram of the full order. Shorter n-grams are endings of these,
because each sentence is filled up with `<s>` in front, so no second pass is needed.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import IntArray
from naturalness.errors import CorpusError
from naturalness.models.language.tables import MAX_ORDER, RESERVED, START, STOP

BITS = 21  # three words in 63 bits: the sign stays free, so signed integers sort rightly
PER_KEY = 3
MOST_WORDS = 1 << BITS
CHUNK = 4_000_000
"""Words in a chunk; about 100 bytes of memory each while it is sorted."""
LINES_PER_REPORT = 10_000

# kenlm takes <UNK> for <unk> when it reads a model, so it cannot be a word of its own either.
_SKIPPED = {word.encode() for word in (*RESERVED, "<UNK>")}
Columns = tuple[IntArray, IntArray, IntArray]


@dataclass(frozen=True, slots=True)
class Counted:
    """The different n-grams of the full order, sorted from the last word to the first."""

    words: list[str]
    """Words by id, in order of appearance after the three reserved ones."""
    order: int
    high: IntArray
    """The last three words of each n-gram, packed."""
    low: IntArray
    """The words before those, packed; zero where the order ends."""
    counts: IntArray
    occurrences: IntArray
    """How often each word occurred; `</s>` once a sentence."""
    sentences: int
    tokens: int

    def word(self, position: int, rows: IntArray | None = None) -> IntArray:
        """Return ids of one word of all n-grams or of some; position 0 is the last word, 1 the one before."""
        key = self.high if position < PER_KEY else self.low
        key = key if rows is None else key[rows]
        return (key >> (BITS * (PER_KEY - 1 - position % PER_KEY))) & (MOST_WORDS - 1)


def units(line: str) -> list[bytes]:
    """Return the units of a line, in UTF-8, without reserved words.

    White space is that of ASCII and NUL, as the kenlm package splits. `<s>`, `</s>` and `<unk>` in
    the text are passed over like white space, as `lmplz --skip_symbols` does.
    """
    words = line.encode("utf-8", "replace").replace(b"\0", b" ").split()
    if "<" in line:
        return [unit for unit in words if unit not in _SKIPPED]
    return words


def reported(lines: Iterable[str], advance: Callable[[int], object] | None) -> Iterator[str]:
    """Yield lines; tell ``advance`` how many more were read."""
    unreported = 0
    for line in lines:
        yield line
        unreported += 1
        if advance and unreported == LINES_PER_REPORT:
            advance(unreported)
            unreported = 0
    if advance and unreported:
        advance(unreported)


def count_ngrams(
    lines: Iterable[str], order: int, *, chunk: int = CHUNK, advance: Callable[[int], object] | None = None
) -> Counted:
    """Count the n-grams of a text, one sentence a line; lines without a unit are no sentences.

    ``advance`` is told how many more lines were read.
    """
    if isinstance(lines, str):
        raise TypeError("lines is one string; expected an iterable of lines")
    if not 2 <= order <= MAX_ORDER:
        raise ValueError(f"order is {order!r}; expected 2 to {MAX_ORDER}, which kenlm can read")
    reader = _Reader(order)
    chunks = [_count_chunk(tokens, order) for tokens in reader.chunks(reported(lines, advance), chunk)]
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
    """Turns lines into ids, each sentence with `<s>` in front and `</s>` behind."""

    def __init__(self, order: int) -> None:
        self.ids: defaultdict[bytes, int] = defaultdict()
        self.ids.default_factory = self.ids.__len__  # a new word gets the next id
        for word in RESERVED:
            self.ids[word.encode()]
        self.order = order
        self.occurrences = np.zeros(len(self.ids), np.int64)
        self.sentences = self.tokens = 0

    def chunks(self, lines: Iterable[str], size: int) -> Iterator[NDArray[np.uint32]]:
        """Yield complete sentences, about ``size`` ids at a time."""
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
                "replace rare ones before counting, or use lmplz"
            )
        tokens = np.frombuffer(buffer, np.uint32)
        seen = np.bincount(tokens, minlength=len(self.ids))
        seen[START] = 0
        seen[: len(self.occurrences)] += self.occurrences
        self.occurrences = seen
        return tokens


def _count_chunk(tokens: NDArray[np.uint32], order: int) -> Columns:
    """Return the different n-grams of a chunk with their counts, sorted."""
    ends = np.flatnonzero(tokens != START)
    keys = []
    for part in range(2):
        key = np.zeros(len(ends), np.int64)
        for position in range(part * PER_KEY, min(order, (part + 1) * PER_KEY)):
            # Every end has order - 1 ids of its own sentence before it.
            key |= tokens[ends - position].astype(np.int64) << (BITS * (PER_KEY - 1 - position % PER_KEY))
        keys.append(key)
    return _sum(keys[0], keys[1], np.ones(len(ends), np.int64))


def _sum(high: IntArray, low: IntArray, counts: IntArray) -> Columns:
    """Sort rows and add up the counts of equal ones."""
    rows = np.lexsort((low, high)) if low.any() else np.argsort(high)
    high, low, counts = high[rows], low[rows], counts[rows]
    fresh = np.empty(len(high), np.bool_)
    fresh[:1] = True
    fresh[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    first = np.flatnonzero(fresh)
    return high[first], low[first], np.add.reduceat(counts, first)
