"""A detector as the two files of its asset. Writing them needs onnx and numpy alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

from naturalness.models.detector import DESCRIPTION, FORMAT_VERSION, KINDS, NETWORK
from naturalness.models.onnx_graph import CONTRIB, Dims
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
    """A graph with MPNet's layers."""

    def linear(self, x: str, layer: str) -> str:
        """x W + b in whole numbers: the same digits in any company.

        W has the steps that training has set, or, in heads, those of its largest weights. Each row of x is scaled
        by its own largest number. Sums of products of -127..127 and at most `LARGEST_OF_HEADS` are exact, on
        processors without instructions for eight bits too, where wider ones overflow.
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


def network_of(weights: Mapping[str, Floats], vocabulary: Sequence[str] | None) -> tuple[Body, list[str]]:
    """Return a graph and its layer outputs; without a ``vocabulary`` it reads vectors instead of pieces."""
    graph = Body(weights, weights["distances.weight"].shape[1], bits=NIBBLE, epsilon=EPSILON)
    vectors = "vectors" if vocabulary is None else graph.rows("pieces", "ids")
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    return graph, graph.encoder(vectors, vectors, layers, graph.distances(vectors))


def write_graph(
    graph: Body, path: Path, outputs: Mapping[str, tuple[str, Dims]], *, vocabulary: Sequence[str] | None
) -> None:
    """Write a graph that `network_of` began."""
    if vocabulary:
        graph.write(path, {"ids": ("texts", "pieces")}, outputs)
    else:
        graph.write(path, {}, outputs, {"vectors": ("texts", "pieces", len(graph.weights["norm.weight"]))})


def write(
    weights: Mapping[str, Floats], folder: Path, *, vocabulary: Sequence[str] | None, kinds: Sequence[str] = KINDS
) -> None:
    """Write what the names mean, and the network: ``kinds`` (b, n, kinds), ``sound`` (b, 1), ``rating`` (b, 1).

    Without a rating head (``p`` and ``r``) every text is rated 0. The head reads as many of the last layers as it has
    numbers for. Beside them what the pieces look like before the last layers and behind them, ``inner`` and
    ``states``, for heads that are trained on top. Without a ``vocabulary`` of its own it takes the vectors of pieces
    that ship.
    """
    width = len(weights["norm.weight"])
    if "p.weight" not in weights:
        weights = {**weights, **no_rating(width)}
    graph, states = network_of(weights, vocabulary)
    wide = ("texts", "pieces", width)
    joined = graph.summary(states[-1])
    pooled = graph.node("Relu", [graph.linear(joined, "pooled")])
    below = [graph.summary(x) for x in states[-(weights["p.weight"].shape[1] // (len(SUMMARY) * width)) : -1]]
    rated = graph.node("Concat", [*below, joined], axis=1) if below else joined
    outputs = {
        "kinds": (graph.linear(states[-1], "kinds"), ("texts", "pieces", len(kinds))),
        "sound": (graph.linear(pooled, "sound"), ("texts", 1)),
        "rating": (graph.linear(graph.node("Relu", [graph.linear(rated, "p")]), "r"), ("texts", 1)),
        "inner": (states[max(0, len(states) - 1 - ABOVE)], wide),
        "states": (states[-1], wide),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_graph(graph, folder / NETWORK, outputs, vocabulary=vocabulary)
    about = {
        "format_version": FORMAT_VERSION,
        "kinds": list(kinds),
        "places": len(weights["positions.weight"]),
        "vocabulary": vocabulary and list(vocabulary),
    }
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def no_rating(width: int) -> dict[str, Floats]:
    """Return a rating head that gives all texts the same rating."""
    return {
        "p.weight": np.zeros((1, len(SUMMARY) * width), np.float32),
        "p.bias": np.zeros(1, np.float32),
        "r.weight": np.zeros((1, 1), np.float32),
        "r.bias": np.zeros(1, np.float32),
    }
