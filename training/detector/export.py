"""Write a detector as the two files of its asset; needs only onnx and numpy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, compose, helper

from naturalness.models.detector import DESCRIPTION, FORMAT_VERSION, KINDS, NETWORK
from naturalness_replication.onnx_graph import CONTRIB, Dims
from training.detector.distances import buckets
from training.onnx_graph import MAX_WEIGHT, MIDDLE, NIBBLE, TINY, Encoder, Floats

ABOVE = 2
"""Layers above ``inner``."""
BLOCK = 128
"""Block size: numbers of a vector that share a scale."""
LARGEST = 7
"""Largest four-bit integer, on either side of 0."""
LARGEST_OF_HEADS = 63
"""Weights of heads have seven bits."""
EPSILON = 1e-5
"""Of MPNet's layer norms."""
SUMMARY = ("first", "mean", "most")
"""Of the vectors of a text's pieces."""


class Body(Encoder):
    """A graph with MPNet's layers, which reads ``ids`` of pieces or their ``vectors``."""

    states: Sequence[str]
    """The vectors after the embeddings and after each layer."""

    def __init__(self, weights: Mapping[str, Floats], reads: Mapping[str, Dims], heads: int = 0) -> None:
        super().__init__(weights, heads, bits=NIBBLE, epsilon=EPSILON)
        self.reads = reads

    def linear(self, x: str, layer: str) -> str:
        """Return x W + b in integer arithmetic, with the same digits in any batch.

        W has the steps that training chose, or, in heads, steps from its largest weights. Each row of x is scaled by
        its own largest number. Sums of products of -127..127 and at most `LARGEST_OF_HEADS` are exact even on
        processors without eight-bit instructions, where larger weights overflow.
        """
        weight, bias = self.weights[f"{layer}.weight"], self.weights[f"{layer}.bias"]
        n, k = weight.shape
        step = self.weights.get(f"{layer}.step")
        if step is None:
            step = np.maximum(np.abs(weight).max(1, keepdims=True), TINY) / LARGEST_OF_HEADS
            columns = self.tensor(np.rint(weight / step).astype(np.int8).T)
        else:
            whole = np.clip(np.rint(weight / step), -LARGEST, LARGEST).astype(np.int8)
            columns = self.node("Cast", [self.nibbles(whole.T)], to=TensorProto.INT8)  # when the file is opened
        rows = self.node("Reshape", [x, self.tensor([-1, k])])
        most = self.node("ReduceMax", [self.node("Abs", [rows]), self.tensor([1])], keepdims=0)
        scale = self.node("Mul", [most, self.tensor(np.float32(1 / MAX_WEIGHT))])
        scale = self.node("Max", [scale, self.tensor(TINY)])
        middle = helper.make_tensor("middle", TensorProto.FLOAT, [1], [MIDDLE])
        middles = self.node("ConstantOfShape", [self.node("Shape", [scale])], value=middle)
        middles = self.node("Cast", [middles], to=TensorProto.UINT8)
        coming_in = self.node("QuantizeLinear", [rows, scale, middles], axis=0)
        inputs = [self.tensor(np.float32(1)), self.tensor(step[:, 0]), self.tensor(np.uint8(MIDDLE))]
        product = self.node("MatMulIntegerToFloat", [coming_in, columns, *inputs], CONTRIB)
        product = self.node("Mul", [product, self.node("Unsqueeze", [scale, self.tensor([1])])])
        product = self.node("Add", [product, self.tensor(bias)])
        lead = self.node("Slice", [self.node("Shape", [x]), self.tensor([0]), self.tensor([-1])])
        return self.node("Reshape", [product, self.node("Concat", [lead, self.tensor([n])], axis=0)])

    def summary(self, x: str) -> str:
        """Concatenate the first vector, the mean and the maximum of each text."""
        first = self.node("Gather", [x, self.tensor(0)], axis=1)
        most = self.node("ReduceMax", [x, self.tensor([1])], keepdims=0)
        return self.node("Concat", [first, self.mean(x), most], axis=1)

    def mean(self, x: str) -> str:
        """Return the mean over pieces (texts, width); `ReduceMean` would sum in an order that depends on the batch."""
        n = self.node("Cast", [self.length(x)], to=TensorProto.FLOAT)
        shape = self.node(
            "Concat", [self.tensor([1, 1]), self.node("Unsqueeze", [self.length(x), self.tensor([0])])], axis=0
        )
        ones = self.node("ConstantOfShape", [shape], value=helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0]))
        sums = self.node("MatMul", [ones, x])
        return self.node("Div", [self.node("Squeeze", [sums, self.tensor([1])]), n])

    def distances(self, ids: str) -> str:
        """Return the attention bias between pieces (1, heads, n, n)."""
        places = len(self.weights["positions.weight"])
        of_all = self.tensor(buckets(places).astype(np.uint8))
        positions = self.node("Range", [self.tensor(0), self.length(ids), self.tensor(1)])
        rows = self.node("Gather", [of_all, positions], axis=0)
        square = self.node("Cast", [self.node("Gather", [rows, positions], axis=1)], to=TensorProto.INT32)
        by_head = self.tensor(self.weights["distances.weight"].T)  # (heads, buckets)
        return self.node("Unsqueeze", [self.node("Gather", [by_head, square], axis=1), self.tensor([0])])

    def summaries(self, layers: int = 1) -> str:
        """Concatenate the summaries of the last layers."""
        return self.node("Concat", [self.summary(x) for x in self.states[-layers:]], axis=1)

    def rating(self, layers: int) -> str:
        """Return the rating of each text by the head ``p`` and ``r``, which reads the last layers."""
        return self.linear(self.node("Relu", [self.linear(self.summaries(layers), "p")]), "r")

    def save(self, path: Path, outputs: Mapping[str, tuple[str, Dims]]) -> None:
        """Write the graph, without the nodes that no output needs."""
        needed = {name for name, _ in outputs.values()}
        for node in reversed(self.nodes):
            if needed.intersection(node.output):
                needed.update(node.input)
        self.nodes = [node for node in self.nodes if needed.intersection(node.output)]
        self.tensors = [tensor for tensor in self.tensors if tensor.name in needed]
        floats = "vectors" in self.reads
        self.write(path, {} if floats else self.reads, outputs, self.reads if floats else None)


