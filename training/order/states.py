"""What the detector's lower layers make of sentences, worked out once and kept in a file."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from tqdm import tqdm

from naturalness.models.detector import detector
from training.detector.network import WIDTH


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


def worked_out(rows: Sequence[Sequence[int]], path: Path) -> States:
    """States of rows of pieces, from the file where they are there already."""
    ends = np.cumsum([len(row) for row in rows])
    if path.exists():
        stored = np.load(path, mmap_mode="r")
        if len(stored) == ends[-1]:
            return States(stored, ends)
    part = path.with_suffix(".part.npy")
    vectors = np.lib.format.open_memmap(part, "w+", np.float16, (int(ends[-1]), WIDTH))
    session = detector().network.session
    with ThreadPoolExecutor(2) as pool:
        read = pool.map(lambda row: session.run(("inner",), {"ids": [row]})[0][0], rows)
        for end, inner in zip(ends, tqdm(read, total=len(rows), mininterval=10), strict=True):
            vectors[end - len(inner) : end] = inner
    vectors.flush()
    part.rename(path)
    return States(vectors, ends)
