"""Count the n-grams of a text in one pass.

An n-gram of up to six words is stored as two integers, of three words each, with the last word in the highest bits.
When sorted, n-grams with the same last words are therefore adjacent. The text is sorted and counted in chunks, whose
counts are then merged. The result has one row in memory for each distinct n-gram of the full order. Shorter n-grams
need no second pass: since each sentence is padded with `<s>` at the front, they are endings of full-order n-grams.
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

BITS = 21  # three words in 63 bits: the sign bit stays free, so signed integers sort correctly
PER_KEY = 3
MOST_WORDS = 1 << BITS
CHUNK = 4_000_000
"""Number of words in a chunk; sorting it takes about 100 bytes of memory per word."""
LINES_PER_REPORT = 10_000

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


def reported(lines: Iterable[str], advance: Callable[[int], object]) -> Iterator[str]:
    """Yield the lines; now and then call ``advance`` with the number of lines read since the previous call."""
    unreported = 0
    for line in lines:
        yield line
        unreported += 1
        if unreported == LINES_PER_REPORT:
            advance(unreported)
            unreported = 0
    advance(unreported)


def count_ngrams(
    lines: Iterable[str], order: int, *, chunk: int = CHUNK, advance: Callable[[int], object] = lambda n: None
) -> Counted:
    """Count the n-grams of a text with one sentence per line; lines without a unit are skipped.

    ``advance`` is called now and then with the number of lines read since the previous call.
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
