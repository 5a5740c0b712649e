"""A detector with random weights, small enough to be made in a test."""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.models.detector.network import SPECIAL
from training.detector.export import write

KINDS = ("sound", "order", "missing")
WIDTH, HEADS, INNER, LAYERS, PLACES, POOLED = 32, 2, 64, 2, 16, 8
LETTERS = [*string.ascii_lowercase, *(f"##{c}" for c in string.ascii_lowercase), "the", ".", "'"]
VOCABULARY = (*SPECIAL, *LETTERS)
Weights = Mapping[str, NDArray[np.float32]]


def weights(seed: int = 0) -> Weights:
    """Random ones; norms are near what they are before training."""
    rng = np.random.default_rng(seed)
    sizes: dict[str, tuple[int, ...]] = {
        "pieces.weight": (len(VOCABULARY), WIDTH), "positions.weight": (PLACES, WIDTH),
        "kinds.weight": (len(KINDS), WIDTH), "kinds.bias": (len(KINDS),),
        "pooled.weight": (POOLED, 3 * WIDTH), "pooled.bias": (POOLED,),
        "sound.weight": (1, POOLED), "sound.bias": (1,),
        "norm.weight": (WIDTH,), "norm.bias": (WIDTH,),
    }  # fmt: skip
    for i in range(LAYERS):
        linear = {"attention_in": (3 * WIDTH, WIDTH), "attention_out": (WIDTH, WIDTH),
                  "wide": (INNER, WIDTH), "narrow": (WIDTH, INNER)}  # fmt: skip
        for name, (n, k) in linear.items():
            sizes |= {f"layers.{i}.{name}.weight": (n, k), f"layers.{i}.{name}.bias": (n,)}
        for name in ("norm_1", "norm_2"):
            sizes |= {f"layers.{i}.{name}.weight": (WIDTH,), f"layers.{i}.{name}.bias": (WIDTH,)}
    made = {name: rng.normal(0, 0.3, size).astype(np.float32) for name, size in sizes.items()}
    return {
        name: values + (1.0 if "norm" in name and name.endswith("weight") else 0.0)
        for name, values in made.items()
    }


def write_tiny(folder: Path, seed: int = 0) -> Path:
    """The files of a detector."""
    write(weights(seed), folder, vocabulary=VOCABULARY, kinds=KINDS, heads=HEADS)
    return folder


def reference(ids: list[int], w: Weights) -> tuple[NDArray[np.float32], float]:
    """Logits of kinds and of soundness, worked out in plain numpy and whole floats."""
    x = _norm(w["pieces.weight"][ids] + w["positions.weight"][: len(ids)], w, "norm")
    for i in range(LAYERS):
        name = f"layers.{i}"
        q, k, v = (
            part.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
            for part in np.split(_linear(x, w, f"{name}.attention_in"), 3, axis=1)
        )
        seen = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(WIDTH / HEADS))
        mixed = (seen / seen.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(1, 0, 2).reshape(len(ids), -1)
        x = _norm(x + _linear(mixed, w, f"{name}.attention_out"), w, f"{name}.norm_1")
        inner = _gelu(_linear(x, w, f"{name}.wide"))
        x = _norm(x + _linear(inner, w, f"{name}.narrow"), w, f"{name}.norm_2")
    pooled = np.concatenate([x[0], x.mean(0), x.max(0)])[None]
    sound = _linear(np.maximum(_linear(pooled, w, "pooled"), 0), w, "sound")
    return _linear(x, w, "kinds"), float(sound[0, 0])


def _linear(x: NDArray[np.float32], w: Weights, name: str) -> NDArray[np.float32]:
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _norm(x: NDArray[np.float32], w: Weights, name: str) -> NDArray[np.float32]:
    x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
    return x * w[f"{name}.weight"] + w[f"{name}.bias"]


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    from scipy.special import erf

    return (x * 0.5 * (1 + erf(x / np.sqrt(2)))).astype(np.float32)
