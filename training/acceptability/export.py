"""The acceptability head as the file of its asset. Writing it needs onnx and numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from naturalness.models.metrics.gruen.judges import ACCEPTABILITY_NETWORK
from training.onnx_graph import Encoder, Floats


def write(weights: Mapping[str, Floats], folder: Path) -> None:
    """Write the network: ``states`` (texts, pieces, width) in, ``acceptable`` (texts, 1) out."""
    graph = Encoder(weights, heads=1)
    axis = graph.tensor([1])
    first = graph.node("Gather", ["states", graph.tensor(0)], axis=1)
    mean = graph.node("ReduceMean", ["states", axis], keepdims=0)
    most = graph.node("ReduceMax", ["states", axis], keepdims=0)
    joined = graph.node("Concat", [first, mean, most], axis=1)
    pooled = graph.node("Relu", [graph.linear(joined, "pooled")])
    width = weights["pooled.weight"].shape[1] // 3
    folder.mkdir(parents=True, exist_ok=True)
    graph.write(
        folder / ACCEPTABILITY_NETWORK,
        {},
        {"acceptable": (graph.linear(pooled, "acceptable"), ("texts", 1))},
        floats={"states": ("texts", "pieces", width)},
    )
