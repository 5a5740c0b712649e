"""Vectors of the shipped detector, for heads that are trained on top of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from tqdm import tqdm

from naturalness.models.detector import detector
from training.onnx_graph import Floats

Row = Sequence[int]
"""Pieces of a sentence between start and end."""


def states(rows: Sequence[Row], output: str, threads: int = 2) -> Iterator[Floats]:
    """Yield the vectors (pieces, width) of each row: ``inner`` ones or ``states``, as the package reads them."""
    session = detector().network.session

    def of_row(row: Row) -> Floats:
        return session.run((output,), {"ids": [row]})[0][0]

    with ThreadPoolExecutor(threads) as pool:
        yield from tqdm(pool.map(of_row, rows), total=len(rows), mininterval=10)


def pooled(rows: Sequence[Row], threads: int = 2) -> Floats:
    """Return of each row the first of its last vectors, their mean and their maximum (rows, 3 width)."""
    parts = [np.concatenate([x[0], x.mean(0), x.max(0)]) for x in states(rows, "states", threads)]
    return np.array(parts, np.float32)
