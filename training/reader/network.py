"""A reader: a detector's body with a head for ratings beside those for words and for soundness."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.detector.network import Body

RATED = 256
"""Width of the hidden layer of the rating."""


class Reader(nn.Module):
    """A body with a rating head of two layers, ``p`` and ``r``."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body
        width = body.norm.normalized_shape[0]
        self.p, self.r = nn.Linear(3 * width, RATED), nn.Linear(RATED, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return ratings (b,) of texts of pieces (b, n); ``mask`` is true where there is a piece."""
        joined = self.body.summary(self.body.states(ids, mask), mask)
        rating: Tensor = self.r(torch.relu(self.p(joined))).squeeze(-1)
        return rating.float()


def averaged(readers: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of the weights of readers that began alike (Wortsman et al. 2022)."""
    return {name: torch.stack([state[name].float() for state in readers]).mean(0) for name in readers[0]}
