"""Distances between pieces in buckets that share a bias, as in T5 (Raffel et al., 2020) and MPNet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from naturalness.arrays import IntArray

BUCKETS, FARTHEST = 32, 128
"""Buckets for both directions; farther distances are one bucket."""


def buckets(n: int) -> IntArray:
    """Return the bucket of every distance between ``n`` pieces (n, n)."""
    distance = np.arange(n)[:, None] - np.arange(n)[None, :]
    half = BUCKETS // 2
    exact = half // 2
    far = np.maximum(np.abs(distance), 1) / exact
    wide = exact + (np.log(far) / np.log(FARTHEST / exact) * (half - exact)).astype(np.int64)
    near = np.where(np.abs(distance) < exact, np.abs(distance), np.minimum(wide, half - 1))
    return (distance < 0) * half + near
