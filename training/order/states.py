"""What the detector's lower layers make of sentences, worked out once and kept in a file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.detector.network import Detector
from training.encoder import WIDTH
from training.order.network import lower_states

PIECES = 2048
"""In a batch."""


@dataclass(frozen=True, slots=True)
class States:
    """Vectors of the pieces of all sentences, one after another."""

    vectors: NDArray[np.float16]
    ends: NDArray[np.int64]
    """Where each sentence ends."""

    def of(self, sentences: Sequence[int]) -> tuple[Tensor, Tensor]:
        """(sentences, pieces, width), filled up to the longest, and which are there."""
        ends = self.ends[np.asarray(sentences)]
        starts = np.where(np.asarray(sentences) > 0, self.ends[np.asarray(sentences) - 1], 0)
        lengths = ends - starts
        padded = np.zeros((len(ends), int(lengths.max()), WIDTH), np.float32)
        for k, (a, b) in enumerate(zip(starts, ends, strict=True)):
            padded[k, : b - a] = self.vectors[a:b]
        mask = np.arange(padded.shape[1]) < lengths[:, None]
        return torch.from_numpy(padded), torch.from_numpy(mask)


def worked_out(detector: Detector, rows: Sequence[Sequence[int]], path: Path) -> States:
    """States of rows of pieces, from the file where they are there already."""
    ends = np.cumsum([len(row) for row in rows])
    if path.exists():
        stored = np.load(path, mmap_mode="r")
        if len(stored) == ends[-1]:
            return States(np.asarray(stored), ends)
    vectors = np.empty((int(ends[-1]), WIDTH), np.float16)
    by_length = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    started, done, shown = time.time(), 0, 0
    while done < len(rows):
        size = max(1, PIECES // len(rows[by_length[min(done + 32, len(rows) - 1)]]))
        chosen = by_length[done : done + size]
        longest = len(rows[chosen[-1]])
        ids = torch.tensor([[*rows[i], *[0] * (longest - len(rows[i]))] for i in chosen])
        lengths = torch.tensor([len(rows[i]) for i in chosen])
        states = lower_states(detector, ids, torch.arange(longest) < lengths[:, None]).numpy()
        for k, i in enumerate(chosen):
            vectors[ends[i] - len(rows[i]) : ends[i]] = states[k, : len(rows[i])]
        done += len(chosen)
        if done >= shown:
            print(f"{done}/{len(rows)} sentences; {done / (time.time() - started):.0f}/s", flush=True)
            shown += 10_000
    part = path.with_suffix(".part.npy")
    np.save(part, vectors)
    part.rename(path)
    return States(vectors, ends)