def open_graph(folder: Path) -> tuple[Body, dict[str, tuple[str, Dims]]]:
    """Return the graph of a detector's file, and the node and shape of each of its outputs."""
    model = onnx.load(folder / NETWORK)
    # New nodes have other names.
    file = compose.add_prefix(model, "_", rename_inputs=False, rename_outputs=False).graph
    *nodes, _, _, _, _, _ = file.node
    shapes = {
        value.name: [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in (*file.input, *file.output)
    }
    graph = Body({}, {value.name: shapes[value.name] for value in file.input})
    graph.nodes, graph.tensors = nodes, [*file.initializer]
    norms = [node.output[0] for node in nodes if node.op_type == "LayerNormalization"]
    graph.states = norms[::2]  # each layer has two
    return graph, {node.output[0]: (node.input[0], shapes[node.output[0]]) for node in file.node[len(nodes) :]}


def write(
    weights: Mapping[str, Floats], folder: Path, *, vocabulary: Sequence[str] | None, kinds: Sequence[str] = KINDS
) -> None:
    """Write the description and the network.

    Its outputs are ``kinds`` (b, n, kinds), ``sound`` (b, 1), ``rating`` (b, 1), and the vectors of pieces below and
    above the last two layers, ``inner`` and ``states`` (b, n, width), for heads that are trained on top. Without a
    rating head (``p`` and ``r``) every text is rated 0; the head reads as many of the last layers as its number of
    inputs allows. Without a ``vocabulary`` the network reads the shipped vectors of pieces.
    """
    width = len(weights["norm.weight"])
    shapes = {"p.weight": (1, len(SUMMARY) * width), "p.bias": 1, "r.weight": (1, 1), "r.bias": 1}
    weights = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()} | dict(weights)
    wide = ("texts", "pieces", width)
    heads = weights["distances.weight"].shape[1]
    graph = Body(weights, {"ids": wide[:2]} if vocabulary else {"vectors": wide}, heads)
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    rows = graph.rows("pieces", "ids") if vocabulary else "vectors"
    graph.states = graph.encoder(rows, rows, layers, graph.distances(rows))
    pooled = graph.node("Relu", [graph.linear(graph.summaries(), "pooled")])
    outputs = {
        "kinds": (graph.linear(graph.states[-1], "kinds"), ("texts", "pieces", len(kinds))),
        "sound": (graph.linear(pooled, "sound"), ("texts", 1)),
        "rating": (graph.rating(weights["p.weight"].shape[1] // (len(SUMMARY) * width)), ("texts", 1)),
        "inner": (graph.states[max(0, layers - ABOVE)], wide),
        "states": (graph.states[-1], wide),
    }
    folder.mkdir(parents=True, exist_ok=True)
    graph.save(folder / NETWORK, outputs)
    about = {
        "format_version": FORMAT_VERSION,
        "kinds": list(kinds),
        "places": len(weights["positions.weight"]),
        "vocabulary": vocabulary and list(vocabulary),
    }
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")
