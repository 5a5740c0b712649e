"""The language model's network: layers of MiniLM that predict the next piece.

The same weights read from left to right, where each piece attends to earlier ones, and in both directions, with some
pieces hidden; the vector *before* a piece always predicts it (masked next-token prediction, Charpentier & Samuel 2024,
"GPT or BERT: why not both?").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from training.encoder import WIDTH, begin_with_minilm, vectors_of
from training.layer import Layer
from training.neural_lm.text import PLACES

LAYERS, FEED_FORWARD = 4, 1536
NARROW = 192
"""Numbers per piece in the table, which costs most of the room and a third of the time."""
NOISE = 0.02
"""Noise that lets *The* and *the*, a single piece in MiniLM, diverge."""


class Transformer(nn.Module):
    """Maps pieces (b, n) to vectors (b, n, narrow), to be compared with those of the pieces."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.pieces = nn.Embedding(size + 1, NARROW)
        """The last row stands for a hidden piece."""
        self.widen = nn.Linear(NARROW, WIDTH)
        self.positions = nn.Embedding(PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer(WIDTH, FEED_FORWARD) for _ in range(LAYERS))
        self.foretell = nn.Linear(WIDTH, NARROW)
        self.common = nn.Parameter(torch.zeros(size))
        """Log frequency of each piece, regardless of context."""

    @property
    def hidden(self) -> int:
        """Return the mask piece."""
        return self.pieces.num_embeddings - 1

    def forward(self, ids: Tensor, mask: Tensor, *, causal: bool) -> Tensor:
        """Return vectors; ``mask`` (b, n) is true where there is a piece, and is unused from left to right."""
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.widen(self.pieces(ids)) + self.positions(positions))
        for layer in self.layers:
            x = layer(x, None if causal else mask[:, None, None, :])
        logits: Tensor = self.foretell(x)
        return logits

    def logits(self, x: Tensor) -> Tensor:
        """Return logits of all pieces, from vectors (..., narrow)."""
        return x @ self.pieces.weight[:-1].T + self.common


def pretrained(pieces: Sequence[str], counts: Sequence[int]) -> Transformer:
    """Return a network initialised with MiniLM's first layers and reduced vectors for each piece.

    ``counts``: frequencies of pieces, which the untrained network predicts.
    """
    model = Transformer(len(pieces))
    begin_with_minilm(model)
    table = vectors_of(pieces)
    middle = table.mean(0)
    _, _, axes = torch.linalg.svd(table - middle, full_matrices=False)
    axes = axes[:NARROW]
    with torch.no_grad():
        narrow = (table - middle) @ axes.T
        size = narrow.std()
        model.pieces.weight[:-1] = narrow / size + NOISE * torch.randn(narrow.shape)
        model.pieces.weight[-1].zero_()
        model.widen.weight.copy_(size * axes.T)
        model.widen.bias.copy_(middle)
        model.foretell.weight.normal_(0, 0.005)
        model.foretell.bias.zero_()
        share = (np.asarray(counts, np.float64) + 1) / (sum(counts) + len(counts))
        model.common.copy_(torch.from_numpy(np.log(share)))
    return model
