"""Principal components (Jolliffe 2002) of a detector's vectors, without ratings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from naturalness.models.detector import DIRECTIONS, DIRECTIONS_FILE, Network, open_network
from training.detector.batches import pair
from training.detector.mixture import Source
from training.onnx_graph import Floats

PAIRS = 4_000
"""Pairs of better and worse sentences whose vectors are analysed."""
TOGETHER = 512


def write_directions(folder: Path, source: Source) -> None:
    """Write the directions to the folder of a detector, in place of any existing ones."""
    (folder / DIRECTIONS_FILE).unlink(missing_ok=True)
    vectors = np.concatenate(list(_vectors(open_network(folder), source, random.Random(0))))
    table = np.stack([principal(pooled, DIRECTIONS) for pooled in vectors.swapaxes(0, 1)]).astype(np.float16)
    np.save(folder / DIRECTIONS_FILE, table, allow_pickle=False)


def _vectors(network: Network, source: Source, rng: random.Random) -> Iterator[Floats]:
    """Yield mean and maximum of each sentence's word vectors (sentences, 2, width)."""
    for _ in range(0, PAIRS, TOGETHER):
        drafts = [draft for _ in range(TOGETHER) for draft in pair(rng, source)]
        texts = [[network.cut(word.text) for word in draft.words] for draft in drafts]
        texts = [text for text in texts if sum(map(len, text)) <= network.max_pieces - 2]
        counts = np.array([[[len(text)], [1]] for text in texts], np.float32)
        yield np.stack([said.states for said in network.read(texts)]) / counts


def principal(vectors: Floats, n: int) -> Floats:
    """The mean, then the ``n`` directions of the largest variance, divided by the deviation along the first.

    The largest number of each is positive.

    *Shapes:* ``vectors`` (sentences, width); out (1 + n, width).
    """
    mean = vectors.mean(0, dtype=np.float64)
    variances, directions = np.linalg.eigh(np.cov(vectors - mean, rowvar=False))
    rows = directions.T[::-1][:n] / np.sqrt(variances[-1])
    largest = np.take_along_axis(rows, np.abs(rows).argmax(1)[:, None], 1)
    return np.vstack([mean, rows * np.sign(largest)]).astype(np.float32)
