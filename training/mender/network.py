"""The mender's head in plain torch: two narrow encoder layers over the vectors of the shipped detector."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from torch import Tensor, nn

from naturalness.models.mender import DESCRIPTION, FORMAT_VERSION, NETWORK
from training.detector.network import through
from training.layer import HEADS, Layer
from training.onnx_graph import EPSILON, NIBBLE, TINY, Encoder, Floats, Packed

READ = 2 * 768
"""The detector's vectors of a piece after its fourth and its last layer, side by side."""
WIDTH, FEED_FORWARD, LAYERS = 288, 576, 2
BLOCK = 32
"""Weights that share a scale."""
LARGEST = 7
"""Largest four-bit integer, on either side of 0."""


class Linear(nn.Linear):
    """A linear layer whose weights can be rounded as the file stores them, in blocks with a scale each."""

    rounds = False

    def forward(self, x: Tensor) -> Tensor:
        """Return x W + b."""
        if not self.rounds:
            return super().forward(x)
        parts = self.weight.detach().unflatten(-1, (-1, BLOCK))
        scale = parts.abs().amax(-1, keepdim=True).clamp(min=float(TINY)) / LARGEST
        rounded = ((parts / scale).round() * scale).flatten(-2)
        return nn.functional.linear(x, through(rounded, self.weight), self.bias)


class Head(nn.Module):
    """Maps vectors of pieces (b, n, `READ`) to logits of tags (b, n, tags); the texts have equally many pieces."""

    def __init__(self, tags: int, drop: float = 0.1) -> None:
        super().__init__()
        self.reads = Linear(READ, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer(WIDTH, FEED_FORWARD, drop=drop, linear=Linear) for _ in range(LAYERS))
        self.tags = Linear(WIDTH, tags)

    def round(self, rounds: bool = True) -> Head:
        """Compute with the weights that the file stores."""
        for module in self.modules():
            if isinstance(module, Linear):
                module.rounds = rounds
        return self

    def forward(self, vectors: Tensor) -> Tensor:
        """Return logits."""
        x, everywhere = self.norm(self.reads(vectors)), vectors.new_zeros(1, 1, 1, vectors.shape[1])
        for layer in self.layers:
            x = layer(x, everywhere)
        logits: Tensor = self.tags(x)
        return logits


class Graph(Encoder):
    """The head as an ONNX graph, with weights of four bits."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        super().__init__(weights, HEADS, bits=NIBBLE)

    def packed(self, weight: Floats, block: int = BLOCK) -> Packed:
        """Return a matrix (n, k) as integers."""
        return super().packed(weight, block)


def write(model: Head, folder: Path, tags: Sequence[str]) -> None:
    """Write the network and the tags of the asset."""
    graph = Graph({name: values.numpy() for name, values in model.state_dict().items()})
    x = graph.norm(graph.linear("vectors", "reads"), "norm")
    for i in range(LAYERS):
        x = graph.layer(x, f"layers.{i}")
    logits = graph.linear(x, "tags")
    folder.mkdir(parents=True, exist_ok=True)
    outputs = {"tags": (logits, ("texts", "pieces", len(tags)))}
    graph.write(folder / NETWORK, {}, outputs, {"vectors": ("texts", "pieces", READ)})
    about = {"format_version": FORMAT_VERSION, "tags": list(tags)}
    (folder / DESCRIPTION).write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")
