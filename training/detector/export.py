"""A detector as the two files of its asset. Writing them needs onnx and numpy alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from onnx import TensorProto, helper

from naturalness.models.detector import DESCRIPTION, FORMAT_VERSION, KINDS, NETWORK, open_network
from naturalness.models.onnx_graph import CONTRIB
from training.detector.distances import buckets
from training.detector.drafts import Draft, Sentence
from training.onnx_graph import MAX_WEIGHT, MIDDLE, NIBBLE, TINY, Encoder, Floats, Packed

if TYPE_CHECKING:
    from torch import nn

ABOVE = 2
"""Layers above ``inner``."""
BLOCK = 128
"""Numbers of a vector that share a scale."""
LARGEST = 7
"""Whole numbers of four bits go so far on either side of 0."""
LARGEST_OF_HEADS = 63
"""Weights of heads have seven bits."""
EPSILON = 1e-5
"""Of MPNet's layer norms."""


class Body(Encoder):
    """A graph with MPNet's layers."""

    def packed(self, weight: Floats, block: int = BLOCK) -> Packed:
        """A table in the blocks that training rounds in."""
        return super().packed(weight, block)

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

    def mean(self, x: str) -> str:
        """Mean over the pieces of each text (texts, width); `ReduceMean` would add up otherwise in company."""
        n = self.node("Cast", [self.length(x)], to=TensorProto.FLOAT)
        shape = self.node(
            "Concat", [self.tensor([1, 1]), self.node("Unsqueeze", [self.length(x), self.tensor([0])])], axis=0
        )
        ones = self.node("ConstantOfShape", [shape], value=helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0]))
        sums = self.node("MatMul", [ones, x])
        return self.node("Div", [self.node("Squeeze", [sums, self.tensor([1])]), n])

    def distances(self, ids: str) -> str:
        """What is added to the attention of each piece to each (1, heads, n, n)."""
        places = len(self.weights["positions.weight"])
        of_all = self.tensor(buckets(places).astype(np.uint8))
        positions = self.node("Range", [self.tensor(0), self.length(ids), self.tensor(1)])
        rows = self.node("Gather", [of_all, positions], axis=0)
        square = self.node("Cast", [self.node("Gather", [rows, positions], axis=1)], to=TensorProto.INT32)
        by_head = self.tensor(self.weights["distances.weight"].T)  # (heads, buckets)
        return self.node("Unsqueeze", [self.node("Gather", [by_head, square], axis=1), self.tensor([0])])


def write(
    weights: Mapping[str, Floats], folder: Path, *, vocabulary: Sequence[str] | None, kinds: Sequence[str] = KINDS
) -> None:
    """Write what the names mean, and the network: ``kinds`` (b, n, kinds), ``sound`` (b, 1), ``rating`` (b, 1).

    Without a rating head (``p`` and ``r``) every text is rated 0. Beside them what the pieces look like before the last
    layers and behind them, ``inner`` and ``states``, for heads that are trained on top. Without a ``vocabulary`` of its
    own it takes the vectors of pieces that ship.
    """
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    if "p.weight" not in weights:
        weights = {**weights, **no_rating(len(weights["norm.weight"]))}
    graph = Body(weights, weights["distances.weight"].shape[1], bits=NIBBLE, epsilon=EPSILON)
    wide = ("texts", "pieces", len(weights["norm.weight"]))
    vectors = "vectors" if vocabulary is None else graph.rows("pieces", "ids")
    states = graph.encoder(vectors, vectors, layers, graph.distances(vectors))
    x = states[-1]
    first = graph.node("Gather", [x, graph.tensor(0)], axis=1)
    most = graph.node("ReduceMax", [x, graph.tensor([1])], keepdims=0)
    joined = graph.node("Concat", [first, graph.mean(x), most], axis=1)
    pooled = graph.node("Relu", [graph.linear(joined, "pooled")])
    outputs = {
        "kinds": (graph.linear(x, "kinds"), ("texts", "pieces", len(kinds))),
        "sound": (graph.linear(pooled, "sound"), ("texts", 1)),
        "rating": (graph.linear(graph.node("Relu", [graph.linear(joined, "p")]), "r"), ("texts", 1)),
        "inner": (states[max(0, layers - ABOVE)], wide),
        "states": (x, wide),
    }
    folder.mkdir(parents=True, exist_ok=True)
    whole, floats = ({"ids": wide[:2]}, {}) if vocabulary else ({}, {"vectors": wide})
    graph.write(folder / NETWORK, whole, outputs, floats)
    about = {
        "format_version": FORMAT_VERSION,
        "kinds": list(kinds),
        "places": len(weights["positions.weight"]),
        "vocabulary": vocabulary and list(vocabulary),
    }
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def no_rating(width: int) -> dict[str, Floats]:
    """A rating head that rates all texts alike."""
    return {
        "p.weight": np.zeros((1, 3 * width), np.float32),
        "p.bias": np.zeros(1, np.float32),
        "r.weight": np.zeros((1, 1), np.float32),
        "r.bias": np.zeros(1, np.float32),
    }


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
        (said,) = network.read([[network.cut(word.text) for word in sentence]])
        first = batch.kinds[0].numpy() >= 0
        largest = max(largest, float(np.abs(np.exp(said.logs) - kinds[first]).max()))
    return largest
