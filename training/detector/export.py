"""A detector as the two files of its asset. Writing them needs onnx and numpy alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from naturalness.models.detector import DESCRIPTION, FORMAT_VERSION, NETWORK, open_network
from training.detector.drafts import Draft, Sentence
from training.onnx_graph import Encoder, Floats

if TYPE_CHECKING:
    from torch import nn

ABOVE = 2
"""Layers above ``inner``."""


def write(
    weights: Mapping[str, Floats], folder: Path, *, vocabulary: Sequence[str], kinds: Sequence[str], heads: int
) -> None:
    """Write what the names mean, and the network of a BERT encoder with the detector's heads."""
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    graph = Encoder(weights, heads)
    states = graph.encoder("ids", graph.rows("pieces", "ids"), layers)
    write_heads(graph, states, folder, vocabulary=vocabulary, kinds=kinds)


def write_heads(
    graph: Encoder, states: Sequence[str], folder: Path, *, vocabulary: Sequence[str], kinds: Sequence[str]
) -> None:
    """Write a graph that has come to its ``states``: ``kinds`` (b, n, kinds), ``sound`` (b, 1).

    Beside them what the pieces look like before the last layers and behind them, ``inner`` and
    ``states``, for heads that are trained on top.
    """
    x = states[-1]
    axis = graph.tensor([1])
    first = graph.node("Gather", [x, graph.tensor(0)], axis=1)
    mean = graph.node("ReduceMean", [x, axis], keepdims=0)
    most = graph.node("ReduceMax", [x, axis], keepdims=0)
    joined = graph.node("Concat", [first, mean, most], axis=1)
    pooled = graph.node("Relu", [graph.linear(joined, "pooled")])
    wide = ("texts", "pieces", len(graph.weights["norm.weight"]))
    outputs = {
        "kinds": (graph.linear(x, "kinds"), ("texts", "pieces", len(kinds))),
        "sound": (graph.linear(pooled, "sound"), ("texts", 1)),
        "inner": (states[max(0, len(states) - 1 - ABOVE)], wide),
        "states": (x, wide),
    }
    folder.mkdir(parents=True, exist_ok=True)
    graph.write(folder / NETWORK, {"ids": ("texts", "pieces")}, outputs)
    about = {
        "format_version": FORMAT_VERSION,
        "kinds": list(kinds),
        "places": len(graph.weights["positions.weight"]),
        "vocabulary": list(vocabulary),
    }
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def difference(model: nn.Module, folder: Path, sentences: Sequence[Sentence]) -> float:
    """Largest difference of a kind's probability between the files and the network in torch."""
    import torch

    from training.detector.batches import collate

    network = open_network(folder)
    largest = 0.0
    for sentence in sentences:
        batch = collate([Draft.of(sentence)], network.pieces)
        with torch.inference_mode():
            kinds = torch.softmax(model(batch.ids, batch.mask)[0][0], -1).numpy()
        logs = network.read([network.cut(word.text) for word in sentence])[1]
        first = batch.kinds[0].numpy() >= 0
        largest = max(largest, float(np.abs(np.exp(logs) - kinds[first]).max()))
    return largest
