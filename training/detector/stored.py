"""Read the weights of a detector back from its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import numpy_helper

from training.detector.export import open_graph
from training.layer import HEADS
from training.mpnet import LAYERS
from training.onnx_graph import Floats

LINEAR = ("attention_in", "attention_out", "wide", "narrow")
"""Matrix products of a layer, in order of computation."""
ON_TOP = ("pooled", "kinds", "sound")
"""Products above the layers."""


def stored_weights(folder: Path) -> dict[str, Floats]:
    """Return the rounded weights, except for the tables of pieces and positions and the rating head."""
    graph, _ = open_graph(folder)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.tensors}
    constants |= {node.output[0]: constants[x] for node in graph.nodes for x in node.input[:1] if x in constants}

    def read_by(kind: str) -> list[list[Floats]]:
        rows = [[constants[x] for x in node.input if x in constants] for node in graph.nodes if node.op_type == kind]
        return [row for row in rows if row]

    weights: dict[str, Floats] = {}
    names = [*(f"layers.{i}.{part}" for i in range(LAYERS) for part in LINEAR), *ON_TOP]
    for name, (columns, _, step, _), (bias,) in zip(
        names, read_by("MatMulIntegerToFloat"), read_by("Add"), strict=False
    ):
        weights |= {f"{name}.weight": columns.T.astype(np.float32) * step[:, None], f"{name}.bias": bias}
    norms = ["norm", *(f"layers.{i}.norm_{k}" for i in range(LAYERS) for k in (1, 2))]
    for name, (weight, bias) in zip(norms, read_by("LayerNormalization"), strict=True):
        weights |= {f"{name}.weight": weight, f"{name}.bias": bias}
    (by_head,) = [table for table, *_ in read_by("Gather") if table.ndim == 2 and len(table) == HEADS]
    return weights | {"distances.weight": by_head.T}
