"""Four-bit quantisation with the steps of least squared error."""

from __future__ import annotations

import torch
from torch import Tensor

from training.detector.export import LARGEST

TINY = 1e-12
SHARES = tuple(i / 20 for i in range(6, 21))
"""Candidate steps, as shares of a row's largest weight."""


def nearest_steps(weight: Tensor) -> Tensor:
    """Return for each row of a matrix (n, k) the step of integers -7..7 with the least squared error (n, 1)."""
    widest = weight.abs().amax(1, keepdim=True).clamp(min=TINY) / LARGEST
    best, least = widest, torch.full_like(widest, torch.inf)
    for share in SHARES:
        step = share * widest
        off = (weight - whole(weight, step) * step).square().sum(1, keepdim=True)
        best, least = torch.where(off < least, step, best), torch.minimum(off, least)
    return best


def whole(weight: Tensor, step: Tensor) -> Tensor:
    """Round weights to integers of a step."""
    return (weight / step).round().clamp(-LARGEST, LARGEST)
