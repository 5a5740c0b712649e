"""Read KenLM's binary tries without KenLM: a numpy implementation, with the same results to the last digit.

All four kinds that `build_binary trie` writes (`lm/search_trie.hh`) are supported: quantised or not (`-q`, `-b`,
`lm/quantize.hh`), with full or compressed pointers (`-a`, `lm/bhiksha.hh`). A file is mapped into memory, not read. If
the kenlm package is installed, it is used instead of this module, since it is faster.

The lookup of an n-gram starts at its last word and goes backwards. The lookup at one position also finds the back-off
weights that the next position needs; as in KenLM, they are added in single precision, from the shortest context to the
longest.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import BoolArray, Float32Array, FloatArray, IntArray
from naturalness.models.language.base import END
from naturalness.models.language.formats import AT, HEAD, HEAD_FIELDS, ROWS, is_binary, murmur64
from naturalness.models.language.tables import MAX_ORDER

TRIE, QUANTISED, CUT, QUANTISED_AND_CUT = 2, 3, 4, 5
"""KenLM's numbers for the four kinds of tries; CUT means compressed pointers."""
KINDS = (TRIE, QUANTISED, CUT, QUANTISED_AND_CUT)
QUANTISATION, POINTERS = 2, 0
"""Supported format versions of quantisation tables and of compressed pointers."""
LOG_BITS, BACKOFF_BITS = 31, 32
"""Bit widths of unquantised log-probabilities and back-offs."""
LINES = 512
"""Maximum number of lines scored at a time."""
UNIGRAM = np.dtype([("log", "<f4"), ("backoff", "<f4"), ("next", "<u8")])
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.uint64]


def bits_for(value: int) -> int:
    """Return the number of bits needed to store a number."""
    return int(value).bit_length()


