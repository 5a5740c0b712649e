"""A network small enough for a test, with weights drawn by a seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.files.archive import SMALL, pack
from naturalness.models.parsers.chart.network import DESCRIPTION, WEIGHTS, Network, open_network
from naturalness.models.piece_vectors import PieceVectors
from naturalness.models.pieces import SHAPES, Pieces

VOCABULARY = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *"abcdefghijklmnopqrstuvwxyz",
    *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"),
    "the",
    "cat",
    "##ting",
    ".",
    "'",
)
LABELS = ("NP", "VP", "S", "S+VP")
WIDTH, INNER, SPAN, LAYERS = 64, 96, 48, 2
Arrays = dict[str, NDArray[Any]]


def arrays(seed: int = 0) -> Arrays:
    """The weights, as they stand in the file."""
    rng = np.random.default_rng(seed)
    weights: Arrays = {}

    def rows(name: str, n: int, width: int) -> None:
        weights[f"{name}.rows"] = rng.integers(-127, 128, (n, width)).astype(np.int8)
        weights[f"{name}.scales"] = rng.uniform(0.5, 1.5, n).astype(np.float32) / 127 / 4

    def linear(name: str, n: int, width: int) -> None:
        rows(name, n, width)
        weights[f"{name}.bias"] = rng.normal(0, 0.1, n).astype(np.float32)

    def norm(name: str, width: int) -> None:
        weights[f"{name}.weight"] = rng.normal(1, 0.1, width).astype(np.float32)
        weights[f"{name}.bias"] = rng.normal(0, 0.1, width).astype(np.float32)

    rows("positions", 512, WIDTH)
    weights["shapes.weight"] = rng.normal(0, 0.1, (len(SHAPES), WIDTH)).astype(np.float32)
    norm("norm", WIDTH)
    for i in range(LAYERS):
        linear(f"attend{i}", 3 * WIDTH, WIDTH)
        linear(f"gather{i}", WIDTH, WIDTH)
        linear(f"wide{i}", INNER, WIDTH)
        linear(f"narrow{i}", WIDTH, INNER)
        norm(f"first{i}", WIDTH)
        norm(f"second{i}", WIDTH)
    linear("left", SPAN, 2 * WIDTH)
    rows("right", SPAN, 2 * WIDTH)
    norm("span", SPAN)
    linear("label", len(LABELS), SPAN)
    return weights


def vectors(seed: int = 1) -> PieceVectors:
    """The vectors of the pieces."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(-7, 8, (len(VOCABULARY), 2, WIDTH // 2)).astype(np.int8)
    scales = rng.uniform(0.5, 1.5, (len(VOCABULARY), 2)).astype(np.float32) / 7 / 4
    return PieceVectors(VOCABULARY, Pieces.of(VOCABULARY), whole, scales)


def opened(folder: Path, weights: Arrays | None = None, **changes: object) -> Network:
    """The network of a folder that is written so."""
    return open_network(write(folder, weights, **changes), vectors())


def write(folder: Path, weights: Arrays | None = None, **changes: object) -> Path:
    """A folder as the package reads it."""
    about = {"format_version": 2, "layers": LAYERS, "labels": LABELS, **changes}
    (folder / DESCRIPTION).write_text(json.dumps(about), encoding="utf-8")
    (folder / WEIGHTS).write_bytes(pack(weights or arrays(), SMALL))
    return folder
