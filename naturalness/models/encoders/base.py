"""What a sentence encoder is, and the mean that most of them take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from naturalness.arrays import FloatArray

if TYPE_CHECKING:
    from spacy.tokens import Doc

LEAST = 1e-12
"""A vector shorter than this has no direction."""


class Encoder(Protocol):
    """Gives each text a vector of length 1."""

    @property
    def width(self) -> int:
        """Numbers of a vector."""

    def embed(self, docs: Sequence[Doc]) -> FloatArray:
        """Vectors of shape (n_docs, width); NaN where a text has none."""


def pooled(states: Iterable[FloatArray], width: int, *, first: bool = False) -> FloatArray:
    """The mean of the rows of all parts of a text, of length 1; NaN where there is no row.

    With ``first`` the first row of each part stands for all of its rows.

    *Shapes:* each part (n_pieces, width); out (width,).
    """
    total, n = np.zeros(width), 0
    for part in states:
        total += len(part) * part[0] if first else part.sum(axis=0)
        n += len(part)
    length = float(np.sqrt((total**2).sum()))
    return total / length if n and length > LEAST * n else np.full(width, np.nan)
