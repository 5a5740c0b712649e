"""Told naturalness against what people say: the parts of a reliability plot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray

BINS = 10


@dataclass(frozen=True, slots=True)
class Part:
    """Texts that were told about the same."""

    texts: int
    told: float
    """Mean naturalness, 0..1."""
    natural: float
    """Share that people call natural, 0..1."""


def reliability_parts(told: FloatArray, natural: BoolArray) -> list[Part]:
    """About ten parts of equal size, from the lowest naturalness to the highest.

    Texts with the same score stay in one part.
    """
    if not len(told):
        return []
    edges = np.unique(np.quantile(told, np.arange(1, BINS) / BINS))
    part_of = np.searchsorted(edges, told, side="left")
    return [
        Part(int((part_of == part).sum()), float(told[part_of == part].mean()), float(natural[part_of == part].mean()))
        for part in np.unique(part_of)
    ]
