"""A small network on top of what the detector makes of a sentence."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.detector.network import WIDTH

POOLED = 128


class Acceptability(nn.Module):
    """Reads the vectors that `shipped.pooled` makes of sentences."""

    def __init__(self, *, drop: float = 0.3) -> None:
        super().__init__()
        self.drop = nn.Dropout(drop)
        self.pooled = nn.Linear(3 * WIDTH, POOLED)
        self.acceptable = nn.Linear(POOLED, 1)

    def forward(self, x: Tensor) -> Tensor:
        """(b,) logits of the sentences' being acceptable."""
        logits: Tensor = self.acceptable(self.drop(torch.relu(self.pooled(self.drop(x))))).squeeze(-1)
        return logits
