"""Write an LSTM language model as the two files that `models.language.neural.model` reads.

The ONNX graph is written node by node, with 32-bit weights. This needs only onnx and numpy, because the weights are
arrays with torch's names. Input and output embeddings are tied; the output layer adds a bias for each unit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.models.language.neural.model import DESCRIPTION, FORMAT_VERSION, FROM_THE_LEFT, NETWORK, OUTPUTS
from naturalness.models.language.units import OTHER
from naturalness_replication.onnx_graph import Dims, Graph

SPECIAL = (OTHER, "<s> ", "</s> ")
"""The first rows of the vocabulary: unknown units, start and end. Each contains a space, unlike any unit."""
UNKNOWN, START, END = range(3)
PLACES = 512
"""The maximum number of units read at once, including the start symbol; longer sentences are read in windows."""
OPSET, IR_VERSION = 17, 8
TABLE, COMMON = "table.weight", "common"


def write_lstm(weights: Mapping[str, Float32Array], folder: Path, *, units: Sequence[str], encoder: str) -> None:
    """Write the network and its description.

    ``weights`` contains the arrays `TABLE` (rows, width), `COMMON` (rows,) and torch's four LSTM arrays per layer.
    ``units`` are the units of the remaining rows, after `SPECIAL`. ``encoder`` is the checksum of the SentencePiece
    model; it is empty if units are words.
    """
    (folder / NETWORK).write_bytes(_network(weights))
    about = {
        "format_version": FORMAT_VERSION,
        "encoder": encoder,
        "unknown": UNKNOWN,
        "start": START,
        "end": END,
        "hidden": None,
        "places": PLACES,
        "vocabulary": [*SPECIAL, *units],
    }
    text = json.dumps(about, ensure_ascii=False) + "\n"
    (folder / DESCRIPTION).write_text(text, encoding="utf-8")


def _network(weights: Mapping[str, Float32Array]) -> bytes:
    graph = Graph(OPSET, IR_VERSION)
    ids, at, targets = FROM_THE_LEFT
    table = graph.tensor(weights[TABLE])
    x = graph.node("Transpose", [graph.node("Gather", [table, ids])], perm=[1, 0, 2])
    axis = graph.tensor([1])
    for layer in range(sum(name.startswith("lstm.weight_hh") for name in weights)):
        x = graph.node("Squeeze", [_layer(graph, x, weights, layer), axis])
    asked = graph.node("GatherND", [graph.node("Transpose", [x], perm=[1, 0, 2]), at])
    logits = graph.node("Gemm", [asked, table, graph.tensor(weights[COMMON])], transB=1)
    every = graph.node("LogSoftmax", [logits], axis=-1)
    terms = graph.node("Mul", [graph.node("Exp", [every]), every])
    entropy = graph.node("Neg", [graph.node("ReduceSum", [terms, axis], keepdims=1)])
    logs = graph.node("GatherElements", [every, targets], axis=1)
    shapes: dict[str, Dims] = {"ids": ("texts", "units"), "at": ("asked", 2), "targets": ("asked", 1)}
    return graph.serialised(
        "lstm",
        {name: shapes[name] for name in FROM_THE_LEFT},
        {name: (x, ("asked", 1)) for name, x in zip(OUTPUTS, (logs, entropy), strict=True)},
    )


def _layer(graph: Graph, x: str, weights: Mapping[str, Float32Array], layer: int) -> str:
    """Add an LSTM layer, from (units, texts, width) to (units, 1, texts, width), and return its output's name."""

    def gates(name: str) -> Float32Array:
        """Return an array with its gates in ONNX's order (input, output, forget, new) instead of torch's."""
        into, forget, new, out = np.split(weights[f"lstm.{name}_l{layer}"], 4)
        return np.concatenate([into, out, forget, new])

    biases = np.concatenate([gates("bias_ih"), gates("bias_hh")])
    tensors = [gates("weight_ih")[None], gates("weight_hh")[None], biases[None]]
    width = tensors[1].shape[2]
    return graph.node("LSTM", [x, *map(graph.tensor, tensors)], hidden_size=width)
