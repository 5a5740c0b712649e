"""Layers of a small encoder with random weights, computed with numpy in full precision."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]
Sizes = dict[str, tuple[int, ...]]


def linear_sizes(name: str, n: int, k: int) -> Sizes:
    """Return the shapes of a matrix and its bias."""
    return {f"{name}.weight": (n, k), f"{name}.bias": (n,)}


def layer_sizes(layers: int, width: int, inner: int) -> Sizes:
    """Return the shapes of a norm and of that many layers."""
    sizes: Sizes = {"norm.weight": (width,), "norm.bias": (width,)}
    for i in range(layers):
        for name, n, k in (
            ("attention_in", 3 * width, width),
            ("attention_out", width, width),
            ("wide", inner, width),
            ("narrow", width, inner),
        ):
            sizes |= linear_sizes(f"layers.{i}.{name}", n, k)
        for name in ("norm_1", "norm_2"):
            sizes |= {f"layers.{i}.{name}.weight": (width,), f"layers.{i}.{name}.bias": (width,)}
    return sizes


def random_weights(sizes: Sizes, seed: int) -> Weights:
    """Return random weights; norms start near their initial values."""
    rng = np.random.default_rng(seed)
    weights = {name: rng.normal(0, 0.3, size).astype(np.float32) for name, size in sizes.items()}
    return {
        name: values + (1.0 if "norm" in name and name.endswith("weight") else 0.0) for name, values in weights.items()
    }


def encode(
    x: Floats, w: Weights, layers: int, heads: int, *, causal: bool = False, bias: Floats | float = 0.0
) -> Floats:
    """Return vectors (n, width) after the first norm and all layers."""
    return through_layers(norm(x, w, "norm"), w, layers, heads, causal=causal, bias=bias)


def through_layers(
    x: Floats, w: Weights, layers: int, heads: int, *, causal: bool = False, bias: Floats | float = 0.0
) -> Floats:
    """Return vectors (n, width) after all layers; ``bias`` (heads, n, n) is added to the attention."""
    later = np.triu(np.full((len(x), len(x)), -np.inf), 1) if causal else bias
    for i in range(layers):
        name = f"layers.{i}"
        q, k, v = (
            part.reshape(len(x), heads, -1).transpose(1, 0, 2)
            for part in np.split(linear(x, w, f"{name}.attention_in"), 3, axis=1)
        )
        seen = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2]) + later)
        mixed = (seen / seen.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(1, 0, 2).reshape(len(x), -1)
        x = norm(x + linear(mixed, w, f"{name}.attention_out"), w, f"{name}.norm_1")
        inner = linear(x, w, f"{name}.wide")
        inner = (inner * 0.5 * (1 + erf(inner / np.sqrt(2)))).astype(np.float32)
        x = norm(x + linear(inner, w, f"{name}.narrow"), w, f"{name}.norm_2")
    return x


def linear(x: Floats, w: Weights, name: str) -> Floats:
    """Return x W + b."""
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def norm(x: Floats, w: Weights, name: str) -> Floats:
    """Apply a layer norm."""
    x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
    return x * w[f"{name}.weight"] + w[f"{name}.bias"]
