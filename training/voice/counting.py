"""Find items of one to three tokens, count them in texts, and detect names and topics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from naturalness.arrays import FloatArray
from naturalness.english.constructions import TokenLines, grams, is_word
from training.voice.texts import Paragraph

LONGEST_ITEM = 3
MIN_TEXTS, MIN_SHARE = 30, 0.005
"""Texts that an item must occur in, and the share of texts that suffices where there are few."""
NAME_SHARE = 0.4
"""Share of capitals inside sentences from which a word is a name."""
NEVER_NAMES = frozenset({"i", "i'm", "i'd", "i've", "i'll", "ok"})


def names(texts: Sequence[Paragraph], lines: Sequence[TokenLines]) -> set[str]:
    """Return the words that are mostly capitalised inside sentences."""
    capitals: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for paragraph, read in zip(texts, lines, strict=True):
        starts = set(read.starts)
        for i, (token, (start, _)) in enumerate(zip(read.tokens, read.spans, strict=True)):
            if token[0].isalpha() and i not in starts and read.tokens[i - 1] not in ('"', "'", ":", "—", "*", "("):
                every[token] += 1
                capitals[token] += paragraph.text[start].isupper()
    return {word for word, n in every.items() if capitals[word] > NAME_SHARE * n} - NEVER_NAMES


def candidates(lines: Sequence[TokenLines], excluded: set[str]) -> list[str]:
    """Return the items that are frequent enough and contain no excluded word."""
    kept: set[str] = set()
    least = min(MIN_TEXTS, MIN_SHARE * len(lines))
    for length in range(1, LONGEST_ITEM + 1):
        texts: Counter[str] = Counter()
        for read in lines:
            texts.update(set(_of_length(read.tokens, length, kept, excluded)))
        kept.update(item for item, n in texts.items() if n >= least)
    return sorted(kept)


def _of_length(tokens: Sequence[str], length: int, kept: Collection[str], excluded: set[str]) -> Iterator[str]:
    """Yield items of a length whose shorter parts are frequent enough."""
    if length == 1:
        yield from (token for token in tokens if token not in excluded and (is_word(token) or token in MARKS))
        return
    parts = [part in kept for part in grams(tokens, length - 1)]
    yield from (item for i, item in enumerate(grams(tokens, length)) if parts[i] and parts[i + 1])


def count(lines: Sequence[TokenLines], items: Sequence[str]) -> csr_matrix:
    """Return the occurrences of each item in each text."""
    index = {item: i for i, item in enumerate(items)}
    columns: list[int] = []
    values: list[int] = []
    ends = [0]
    for read in lines:
        found = Counter(
            index[item] for n in range(1, LONGEST_ITEM + 1) for item in grams(read.tokens, n) if item in index
        )
        columns += found.keys()
        values += found.values()
        ends.append(len(columns))
    return csr_matrix((np.array(values, float), np.array(columns, np.int32), np.array(ends)), (len(lines), len(items)))


MARKS = frozenset(",.;:—!?\"'()") | {"..."}


def spread(counts: csr_matrix, units: Sequence[str]) -> FloatArray:
    """Return, per item, the units with it over the number expected if its texts were drawn from all units at random.

    A topic or a name recurs in the texts of one unit, a turn of phrase in texts of any unit.
    """
    _, index = np.unique(np.array(units), return_inverse=True)
    sizes = np.bincount(index)
    present = (counts > 0).astype(np.float32)
    by_unit = csr_matrix((np.ones(len(index), np.float32), (index, np.arange(len(index)))), (len(sizes), len(index)))
    observed = np.asarray(((by_unit @ present) > 0).sum(axis=0)).ravel()
    n = np.asarray(present.sum(axis=0)).ravel()
    grid = np.unique(np.round(np.geomspace(1, max(2.0, n.max()), 80)))
    at_random = [(1 - (1 - sizes / sizes.sum()) ** k).sum() for k in grid]
    expected = np.interp(n, grid, at_random)
    return np.where(n > 0, observed / np.maximum(expected, 1e-9), math.nan)
