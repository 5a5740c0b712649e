"""The acceptability head as the file of its asset. Writing it needs onnx and numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from naturalness.models.metrics.gruen.judges import ACCEPTABILITY_NETWORK
from training.onnx_graph import Encoder, Floats


def write(weights: Mapping[str, Floats], folder: Path, *, heads: int) -> None:
    """Write the network: ``inner`` (texts, pieces, width) in, ``acceptable`` (texts, 1) out."""
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    graph = Encoder(weights, heads)
    x = "inner"
    for i in range(layers):
        x = graph.layer(x, f"layers.{i}")
    axis = graph.tensor([1])
    first = graph.node("Gather", [x, graph.tensor(0)], axis=1)
    mean = graph.node("ReduceMean", [x, axis], keepdims=0)
    most = graph.node("ReduceMax", [x, axis], keepdims=0)
    pooled = graph.node("Concat", [first, mean, most], axis=1)
    pooled = graph.node("Relu", [graph.linear(pooled, "pooled")])
    width = weights["layers.0.norm_1.weight"].shape[0]
    folder.mkdir(parents=True, exist_ok=True)
    graph.write(
        folder / ACCEPTABILITY_NETWORK,
        {},
        {"acceptable": (graph.linear(pooled, "acceptable"), ("texts", 1))},
        floats={"inner": ("texts", "pieces", width)},
    )
