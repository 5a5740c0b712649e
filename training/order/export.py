"""Write the order head as the files of its asset; needs only onnx and numpy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto

from naturalness.metrics.gruen.judges import ORDER_NETWORK, SENTENCE_NETWORK
from training.onnx_graph import Encoder, Floats


def write(weights: Mapping[str, Floats], folder: Path, *, heads: int) -> None:
    """Write both networks: a sentence's vector, and the order of parts."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_sentence(weights, folder, heads)
    _write_order(weights, folder, heads)


def _write_sentence(weights: Mapping[str, Floats], folder: Path, heads: int) -> None:
    graph = Encoder(weights, heads)
    axis = graph.tensor([1])
    seen = graph.node("Gelu", [graph.linear("inner", "seen")], "com.microsoft")
    first = graph.node("Gather", ["inner", graph.tensor(0)], axis=1)
    mean = graph.node("ReduceMean", [seen, axis], keepdims=0)
    most = graph.node("ReduceMax", [seen, axis], keepdims=0)
    pooled = graph.node("Concat", [first, mean, most], axis=1)
    vector = graph.linear(pooled, "sentence")
    n, width = weights["sentence.weight"].shape[0], weights["seen.weight"].shape[1]
    floats = {"inner": ("texts", "pieces", width)}
    graph.write(folder / SENTENCE_NETWORK, {}, {"sentence": (vector, ("texts", n))}, floats=floats)


def _write_order(weights: Mapping[str, Floats], folder: Path, heads: int) -> None:
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    graph = Encoder(weights, heads)
    parts = graph.node("Gather", [graph.tensor(weights["parts.weight"]), "second"])
    positions = graph.node("Gather", [graph.tensor(weights["places.weight"]), "places"])
    x = graph.node("Add", [graph.node("Add", ["sentences", parts]), positions])
    for i in range(layers):
        x = graph.layer(x, f"layers.{i}")
    axis, last = graph.tensor([1]), graph.tensor([2])
    means = []
    for part in (0, 1):
        of_part = graph.node("Equal", ["second", graph.tensor(np.int64(part))])
        share = graph.node("Cast", [of_part], to=TensorProto.FLOAT)
        row = graph.node("Unsqueeze", [share, axis])
        total = graph.node("Squeeze", [graph.node("MatMul", [row, x]), axis])
        means.append(graph.node("Div", [total, graph.node("ReduceSum", [row, last], keepdims=0)]))
    pooled = graph.node("Concat", means, axis=1)
    pooled = graph.node("Relu", [graph.linear(pooled, "pooled")])
    inputs = {"places": ("texts", "sentences"), "second": ("texts", "sentences")}
    floats = {"sentences": ("texts", "sentences", weights["parts.weight"].shape[1])}
    outputs = {"order": (graph.linear(pooled, "order"), ("texts", 1))}
    graph.write(folder / ORDER_NETWORK, inputs, outputs, floats=floats)
