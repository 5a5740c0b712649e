"""Corpus sentences as rows of pieces, drawn by register, in batches."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.language.corpora import REGISTERS, token_lines
from training.loop import by_length

UNKNOWN, START, END = 0, 1, 2
"""Of every SentencePiece model that was trained without other wishes."""
PLACES = 128
"""Pieces that the model reads at once, with the mark of the start or the end."""
BALANCE = 0.5
"""Registers are drawn by their size to this power: the small ones are not drowned."""
POOL = 8192
"""Sentences that are drawn and sorted by length at a time."""
Ids = NDArray[np.uint16]


@dataclass(frozen=True)
class Rows:
    """Sentences of one register, each with `END` behind it, one after the other."""

    ids: Ids
    ends: NDArray[np.int64]
    """Where each sentence stops, its `END` included."""

    @classmethod
    def of(cls, ids: Ids) -> Rows:
        """Return rows with the ends of their sentences."""
        return cls(ids, np.flatnonzero(ids == END) + 1)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, i: int) -> Ids:
        """Return the pieces of a sentence and `END`, as many as the model reads."""
        start = self.ends[i - 1] if i else 0
        return self.ids[start : self.ends[i]][: PLACES - 1]


def read_registers(encode: Callable[[str], list[int]], tokens: Path) -> dict[str, Rows]:
    """Return the sentences of every register, their words cut into pieces."""
    of_word = lru_cache(maxsize=None)(encode)
    registers = {}
    for name in REGISTERS:
        ids = array("H")
        for line in token_lines(tokens, name):
            for word in line.split(" "):
                ids.extend(of_word(word))
            ids.append(END)
        registers[name] = Rows.of(np.frombuffer(ids, np.uint16))
    return registers


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences of about one length, filled up with `END`."""

    ids: Tensor
    """(b, n): `START` and the pieces."""
    targets: Tensor
    """(b, n): the pieces and `END`; what each place should foretell."""
    there: Tensor
    """(b, n): where there is something to foretell."""


def collate(rows: Sequence[Ids]) -> Batch:
    """Return a batch of sentences."""
    lengths = np.array([len(row) for row in rows])
    targets = np.full((len(rows), lengths.max()), END, np.int64)
    for line, row in zip(targets, rows, strict=True):
        line[: len(row)] = row
    ids = np.full_like(targets, START)
    ids[:, 1:] = targets[:, :-1]
    there = np.arange(targets.shape[1]) < lengths[:, None]
    return Batch(torch.from_numpy(ids), torch.from_numpy(targets), torch.from_numpy(there))


def batches(registers: dict[str, Rows], size: int, seed: int) -> Iterator[Batch]:
    """Yield batches of about ``size`` pieces endlessly, reproducible by seed."""
    rng = random.Random(seed)
    parts = list(registers.values())
    # Sentences are drawn, so that registers of long ones are drawn less often for the same share.
    shares = [len(rows.ids) ** BALANCE * len(rows) / len(rows.ids) for rows in parts]
    while True:
        chosen = rng.choices(parts, shares, k=POOL)
        drawn = [rows[rng.randrange(len(rows))] for rows in chosen]
        for together in by_length([len(row) for row in drawn], size, rng):
            yield collate([drawn[i] for i in together])
