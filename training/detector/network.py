"""The detector's network: MiniLM with a head for each word and one for the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from naturalness.models.detector import KINDS
from training.encoder import WIDTH, Layer, begin_with_minilm

LAYERS, FEED_FORWARD = 6, 1536
PLACES = 192
"""Pieces of the longest sentence."""
POOLED = 128


class Detector(nn.Module):
    """Pieces (b, n) in; logits of kinds (b, n, kinds) and one of soundness (b,) out."""

    def __init__(self, vocabulary: Sequence[str], *, drop: float = 0.1) -> None:
        super().__init__()
        self.vocabulary = list(vocabulary)
        self.pieces = nn.Embedding(len(vocabulary), WIDTH)
        self.positions = nn.Embedding(PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer(WIDTH, FEED_FORWARD, drop=drop) for _ in range(LAYERS))
        self.drop = nn.Dropout(drop)
        self.kinds = nn.Linear(WIDTH, len(KINDS))
        self.pooled = nn.Linear(3 * WIDTH, POOLED)
        self.sound = nn.Linear(POOLED, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """``mask`` (b, n) is true where there is a piece."""
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.drop(self.norm(self.pieces(ids) + self.positions(positions)))
        for layer in self.layers:
            x = layer(x, mask)
        there = mask.unsqueeze(-1)
        mean = (x * there).sum(1) / there.sum(1)
        most = x.masked_fill(~there, -1e4).amax(1)
        pooled = torch.relu(self.pooled(self.drop(torch.cat([x[:, 0], mean, most], -1))))
        return self.kinds(self.drop(x)), self.sound(pooled).squeeze(-1)


def pretrained(vocabulary: Sequence[str], *, drop: float = 0.1) -> Detector:
    """A network that begins with MiniLM's weights; its tables of vectors stay as they are."""
    model = Detector(vocabulary, drop=drop)
    begin_with_minilm(model, vocabulary)
    for table in (model.pieces, model.positions):
        table.weight.requires_grad_(False)  # half of the weights, and they know words not seen here
    return model


def load(path: Path) -> Detector:
    """The network that `learning.fit` wrote."""
    state = torch.load(path, weights_only=True)
    model = Detector(state["vocabulary"])
    model.load_state_dict(state["weights"])
    return model.eval()
