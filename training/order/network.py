"""Layers on top of the detector's that look at two parts of a text at once."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel

from training.detector.export import ABOVE
from training.detector.network import Detector
from training.encoder import ENCODER, WIDTH, Layer, copy_layer

POOLED = 128
NARROW = 768
"""Width inside a layer's feed-forward net, half of MiniLM's: the most used half of it."""


class Order(nn.Module):
    """The detector's lower layers, which stay as they are, and two of MiniLM's upper ones."""

    def __init__(self, detector: Detector, *, drop: float = 0.0) -> None:
        super().__init__()
        self.below = detector.requires_grad_(False)
        self.parts = nn.Embedding(2, WIDTH)
        self.layers = nn.ModuleList(Layer(WIDTH, NARROW, drop=drop) for _ in range(ABOVE))
        self.pooled = nn.Linear(3 * WIDTH, POOLED)
        self.order = nn.Linear(POOLED, 1)

    def forward(self, ids: Tensor, mask: Tensor, second: Tensor) -> Tensor:
        """(b,) logits of the parts' being in their order."""
        below: Any = self.below
        with torch.no_grad():
            places = torch.arange(ids.shape[1], device=ids.device)
            x = below.norm(below.pieces(ids) + below.positions(places))
            for layer in below.layers[:-ABOVE]:
                x = layer(x, mask)
        x = x + self.parts(second)
        for layer in self.layers:
            x = layer(x, mask)
        one, other = ((mask & (second == part)).unsqueeze(-1) for part in (0, 1))
        means = [(x * part).sum(1) / part.sum(1) for part in (one, other)]
        pooled = torch.relu(self.pooled(torch.cat([x[:, 0], *means], -1)))
        found: Tensor = self.order(pooled).squeeze(-1)
        return found

    def own(self) -> dict[str, Tensor]:
        """The weights that are trained."""
        return {k: v for k, v in self.state_dict().items() if not k.startswith("below.")}


def pretrained(detector: Detector) -> Order:
    """Begins with MiniLM's upper layers, as they were before the detector learned."""
    model = Order(detector)
    source = AutoModel.from_pretrained(str(ENCODER)).encoder.layer
    with torch.no_grad():
        model.parts.weight.zero_()
        for mine, theirs in zip(model.layers, source[-ABOVE:], strict=True):
            copy_layer(mine, theirs)
    return model
