"""A small chart network with seeded weights, and sentences with vectors for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from naturalness.files.archive import SMALL, pack
from naturalness.models.parsers.chart.network import (
    DESCRIPTION,
    FORMAT_VERSION,
    WEIGHTS,
    EncodedSentence,
    SpanScorer,
    open_network,
)
from naturalness.models.pieces import SHAPES
from tests.support.tiny_detector import WIDTH as DETECTOR_WIDTH

LABELS = ("NP", "VP", "S", "S+VP")
WIDTH, HIDDEN, SPAN = 2 * DETECTOR_WIDTH, 32, 48
Arrays = dict[str, NDArray[Any]]


def arrays(seed: int = 0) -> Arrays:
    """Return the weights as the file stores them."""
    rng = np.random.default_rng(seed)
    weights: Arrays = {}

    def rows(name: str, n: int, width: int) -> None:
        weights[f"{name}.rows"] = rng.integers(-127, 128, (n, width)).astype(np.int8)
        weights[f"{name}.scales"] = rng.uniform(0.5, 1.5, n).astype(np.float32) / 127 / 4

    def linear(name: str, n: int, width: int) -> None:
        rows(name, n, width)
        weights[f"{name}.bias"] = rng.normal(0, 0.1, n).astype(np.float32)

    linear("body", HIDDEN, WIDTH)
    weights["shapes.weight"] = rng.normal(0, 0.1, (len(SHAPES), HIDDEN)).astype(np.float32)
    linear("left", SPAN, 2 * HIDDEN)
    rows("right", SPAN, 2 * HIDDEN)
    weights["span.weight"] = rng.normal(1, 0.1, SPAN).astype(np.float32)
    weights["span.bias"] = rng.normal(0, 0.1, SPAN).astype(np.float32)
    linear("label", len(LABELS), SPAN)
    return weights


def encoded(words: Sequence[str]) -> EncodedSentence:
    """Return a sentence with one piece per two letters and vectors derived from its words."""
    lengths = [-(-len(word) // 2) for word in words]
    rng = np.random.default_rng(crc32(" ".join(words).encode()))
    return EncodedSentence(words, lengths, rng.normal(0, 1, (sum(lengths) + 2, WIDTH)).astype(np.float32))


def opened(folder: Path, weights: Arrays | None = None, **changes: object) -> SpanScorer:
    """Write a folder and open its network."""
    return open_network(write(folder, weights, **changes))


def write(folder: Path, weights: Arrays | None = None, **changes: object) -> Path:
    """Write a folder that the package can read."""
    about = {"format_version": FORMAT_VERSION, "labels": LABELS, **changes}
    (folder / DESCRIPTION).write_text(json.dumps(about), encoding="utf-8")
    (folder / WEIGHTS).write_bytes(pack(weights or arrays(), SMALL))
    return folder
