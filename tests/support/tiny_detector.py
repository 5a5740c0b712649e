"""A detector with random weights, small enough to be made in a test."""

from __future__ import annotations

import string
from pathlib import Path

import numpy as np

from naturalness.models.detector import SPECIAL
from tests.support.tiny_encoder import Floats, Weights, encode, layer_sizes, linear, linear_sizes, random_weights
from training.detector.distances import BUCKETS, buckets
from training.detector.export import write
from training.onnx_graph import BITS

KINDS = ("sound", "order", "missing")
WIDTH, HEADS, INNER, LAYERS, PLACES, POOLED = 32, 2, 64, 2, 16, 8
LETTERS = [*string.ascii_lowercase, *(f"##{c}" for c in string.ascii_lowercase), "the", ".", "'"]
VOCABULARY = (*SPECIAL, *LETTERS)


def weights(seed: int = 0) -> Weights:
    """Random ones."""
    sizes = {
        "pieces.weight": (len(VOCABULARY), WIDTH),
        "positions.weight": (PLACES, WIDTH),
        **linear_sizes("kinds", len(KINDS), WIDTH),
        **linear_sizes("pooled", POOLED, 3 * WIDTH),
        **linear_sizes("sound", 1, POOLED),
        "distances.weight": (BUCKETS, HEADS),
        **layer_sizes(LAYERS, WIDTH, INNER),
    }
    return random_weights(sizes, seed)


def write_tiny(folder: Path, seed: int = 0) -> Path:
    """The files of a detector."""
    write(weights(seed), folder, vocabulary=VOCABULARY, kinds=KINDS, bits=BITS)
    return folder


def reference(ids: list[int], w: Weights) -> tuple[Floats, float]:
    """Logits of kinds and of soundness, worked out in plain numpy and whole floats."""
    x = w["pieces.weight"][ids] + w["positions.weight"][: len(ids)]
    bias = w["distances.weight"][buckets(len(ids))].transpose(2, 0, 1)
    x = encode(x, w, LAYERS, HEADS, bias=bias)
    pooled = np.concatenate([x[0], x.mean(0), x.max(0)])[None]
    sound = linear(np.maximum(linear(pooled, w, "pooled"), 0), w, "sound")
    return linear(x, w, "kinds"), float(sound[0, 0])
