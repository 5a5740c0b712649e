"""The detectors' network in plain torch, with its heads and its initial weights.

A wide one begins with MPNet (`training.mpnet`), a narrow one with MiniLM (`training.encoder`) and the piece vectors
that ship.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from naturalness.models.detector import KINDS
from naturalness.models.pieces import PieceVectors
from training.detector.distances import BUCKETS, buckets
from training.detector.export import BLOCK, EPSILON, LARGEST
from training.detector.steps import TINY, nearest_steps, whole
from training.layer import HEADS, Layer
from training.mpnet import LAYERS, PLACES, weights_of

WIDTH, FEED_FORWARD = 768, 3072
"""Of MPNet."""
POOLED = 128
LARGEST_COMING_IN = 127
"""Largest eight-bit integer, on either side of 0."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Number and widths of a network's layers."""

    layers: int
    width: int = WIDTH
    feed_forward: int = FEED_FORWARD


NARROW = Shape(6, 384, 768)
"""MiniLM's layers with half of their feed-forward nets."""


def through(nearest: Tensor, x: Tensor) -> Tensor:
    """Return ``nearest`` with the gradient of ``x`` (straight-through estimator)."""
    return x + (nearest - x).detach()


def rounded_rows(table: Tensor) -> Tensor:
    """Return vectors as the four-bit file stores them, in blocks with a scale each."""
    parts = table.detach().unflatten(-1, (-1, BLOCK))
    scale = parts.abs().amax(-1, keepdim=True).clamp(min=TINY) / LARGEST
    return through(((parts / scale).round() * scale).flatten(-2), table)


class Linear(nn.Linear):
    """A linear layer that can be rounded: weights to -7..7 steps of a row, inputs to -127..127 of their scale."""

    rounds = False

    def __init__(self, k: int, n: int) -> None:
        super().__init__(k, n)
        self.register_buffer("step", torch.zeros(n, 1))

    def rounded(self) -> Tensor:
        """Return the weights as the file stores them."""
        return whole(self.weight.detach(), self.step) * self.step

    def forward(self, x: Tensor) -> Tensor:
        """Return x W + b."""
        if not self.rounds:
            return nn.functional.linear(x, self.weight, self.bias)
        coming_in = through(incoming(x.detach()), x)
        return nn.functional.linear(coming_in, through(self.rounded(), self.weight), self.bias)


def incoming(x: Tensor) -> Tensor:
    """Return the inputs of a product as the file rounds them."""
    scale = x.abs().amax(-1, keepdim=True).clamp(min=TINY) / LARGEST_COMING_IN
    return (x / scale).round() * scale


class Rows(nn.Embedding):
    """A table of vectors that can be rounded."""

    rounds = False

    def forward(self, ids: Tensor) -> Tensor:
        """Return rows of the table."""
        rows = super().forward(ids)
        return rounded_rows(rows) if self.rounds else rows


