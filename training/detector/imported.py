"""Read the weights of a detector back from its file, so that it can get another rating head."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from naturalness.models.detector import DESCRIPTION, NETWORK
from training.detector.network import HEADS as ATTENDING
from training.onnx_graph import NIBBLE, NIBBLES, Floats

LINEAR = ("attention_in", "attention_out", "wide", "narrow")
"""Matrix products of a layer, in order of computation."""
HEADS, RATING = ("pooled", "kinds", "sound"), ("p", "r")
"""Products behind the last layer; files before 0.3.0 have no rating head."""


class Graph:
    """Constants of an ONNX graph, by the nodes that read them."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(path).graph
        self.nodes = graph.node
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.of_output = {node.output[0]: node for node in graph.node}

    def operands(self, kind: str) -> Iterator[tuple[list[Floats], str]]:
        """Yield the constants that each node of a kind reads, and the name of its output."""
        for node in self.nodes:
            if node.op_type == kind:
                inputs = [self.of_output[name].input[0] if name.startswith("Cast") else name for name in node.input]
                yield [self.constants[name] for name in inputs if name in self.constants], node.output[0]

    def bias(self, product: str) -> Floats:
        """Return the bias added to a product after scaling."""
        (scaled,) = [node.output[0] for node in self.nodes if product in node.input]
        (added,) = [node for node in self.nodes if scaled in node.input]
        return self.constants[added.input[1]]


def weights_of_file(folder: Path) -> tuple[dict[str, Floats], list[str] | None]:
    """Return the weights of an asset as they were rounded, with the steps of its layers, and its own pieces if any.

    `training.detector.export.write` makes the same file of them.
    """
    vocabulary = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))["vocabulary"]
    graph = Graph(folder / NETWORK)
    products = list(graph.operands("MatMulIntegerToFloat"))
    heads = HEADS if len(products) % len(LINEAR) == len(HEADS) else (*HEADS, *RATING)
    layers = (len(products) - len(heads)) // len(LINEAR)
    names = [f"layers.{i}.{part}" for i in range(layers) for part in LINEAR] + list(heads)
    weights: dict[str, Floats] = {}
    for name, ((columns, _, step, _), output) in zip(names, products, strict=True):
        weights[f"{name}.weight"] = columns.astype(np.float32).T * step[:, None]
        weights[f"{name}.bias"] = graph.bias(output)
        if name not in heads:
            weights[f"{name}.step"] = step[:, None]
    norms = ["norm"] + [f"layers.{i}.norm_{k}" for i in range(layers) for k in (1, 2)]
    for name, ((weight, bias), _) in zip(norms, graph.operands("LayerNormalization"), strict=True):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = weight, bias
    tables = [constants[0] for constants, _ in graph.operands("Gather") if constants]
    packed = [table for table in tables if table.ndim == 3]
    scales = [table for table in tables if table.shape in {x.shape[:2] for x in packed}]
    unpacked = ("positions",) if vocabulary is None else ("pieces", "positions")
    for name, whole, scale in zip(unpacked, packed, scales, strict=True):
        numbers = np.stack([whole & NIBBLES, whole >> NIBBLE], -1).reshape(*whole.shape[:2], -1).astype(np.float32)
        weights[f"{name}.weight"] = ((numbers - (1 << NIBBLE - 1)) * scale[..., None]).reshape(len(whole), -1)
    (distances,) = [table for table in tables if table.ndim == 2 and len(table) == ATTENDING]
    weights["distances.weight"] = distances.T
    return weights, vocabulary
