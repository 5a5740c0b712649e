"""Layers on top of the detector's lower ones that look at one sentence."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.detector.export import ABOVE
from training.detector.network import Detector
from training.encoder import WIDTH, Layer, narrowed
from training.order.network import lower_states

POOLED = 128
FEED_FORWARD = 1024
"""Width inside a layer, two thirds of the detector's: the units of it that weigh most."""


class Acceptability(nn.Module):
    """The detector's lower layers, which stay as they are, and two of its own."""

    def __init__(self, detector: Detector, *, drop: float = 0.1) -> None:
        super().__init__()
        self.below = detector.requires_grad_(False)
        self.layers = nn.ModuleList(Layer(WIDTH, FEED_FORWARD, drop=drop) for _ in range(ABOVE))
        self.drop = nn.Dropout(drop)
        self.pooled = nn.Linear(3 * WIDTH, POOLED)
        self.acceptable = nn.Linear(POOLED, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """(b,) logits of the sentences' being acceptable."""
        x = lower_states(self.below, ids, mask)
        for layer in self.layers:
            x = layer(x, mask)
        there = mask.unsqueeze(-1)
        mean = (x * there).sum(1) / there.sum(1)
        most = x.masked_fill(~there, -1e4).amax(1)
        pooled = torch.relu(self.pooled(self.drop(torch.cat([x[:, 0], mean, most], -1))))
        logits: Tensor = self.acceptable(pooled).squeeze(-1)
        return logits

    def head_weights(self) -> dict[str, Tensor]:
        """The weights that are trained."""
        return {k: v for k, v in self.state_dict().items() if not k.startswith("below.")}


def begun(detector: Detector) -> Acceptability:
    """Begins with the detector's own upper layers, which know damage already."""
    model = Acceptability(detector)
    for mine, theirs in zip(model.layers, detector.layers[-ABOVE:], strict=True):
        narrowed(mine, theirs)
    model.pooled.load_state_dict(detector.pooled.state_dict())
    model.acceptable.load_state_dict(detector.sound.state_dict())
    return model
