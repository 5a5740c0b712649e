"""A network in torch with the weights of a detector's file: to train on from one that ships."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from naturalness.models.detector import NETWORK, open_network
from training.detector.network import HEADS as ATTENDING
from training.detector.network import WIDTH, Body, Shape
from training.onnx_graph import NIBBLE, NIBBLES, Floats

LINEAR = ("attention_in", "attention_out", "wide", "narrow")
"""Products of a layer, in the order in which they are worked out."""
HEADS = ("pooled", "kinds", "sound")
"""Products behind the last layer."""


class Graph:
    """Constants of an ONNX graph, by the nodes that read them."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(path).graph
        self.nodes = graph.node
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.of_output = {node.output[0]: node for node in graph.node}

    def operands(self, kind: str) -> Iterator[tuple[list[Floats], str]]:
        """Constants that each node of a kind reads, and the name of what it makes."""
        for node in self.nodes:
            if node.op_type == kind:
                inputs = [self.of_output[name].input[0] if name.startswith("Cast") else name for name in node.input]
                yield [self.constants[name] for name in inputs if name in self.constants], node.output[0]

    def bias(self, product: str) -> Floats:
        """What is added to a product, once its rows have their scale."""
        (scaled,) = [node.output[0] for node in self.nodes if product in node.input]
        (added,) = [node for node in self.nodes if scaled in node.input]
        return self.constants[added.input[1]]


def body_of(folder: Path) -> Body:
    """The network of an asset; numbers are as they were rounded in its file.

    One that reads the vectors of pieces that ship has them again, and turns its own towards a teacher's anew.
    """
    network = open_network(folder)
    vocabulary = list(network.pieces.rows)
    graph = Graph(folder / NETWORK)
    products = list(graph.operands("MatMulIntegerToFloat"))
    layers = (len(products) - len(HEADS)) // len(LINEAR)
    names = [f"layers.{i}.{part}" for i in range(layers) for part in LINEAR] + list(HEADS)
    weights: dict[str, Floats] = {}
    for name, ((columns, _, step, _), output) in zip(names, products, strict=True):
        weights[f"{name}.weight"] = columns.astype(np.float32).T * step[:, None]
        weights[f"{name}.bias"] = graph.bias(output)
    norms = ["norm"] + [f"layers.{i}.norm_{k}" for i in range(layers) for k in (1, 2)]
    for name, ((weight, bias), _) in zip(norms, graph.operands("LayerNormalization"), strict=True):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = weight, bias
    tables = [constants[0] for constants, _ in graph.operands("Gather") if constants]
    packed = [table for table in tables if table.ndim == 3]
    scales = [table for table in tables if table.shape in {x.shape[:2] for x in packed}]
    unpacked = ("positions",) if network.vectors else ("pieces", "positions")
    for name, whole, scale in zip(unpacked, packed, scales, strict=True):
        numbers = np.stack([whole & NIBBLES, whole >> NIBBLE], -1).reshape(*whole.shape[:2], -1).astype(np.float32)
        weights[f"{name}.weight"] = ((numbers - (1 << NIBBLE - 1)) * scale[..., None]).reshape(len(whole), -1)
    (distances,) = [table for table in tables if table.ndim == 2 and len(table) == ATTENDING]
    weights["distances.weight"] = distances.T
    feed_forward, width = weights["layers.0.wide.weight"].shape
    if network.vectors:
        weights["pieces.weight"] = network.vectors.of(range(len(vocabulary)))
    model = Body(vocabulary, Shape(layers, width, feed_forward), taught=WIDTH if network.vectors else 0)
    model.load_state_dict({**model.state_dict(), **{name: torch.tensor(x) for name, x in weights.items()}})
    model.pieces.weight.requires_grad_(False)
    model.positions.weight.requires_grad_(network.vectors is not None)
    return model
