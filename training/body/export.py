"""The body as the two files of the detector's asset, in four bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto

from naturalness.models.detector import KINDS
from training.body.network import BLOCK, EPSILON, HEADS, buckets
from training.detector.export import write_heads
from training.detector.network import PLACES
from training.onnx_graph import BITS, NIBBLE, Encoder, Floats, Packed


class Body(Encoder):
    """A graph with MPNet's layers."""

    def packed(self, weight: Floats, block: int = BLOCK) -> Packed:
        """A matrix in the blocks that training rounds in."""
        return super().packed(weight, block)

    def distances(self, ids: str) -> str:
        """What is added to the attention of each piece to each (1, heads, n, n)."""
        n = self.length(ids)
        of_all = self.tensor(buckets(PLACES).numpy().astype(np.uint8))
        positions = self.node("Range", [self.tensor(0), n, self.tensor(1)])
        rows = self.node("Gather", [of_all, positions], axis=0)
        square = self.node("Cast", [self.node("Gather", [rows, positions], axis=1)], to=TensorProto.INT32)
        by_head = self.tensor(self.weights["distances.weight"].T)  # (heads, buckets)
        return self.node("Unsqueeze", [self.node("Gather", [by_head, square], axis=1), self.tensor([0])])


def write(weights: Mapping[str, Floats], folder: Path, vocabulary: Sequence[str]) -> None:
    """Write the network and what its names mean."""
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    graph = Body(weights, HEADS, bits=NIBBLE, epsilon=EPSILON)
    states = graph.encoder("ids", graph.rows("pieces", "ids"), layers, graph.distances("ids"))
    graph.bits = BITS  # of the heads, which are small
    write_heads(graph, states, folder, vocabulary=vocabulary, kinds=KINDS)
