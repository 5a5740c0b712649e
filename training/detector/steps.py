"""Weights in whole numbers of four bits: which step between them is off by the least."""

from __future__ import annotations

import torch
from torch import Tensor

FOUR_BITS = 7
"""Whole numbers go so far on either side of 0."""
TINY = 1e-12
SHARES = tuple(i / 20 for i in range(6, 21))
"""Of the largest weight of a row, that the largest whole number may stand for."""


def nearest_steps(weight: Tensor) -> Tensor:
    """Of each row of a matrix (n, k) the step between whole numbers -7..7 that is off by the least squares (n, 1)."""
    widest = weight.abs().amax(1, keepdim=True).clamp(min=TINY) / FOUR_BITS
    best, least = widest, torch.full_like(widest, torch.inf)
    for share in SHARES:
        step = share * widest
        off = (weight - whole(weight, step) * step).square().sum(1, keepdim=True)
        best, least = torch.where(off < least, step, best), torch.minimum(off, least)
    return best


def whole(weight: Tensor, step: Tensor) -> Tensor:
    """Weights in whole numbers of a step."""
    return (weight / step).round().clamp(-FOUR_BITS, FOUR_BITS)