class Body(nn.Module):
    """Maps pieces (b, n) to logits of kinds (b, n, kinds) and soundness (b,)."""

    def __init__(self, vocabulary: Sequence[str], shape: Shape) -> None:
        super().__init__()
        self.vocabulary = list(vocabulary)
        self.pieces = Rows(len(vocabulary), shape.width)
        self.positions = Rows(PLACES, shape.width)
        self.norm = nn.LayerNorm(shape.width, EPSILON)
        self.distances = nn.Embedding(BUCKETS, HEADS)
        self.layers = nn.ModuleList(
            Layer(shape.width, shape.feed_forward, epsilon=EPSILON, linear=Linear) for _ in range(shape.layers)
        )
        self.kinds = nn.Linear(shape.width, len(KINDS))
        self.pooled = nn.Linear(3 * shape.width, POOLED)
        self.sound = nn.Linear(POOLED, 1)
        self.register_buffer("buckets", torch.from_numpy(buckets(PLACES)), persistent=False)

    def round(self) -> Body:
        """Switch to the file's integer arithmetic, except in the heads."""
        for module in self.modules():
            if isinstance(module, Linear | Rows):
                module.rounds = True
            if isinstance(module, Linear) and not module.step.any():
                module.step = nearest_steps(module.weight.detach())
        return self

    def forget_steps(self) -> None:
        """Compute in floats again; the next `round` chooses new quantisation steps."""
        for module in self.modules():
            if isinstance(module, Linear | Rows):
                module.rounds = False
            if isinstance(module, Linear):
                module.step.zero_()

    def states(self, ids: Tensor, mask: Tensor, last: int | None = None) -> list[Tensor]:
        """Return the vectors of the pieces after the embeddings and after each layer, or the ``last`` lowest ones.

        ``mask`` (b, n) is true where there is a piece.
        """
        return self.above(self.embedded(ids), mask, 0, last)

    def embedded(self, ids: Tensor) -> Tensor:
        """Return the vectors of the pieces before the first layer."""
        embedded: Tensor = self.norm(self.pieces(ids) + self.positions(torch.arange(ids.shape[1], device=ids.device)))
        return embedded

    def bias(self, mask: Tensor) -> Tensor:
        """Return what is added to attention: the weights of distances; for padding, a large negative number."""
        n = mask.shape[1]
        bias = self.distances(self.buckets[:n, :n]).permute(2, 0, 1)
        hidden = torch.zeros_like(mask, dtype=bias.dtype).masked_fill(~mask, -1e9)
        return bias[None] + hidden[:, None, None, :]

    def above(self, x: Tensor, mask: Tensor, first: int, last: int | None = None) -> list[Tensor]:
        """Return the vectors ``x`` of the pieces before layer ``first``, and those after each layer from there on."""
        states, bias = [x], self.bias(mask)
        for layer in self.layers[first:last]:
            states.append(layer(states[-1], bias))
        return states

    def summary(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the first vector, the mean and the maximum of each text (b, 3 width)."""
        there = mask.unsqueeze(-1)
        mean = (x * there).sum(1) / there.sum(1)
        return torch.cat([x[:, 0], mean, x.masked_fill(~there, -1e4).amax(1)], -1)

    def judged(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of kinds and soundness, from the vectors after the last layer."""
        pooled = torch.relu(self.pooled(self.summary(x, mask)))
        return self.kinds(x), self.sound(pooled).squeeze(-1)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of kinds and soundness."""
        return self.judged(self.states(ids, mask)[-1], mask)


def begin_narrow(model: Body, vectors: PieceVectors) -> None:
    """Initialise a network with MiniLM's weights, on the shipped vectors of pieces, which are frozen.

    MiniLM has absolute positions only, so the weights of distances are initially zero.
    """
    from training.encoder import begin_with_minilm  # needs MiniLM's package

    nn.init.zeros_(model.distances.weight)
    begin_with_minilm(model)
    with torch.no_grad():
        model.pieces.weight.copy_(torch.from_numpy(vectors.of(range(len(vectors.vocabulary)))))
    model.pieces.weight.requires_grad_(False)


def pretrained(source: Path, vocabulary: Sequence[str]) -> Body:
    """Return a network initialised with MPNet's weights; its table of pieces is frozen."""
    model = Body(vocabulary, Shape(LAYERS))
    begun = {name: torch.from_numpy(x) for name, x in weights_of(source, vocabulary).items()}
    model.load_state_dict({**model.state_dict(), **begun})
    model.pieces.weight.requires_grad_(False)
    model.positions.weight.requires_grad_(False)
    return model


def load(path: Path) -> Body:
    """Return the network of a checkpoint."""
    state = torch.load(path, weights_only=True, mmap=True, map_location="cpu")
    weights = {name: values for name, values in state["weights"].items() if not name.startswith("hints.")}
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    feed_forward, width = weights["layers.0.wide.weight"].shape
    model = Body(state["vocabulary"], Shape(layers, width, feed_forward))
    model.load_state_dict(weights)
    return model.eval()


def averaged(bodies: Sequence[Body]) -> Body:
    """Return the unrounded mean of networks with the same initialisation (Wortsman et al. 2022)."""
    mean = AveragedModel(bodies[0])
    for body in bodies:
        mean.update_parameters(body)
    model: Body = mean.module
    model.forget_steps()
    return model
