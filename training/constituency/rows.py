"""Quantise weights to eight bits with a scale per row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def quantised(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return integers from -127 to 127 and the scale of each row."""
    scales = np.maximum(np.abs(weight).max(1), 1e-8) / np.float32(127)
    return np.rint(weight / scales[:, None]).astype(np.int8), scales.astype(np.float32)
