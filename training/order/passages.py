"""Passages of the corpora: some sentences in a row, parted in two, as rows of pieces."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from naturalness.models.metrics.gruen.order import joined
from naturalness.models.pieces import Pieces
from naturalness.parsing import tokenise

FEWEST, MOST = 2, 5
"""Sentences of a passage."""
PLACES = 128
"""Pieces that are read at once, marks among them."""
BALANCE = 0.5
"""Registers are drawn by their size to this power."""
BEGINNINGS = 0.5
"""Share of passages that begin their document."""
POOL = 512
"""Passages that are drawn and sorted by length at a time."""
Row = list[int]
Document = Sequence[str]


def documents(path: Path, fewest: int = FEWEST) -> list[list[str]]:
    """Documents of a corpus file with so many sentences at least."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        parts = file.read().split("\n\n")
    found = [[line.strip() for line in part.split("\n") if line.strip()] for part in parts]
    return [document for document in found if len(document) >= fewest]


def rows_of(sentences: Sequence[str], pieces: Pieces) -> list[Row]:
    """Pieces of each sentence."""
    return [
        [place for token in doc for place in pieces.of_word(token.text.lower())]
        for doc in tokenise(sentences)
    ]


def flat(rows: Sequence[Row]) -> Row:
    """Rows as one."""
    return list(chain.from_iterable(rows))


@dataclass(frozen=True, slots=True)
class Halves:
    """Two parts of a passage, in their order."""

    first: Row
    second: Row


def draw(
    registers: Mapping[str, Sequence[Document]], pieces: Pieces, seed: int
) -> Iterator[Halves]:
    """Halves without end, equal for equal seeds: registers by size.

    A passage begins a document, any of its register, or stands anywhere, in documents by length.
    """
    rng = np.random.default_rng(seed)
    names = list(registers)
    ends = {name: np.cumsum([len(d) - 1 for d in registers[name]]) for name in names}
    shares = np.array([float(ends[name][-1]) for name in names]) ** BALANCE
    while True:
        name = names[int(rng.choice(len(names), p=shares / shares.sum()))]
        place = int(rng.integers(int(ends[name][-1])))
        chosen = int(np.searchsorted(ends[name], place, side="right"))
        # Beginnings, by which a text that stands alone is known, would else be rare.
        begins = rng.random() < BEGINNINGS
        if begins:
            chosen = int(rng.integers(len(registers[name])))
        document = registers[name][chosen]
        size = min(int(rng.integers(FEWEST, MOST + 1)), len(document))
        start = 0 if begins else int(rng.integers(len(document) - size + 1))
        split = int(rng.integers(1, size))
        rows = rows_of(document[start : start + size], pieces)
        yield Halves(flat(rows[:split]), flat(rows[split:]))


@dataclass(frozen=True, slots=True)
class Batch:
    """Readings of halves, each in both orders: the right one, then the other, and so on."""

    ids: Tensor
    mask: Tensor
    second: Tensor
    """Which pieces belong to the part that is read second."""


def collate(halves: Sequence[Halves], pieces: Pieces) -> Batch:
    """Filled up to the longest."""
    read = []
    for one in halves:
        read += [
            joined(one.first, one.second, pieces, PLACES),
            joined(one.second, one.first, pieces, PLACES),
        ]
    longest = max(len(ids) for ids, _ in read)
    table = np.zeros((3, len(read), longest), np.int64)
    for i, (ids, parts) in enumerate(read):
        table[0, i, : len(ids)] = ids
        table[1, i, : len(ids)] = 1
        table[2, i, : len(parts)] = parts
    ids, mask, second = torch.from_numpy(table)
    return Batch(ids, mask.bool(), second)


def batches(drawn: Iterator[Halves], pieces: Pieces, size: int) -> Iterator[Batch]:
    """Batches of about ``size`` pieces, of passages of about one length."""
    rng = np.random.default_rng(0)
    while True:
        pool = sorted(
            (next(drawn) for _ in range(POOL)), key=lambda h: len(h.first) + len(h.second)
        )
        plans: list[list[Halves]] = [[]]
        for one in pool:
            length = min(PLACES, len(one.first) + len(one.second) + 3)
            if plans[-1] and 2 * length * (len(plans[-1]) + 1) > size:
                plans.append([])
            plans[-1].append(one)
        for i in rng.permutation(len(plans)):
            yield collate(plans[i], pieces)
