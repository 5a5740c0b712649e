"""A neural language model with random weights that a test can build quickly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.support.tiny_encoder import Floats, Weights, encode, layer_sizes, linear, linear_sizes, random_weights
from training.neural_lm.export import write

WIDTH, NARROW, HEADS, INNER, LAYERS, PLACES = 32, 64, 2, 64, 2, 12
UNKNOWN, START, END = 0, 1, 2
ENCODER = "0123"
VOCABULARY = ("<unk>", "<s>", "</s>", "▁the", "▁a", "▁cat", "▁dog", "▁saw", "▁.", "s")


def weights(seed: int = 0) -> Weights:
    """Return random weights."""
    sizes = {
        "pieces.weight": (len(VOCABULARY) + 1, NARROW),
        "positions.weight": (PLACES, WIDTH),
        "common": (len(VOCABULARY),),
        **linear_sizes("widen", WIDTH, NARROW),
        **linear_sizes("foretell", NARROW, WIDTH),
        **layer_sizes(LAYERS, WIDTH, INNER),
    }
    arrays = random_weights(sizes, seed)
    # Probabilities as open as those of a trained model.
    return {n: v / np.float32(4) if n.startswith("foretell") else v for n, v in arrays.items()}


def write_tiny(folder: Path, seed: int = 0, vocabulary: Sequence[str] = VOCABULARY, encoder: str = ENCODER) -> Path:
    """Write the files of a model."""
    write(weights(seed), folder, vocabulary=vocabulary, special=(UNKNOWN, START, END), encoder=encoder, heads=HEADS)
    return folder


def reference(ids: Sequence[int], w: Weights, *, causal: bool) -> Floats:
    """Return ln p of every piece (n, vocabulary) after each position."""
    x = linear(w["pieces.weight"][list(ids)], w, "widen") + w["positions.weight"][: len(ids)]
    asked = linear(encode(x, w, LAYERS, HEADS, causal=causal), w, "foretell")
    logits = asked @ w["pieces.weight"][:-1].T + w["common"]
    return logits - np.log(np.exp(logits).sum(1, keepdims=True))
