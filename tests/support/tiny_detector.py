"""A detector with random weights that a test can build quickly."""

from __future__ import annotations

import string
from pathlib import Path

import numpy as np

from naturalness.models.detector import DIRECTIONS, DIRECTIONS_FILE, POOLINGS
from naturalness.models.pieces import SPECIAL
from tests.support.tiny_encoder import Floats, Weights, encode, layer_sizes, linear, linear_sizes, random_weights
from training.detector.distances import BUCKETS, buckets
from training.detector.export import write

KINDS = ("sound", "order", "missing")
WIDTH, HEADS, INNER, LAYERS, PLACES, POOLED, RATED = 32, 2, 64, 2, 16, 8, 6
LETTERS = [*string.ascii_lowercase, *(f"##{c}" for c in string.ascii_lowercase), "the", ".", "'"]
VOCABULARY = (*SPECIAL, *LETTERS)


def weights(seed: int = 0, rated_layers: int = 1) -> Weights:
    """Return random weights with a rating head over that many layers, and 4-bit tables."""
    sizes = {
        "pieces.weight": (len(VOCABULARY), WIDTH),
        "positions.weight": (PLACES, WIDTH),
        **linear_sizes("kinds", len(KINDS), WIDTH),
        **linear_sizes("pooled", POOLED, 3 * WIDTH),
        **linear_sizes("sound", 1, POOLED),
        **linear_sizes("p", RATED, 3 * WIDTH),
        **linear_sizes("r", 1, RATED),
        "distances.weight": (BUCKETS, HEADS),
        **layer_sizes(LAYERS, WIDTH, INNER),
    }
    drawn = random_weights(sizes, seed)
    rng = np.random.default_rng(seed)
    below = [rng.permutation(drawn["p.weight"].ravel()).reshape(RATED, -1) for _ in range(rated_layers - 1)]
    drawn["p.weight"] = np.hstack([*below, drawn["p.weight"]])
    return drawn | {name: four_bits(drawn[name]) for name in ("pieces.weight", "positions.weight")}


def four_bits(table: Floats) -> Floats:
    """Return a table as the file stores it: integers -7..7 times a scale for each row."""
    scale = np.abs(table).max(1, keepdims=True) / 7
    return (np.rint(table / scale) * scale).astype(np.float32)


def write_tiny(folder: Path, seed: int = 0) -> Path:
    """Write the files of a detector."""
    write(weights(seed), folder, vocabulary=VOCABULARY, kinds=KINDS)
    drawn = np.random.default_rng(seed).normal(size=(len(POOLINGS), 1 + DIRECTIONS, WIDTH))
    np.save(folder / DIRECTIONS_FILE, drawn.astype(np.float16))
    return folder


def reference(ids: list[int], w: Weights) -> tuple[Floats, float, float]:
    """Return the logits of kinds, the logit of soundness, and the rating, computed with numpy in full precision."""
    x = w["pieces.weight"][ids] + w["positions.weight"][: len(ids)]
    bias = w["distances.weight"][buckets(len(ids))].transpose(2, 0, 1)
    states = [encode(x, w, layers, HEADS, bias=bias) for layers in range(LAYERS + 1)]
    x = states[-1]
    pooled = np.concatenate([np.concatenate([x[0], x.mean(0), x.max(0)]) for x in states])[None]
    sound = linear(np.maximum(linear(pooled[:, -3 * WIDTH :], w, "pooled"), 0), w, "sound")
    rating = linear(np.maximum(linear(pooled[:, -w["p.weight"].shape[1] :], w, "p"), 0), w, "r")
    return linear(x, w, "kinds"), float(sound[0, 0]), float(rating[0, 0])
