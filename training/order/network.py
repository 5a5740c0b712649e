"""The order head: sentences to vectors, each on its own, and parts of a text compared by them."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from naturalness.metrics.gruen.judges import POSITIONS
from training.detector.network import WIDTH
from training.layer import Layer

SEEN, VECTOR, FEED_FORWARD = 384, 192, 512
"""Width of what is pooled, of a sentence, and inside a layer."""
LAYERS, DROP = 2, 0.3


class Order(nn.Module):
    """On top of the detector's lower layers, which stay as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Linear(WIDTH, SEEN)
        self.sentence = nn.Linear(2 * SEEN + WIDTH, VECTOR)
        self.parts = nn.Embedding(2, VECTOR)
        self.places = nn.Embedding(POSITIONS, VECTOR)
        self.layers = nn.ModuleList(Layer(VECTOR, FEED_FORWARD, drop=DROP) for _ in range(LAYERS))
        self.pooled = nn.Linear(2 * VECTOR, VECTOR)
        self.order = nn.Linear(VECTOR, 1)
        self.drop = nn.Dropout(DROP)

    def sentences(self, inner: Tensor, mask: Tensor) -> Tensor:
        """(b, vector) of sentences of pieces (b, n, width)."""
        there = mask.unsqueeze(-1)
        seen = nn.functional.gelu(self.seen(inner))
        mean = (seen * there).sum(1) / there.sum(1)
        most = seen.masked_fill(~there, -1.0).amax(1)  # no activation is below -0.2
        pooled = torch.cat([inner[:, 0], mean, most], -1)
        vectors: Tensor = self.sentence(self.drop(pooled))
        return vectors

    def forward(self, vectors: Tensor, mask: Tensor, second: Tensor) -> Tensor:
        """(b,) logits of the parts' being in their order, for sentences (b, n, vector) as read."""
        positions = torch.arange(vectors.shape[1]).clamp(max=POSITIONS - 1)
        x = vectors + self.parts(second) + self.places(positions)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        shares = [(mask & (second == part)).unsqueeze(-1) for part in (0, 1)]
        means = [(x * share).sum(1) / share.sum(1) for share in shares]
        logits: Tensor = self.order(torch.relu(self.pooled(torch.cat(means, -1)))).squeeze(-1)
        return logits