@dataclass(frozen=True, slots=True)
class TrieLevel:
    """The n-grams of one length, sorted by ending (all words but the first), then by first word; rows of bits."""

    eights: Numbers
    """The 64-bit integers that start at each byte of the rows."""
    row: int
    """Number of bits per row."""
    word_bits: int
    logs: Float32Array | None
    """Lookup table of quantised log-probabilities; None if the file is not quantised."""
    backoffs: Float32Array | None
    next_bits: int
    """Number of low pointer bits stored in each row; 0 for the longest n-grams, which have no pointers."""
    offsets: IntArray | None
    """The rows at which the high bits of pointers, which are not stored in the rows, increase by one; None if pointers
    are not compressed."""
    size: int
    """Number of n-grams."""

    def read(self, rows: IntArray, at: int, width: int) -> IntArray:
        """Return one field of the given rows: ``width`` bits (at most 57) starting at bit ``at`` of each row."""
        bits = rows * self.row + at
        field = (self.eights[bits >> 3] >> (bits & 7).astype(np.uint64)) & np.uint64((1 << width) - 1)
        numbers: IntArray = field.astype(np.int64)
        return numbers

    def words(self, rows: IntArray) -> IntArray:
        """Return the number of the first word of each row's n-gram."""
        return self.read(rows, 0, self.word_bits)

    def log(self, rows: IntArray) -> Float32Array:
        """Return log10 of the probability of each row's last word given the words before it."""
        if self.logs is None:
            plain = self.read(rows, self.word_bits, LOG_BITS).astype(np.uint32) | np.uint32(1 << LOG_BITS)
            return plain.view(np.float32)
        width = bits_for(len(self.logs) - 1)
        return self.logs[self.read(rows, self.word_bits + self._backoff_bits, width)]

    def backoff(self, rows: IntArray) -> Float32Array:
        """Return log10 of each row's back-off weight."""
        if self.backoffs is None:
            plain = self.read(rows, self.word_bits + LOG_BITS, BACKOFF_BITS)
            return plain.astype(np.uint32).view(np.float32)
        return self.backoffs[self.read(rows, self.word_bits, self._backoff_bits)]

    @property
    def _backoff_bits(self) -> int:
        return 0 if self.backoffs is None else bits_for(len(self.backoffs) - 1)

    def children(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return the start and end, in the next level, of the n-grams that add a word in front of each row's n-gram."""
        begin, end = (self._next(rows + i) for i in (0, 1))
        return begin, end

    def pointers(self) -> Iterator[IntArray]:
        """Yield all pointers in batches: where each row's `children` start, and where the last row's `children` end."""
        for first in range(0, self.size + 1, ROWS):
            yield self._next(np.arange(first, min(first + ROWS, self.size + 1)))

    def _next(self, rows: IntArray) -> IntArray:
        low = self.read(rows, self.row - self.next_bits, self.next_bits)
        if self.offsets is None:
            return low
        high = np.searchsorted(self.offsets, rows, side="right") - 1
        return (high << self.next_bits) | low


@dataclass(frozen=True, slots=True)
class TrieModel:
    """Replacement for `kenlm.Model`, with the same results."""

    order: int
    hashes: Numbers
    """Hashes of the words, in ascending order; the first belongs to word 1."""
    unigrams: NDArray[np.void]
    levels: tuple[TrieLevel, ...]
    """The n-grams of each length, from bigrams upwards."""

    def ids(self, words: Sequence[str]) -> IntArray:
        """Return the number of each word; 0 for an unknown word."""
        different = list(dict.fromkeys(words))
        hashed = murmur64([word.encode() for word in different])
        at = np.searchsorted(self.hashes, hashed)
        known = self.hashes[np.minimum(at, len(self.hashes) - 1)] == hashed
        number = dict(zip(different, np.where(known, at + 1, 0).tolist(), strict=True))
        return np.fromiter(map(number.__getitem__, words), np.int64, len(words))

    def full_scores(self, line: str, bos: bool = True, eos: bool = True) -> Iterator[tuple[float, int, bool]]:
        """Yield log10 p, n-gram length, and whether the word is unknown, for each word and the end, as kenlm does."""
        logs, lengths, unknown = self._scored([line.split()], bos=bos, eos=eos)
        yield from zip(logs.tolist(), lengths.tolist(), unknown.tolist(), strict=True)

    def score_lines(self, lines: Iterable[str]) -> tuple[FloatArray, IntArray, BoolArray]:
        """Return the three values of `full_scores` as arrays, concatenated over all lines."""
        split = [line.split() for line in lines]
        parts = [self._scored(split[at : at + LINES], bos=True, eos=True) for at in range(0, len(split), LINES)]
        if not parts:
            return np.empty(0), np.empty(0, np.int64), np.empty(0, np.bool_)
        logs, lengths, unknown = (np.concatenate(column) for column in zip(*parts, strict=True))
        return logs.astype(np.float64), lengths, unknown

    def _scored(
        self, lines: Sequence[Sequence[str]], *, bos: bool, eos: bool
    ) -> tuple[Float32Array, IntArray, BoolArray]:
        """Return the three values of `full_scores` for all lines, computed together."""
        before, behind = (["<s>"] if bos else []), ([END] if eos else [])
        words = self.ids([word for line in lines for word in (*before, *line, *behind)])
        sizes = np.array([len(line) + len(before) + len(behind) for line in lines], np.int64)
        position = np.arange(len(words)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        logs, lengths, backoffs = self._walk(words, position)
        earlier = np.zeros_like(backoffs)
        earlier[1:] = backoffs[:-1]
        earlier[position == 0] = 0
        for j in range(1, self.order):  # a context of j words
            logs = np.where(lengths <= j, logs + earlier[:, j - 1], logs)
        shown = position > 0 if bos else np.ones(len(words), np.bool_)
        return logs[shown], lengths[shown], words[shown] == 0

    def _walk(self, words: IntArray, position: IntArray) -> tuple[Float32Array, IntArray, Float32Array]:
        """Look up the n-grams that end at each position.

        Return log10 p and the length of the longest n-gram at each position, and the back-off weights of every n-gram
        found there.

        ``position`` is the position of each word in its line.
        """
        logs: Float32Array = self.unigrams["log"][words].copy()
        backoffs = np.zeros((len(words), self.order - 1), np.float32)
        backoffs[:, 0] = self.unigrams["backoff"][words]
        lengths = np.ones(len(words), np.int64)
        begin, end = (self.unigrams["next"][words + i].astype(np.int64) for i in (0, 1))
        walking = np.arange(len(words))
        for j, level in enumerate(self.levels, start=1):
            inside = position[walking] >= j
            walking, begin, end = walking[inside], begin[inside], end[inside]
            rows, matched = search(level, words[walking - j], begin, end)
            walking, rows = walking[matched], rows[matched]
            logs[walking] = level.log(rows)
            lengths[walking] = j + 1
            if j + 1 < self.order:
                backoffs[walking, j] = level.backoff(rows)
                begin, end = level.children(rows)
        return logs, lengths, backoffs


def search(level: TrieLevel, words: IntArray, begin: IntArray, end: IntArray) -> tuple[IntArray, BoolArray]:
    """Search a level for each word, in rows ``begin`` to ``end``; return the rows, and whether each word was found."""
    low, high = begin.copy(), end.copy()
    unfinished = np.flatnonzero(low < high)
    while len(unfinished):
        middle = (low[unfinished] + high[unfinished]) >> 1
        below = level.words(middle) < words[unfinished]
        low[unfinished] = np.where(below, middle + 1, low[unfinished])
        high[unfinished] = np.where(below, high[unfinished], middle)
        unfinished = unfinished[low[unfinished] < high[unfinished]]
    matched = low < end
    matched[matched] = level.words(low[matched]) == words[matched]
    return low, matched


def open_trie(path: Path) -> TrieModel:
    """Return the model in a file, which is mapped into memory; raise `ValueError` as `trie_of` does."""
    return trie_of(np.memmap(path, np.uint8, "r"))


def trie_of(data: Bytes) -> TrieModel:
    """Return the model in a file's bytes; raise `ValueError` if they are not a trie, or if the trie is truncated."""
    order, kind, sizes = _read_head(data)
    if kind not in KINDS:
        raise ValueError("it is a hash table, which is not checked; build a trie of the ARPA file (build_binary trie)")
    try:
        return _laid_out(data, order, kind, sizes)
    except (TypeError, struct.error):  # an array would extend beyond the end of the file
        raise ValueError("it is truncated") from None


def _read_head(data: Bytes) -> tuple[int, int, tuple[int, ...]]:
    """Read the header; return the order, the kind of file, and the number of n-grams of each length."""
    if not is_binary(data[:HEAD].tobytes()):
        raise ValueError("it is not in KenLM's binary format")
    if len(data) < HEAD + 8 * MAX_ORDER:
        raise ValueError("it is truncated")
    order, _, kind, _, _ = HEAD_FIELDS.unpack_from(data.data, AT)
    if not 2 <= order <= MAX_ORDER:
        raise ValueError(f"n-grams of up to {order}; expected 2 to {MAX_ORDER}")
    sizes = struct.unpack_from(f"<{order}Q", data.data, HEAD)
    if max(sizes) > len(data):
        raise ValueError(f"it claims {max(sizes):,} n-grams, more than its size allows")
    return order, kind, sizes


def check_file(path: Path) -> None:
    """Raise `ValueError` if KenLM would read outside a file, since it does not check the pointers of a trie.

    Hash tables are refused: their word numbers may point outside the file, and full tables make lookups endless.
    """
    model = open_trie(path)
    check_pointers([model.unigrams["next"][:-1]], model.levels[0].size)
    for level, longer in pairwise(model.levels):
        check_pointers(level.pointers(), longer.size)


def check_pointers(batches: Iterable[NDArray[Any]], most: int) -> None:
    """Raise `ValueError` if pointers to longer n-grams decrease, or exceed ``most``, the number of these n-grams."""
    highest = 0
    for pointers in batches:
        if pointers[0] < highest or (pointers[1:] < pointers[:-1]).any() or pointers[-1] > most:
            raise ValueError("pointers that are out of order or out of range")
        highest = pointers[-1]


def _laid_out(data: Bytes, order: int, kind: int, sizes: Sequence[int]) -> TrieModel:
    """Return the model in a file; its arrays are views of the sections of the file."""
    n_words, at = sizes[0], -(-(HEAD + 8 * order) // 8) * 8
    if struct.unpack_from("<Q", data.data, at) != (n_words - 1,):
        raise ValueError("its number of words differs from its header")
    hashes: Numbers = np.ndarray(n_words - 1, "<u8", data.data, at + 8)
    at += 8 + 8 * n_words
    tables: list[tuple[Float32Array, Float32Array | None]] = []
    if kind in (QUANTISED, QUANTISED_AND_CUT):
        tables, at = _quantisation(data, at, order)
    unigrams = np.ndarray(n_words + 2, UNIGRAM, data.data, at)
    at += unigrams.nbytes
    levels = []
    for k in range(2, order + 1):
        logs, backoffs = tables[k - 2] if tables else (None, None)
        last, size, longer = k == order, sizes[k - 1], 0 if k == order else sizes[k]
        offsets, next_bits = None, bits_for(longer)
        if kind in (CUT, QUANTISED_AND_CUT) and not last:
            offsets, next_bits, at = _cut(data, at, size + 1, longer)
        numbers = [LOG_BITS] if logs is None else [bits_for(len(logs) - 1)]
        if not last:
            numbers.append(BACKOFF_BITS if backoffs is None else bits_for(len(backoffs) - 1))
        row = bits_for(n_words) + sum(numbers) + next_bits
        stop = at + ((1 + size) * row + 7) // 8 + 8
        eights: Numbers = np.ndarray(stop - at - 7, "<u8", data.data, at, strides=(1,))
        levels.append(TrieLevel(eights, row, bits_for(n_words), logs, backoffs, next_bits, offsets, size))
        at = stop
    return TrieModel(order, hashes, unigrams, tuple(levels))


def _quantisation(data: Bytes, at: int, order: int) -> tuple[list[tuple[Float32Array, Float32Array | None]], int]:
    """Return the lookup tables of quantised values for each length, from bigrams upwards, and the offset after them."""
    version, log_bits, backoff_bits = data[at : at + 3].tolist()
    if version != QUANTISATION or not 1 <= log_bits <= 25 or not 1 <= backoff_bits <= 25:
        raise ValueError(
            f"found quantisation {version} in {log_bits} and {backoff_bits} bits; expected {QUANTISATION} in 1 to 25"
        )
    at += 8

    def table(bits: int) -> Float32Array:
        nonlocal at
        values: Float32Array = np.ndarray(1 << bits, "<f4", data.data, at)
        at += values.nbytes
        return values

    tables: list[tuple[Float32Array, Float32Array | None]] = []
    for _ in range(order - 2):
        logs = table(log_bits)
        tables.append((logs, table(backoff_bits)))
    tables.append((table(log_bits), None))
    return tables, at


def _cut(data: Bytes, at: int, rows: int, longer: int) -> tuple[IntArray, int, int]:
    """Return `TrieLevel.offsets`, `TrieLevel.next_bits`, and the offset in the file at which the rows begin."""
    version, most = data[at : at + 2].tolist()
    if version != POINTERS:
        raise ValueError(f"pointers of version {version}")
    required = bits_for(longer)
    chop = min(range(min(required, most) + 1), key=lambda bits: (longer >> (required - bits)) * 64 - rows * bits)
    count = (longer >> (required - chop)) + 1
    aligned = -(-at // 8) * 8
    offsets = np.ndarray(count, "<u8", data.data, aligned + 8).astype(np.int64)
    return offsets, required - chop, at + 8 * (1 + count) + 7
