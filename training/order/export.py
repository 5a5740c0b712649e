"""The order head as the file of its asset. Writing it needs onnx and numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto

from naturalness.models.metrics.gruen.coherence import NETWORK
from training.onnx_graph import Floats, Graph


def write(weights: Mapping[str, Floats], folder: Path, *, heads: int) -> None:
    """Write the network: ``inner`` (texts, pieces, width) and ``second`` in, ``order`` out."""
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    graph = Graph(weights, heads)
    parts = graph.node("Gather", [graph.tensor(weights["parts.weight"]), "second"])
    x = graph.node("Add", ["inner", parts])
    for i in range(layers):
        x = graph.layer(x, f"layers.{i}")
    axis, last = graph.tensor([1]), graph.tensor([2])
    means = []
    for part in (0, 1):
        own = graph.node("Equal", ["second", graph.tensor(np.int64(part))])
        share = graph.node("Cast", [own], to=TensorProto.FLOAT)
        row = graph.node("Unsqueeze", [share, axis])
        total = graph.node("Squeeze", [graph.node("MatMul", [row, x]), axis])
        means.append(graph.node("Div", [total, graph.node("ReduceSum", [row, last], keepdims=0)]))
    first = graph.node("Gather", [x, graph.tensor(0)], axis=1)
    pooled = graph.node("Concat", [first, *means], axis=1)
    pooled = graph.node("Relu", [graph.linear(pooled, "pooled")])
    width = weights["parts.weight"].shape[1]
    folder.mkdir(parents=True, exist_ok=True)
    graph.write(
        folder / NETWORK,
        {"second": ("texts", "pieces")},
        {"order": (graph.linear(pooled, "order"), ("texts", 1))},
        floats={"inner": ("texts", "pieces", width)},
    )
