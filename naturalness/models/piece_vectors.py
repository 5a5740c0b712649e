"""The narrow detector's input vectors of word pieces, quantised to four bits.

Each block of `BLOCK` values has its own scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, ModelError
from naturalness.files.archive import SMALL, unpack
from naturalness.files.resources import locate, opened_once
from naturalness.models.networks import read_description
from naturalness.models.pieces import Pieces

ASSET = "vectors"
DESCRIPTION, TABLE = "vectors.json", "vectors.npz"
NIBBLES, SCALES = "vectors.nibbles", "vectors.scales"
FORMAT_VERSION = 1
BLOCK = 128
"""Number of values of a vector that share a scale."""
MIDDLE = 8
"""Number that is added to a value, -8 to 7, to store it as a nibble, 0 to 15."""


@dataclass(frozen=True, slots=True)
class PieceVectors:
    """A vector for each piece of a vocabulary."""

    vocabulary: tuple[str, ...]
    pieces: Pieces
    whole: NDArray[np.int8]
    """Quantised values, -8 to 7, to be multiplied by ``scales``; (pieces, blocks, `BLOCK`)."""
    scales: Float32Array
    """Scale of each block; (pieces, blocks)."""

    @property
    def width(self) -> int:
        """Number of dimensions of a vector."""
        blocks, size = self.whole.shape[1:]
        return int(blocks * size)

    def of(self, rows: Sequence[int] | Sequence[Sequence[int]]) -> Float32Array:
        """Return the vectors of pieces, (..., width), given the pieces' vocabulary indices."""
        some = np.asarray(rows, np.int64)
        vectors: Float32Array = self.whole[some] * self.scales[some][..., None]
        return vectors.reshape(*some.shape, self.width)


@opened_once
def piece_vectors() -> PieceVectors:
    """Return the shipped vectors, opened once per process."""
    return open_vectors(locate(ASSET))


def open_vectors(folder: Path) -> PieceVectors:
    """Read vectors from a folder; the caller verifies its checksums (`resources.locate`)."""
    try:
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        vocabulary, arrays = tuple(about["vocabulary"]), unpack((folder / TABLE).read_bytes(), SMALL)
        return PieceVectors(vocabulary, Pieces(vocabulary), split(arrays[NIBBLES]), arrays[SCALES])
    except (OSError, ValueError, LookupError, TypeError, RecursionError, ModelError) as error:
        raise AssetError(f"{folder} holds no vectors of pieces ({error!s:.300}); reinstall naturalness") from None


def split(nibbles: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the two values, -8..7, stored in each byte; the low nibble gives the first."""
    halves = nibbles.view(np.uint8)
    both = np.stack([halves & 15, halves >> 4], axis=-1).astype(np.int8) - np.int8(MIDDLE)
    return both.reshape(*nibbles.shape[:-1], -1)


def joined(whole: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return values, -8..7, packed into bytes in pairs; the inverse of `split`."""
    halves = (whole + np.int8(MIDDLE)).astype(np.uint8)
    return (halves[..., ::2] | halves[..., 1::2] << 4).view(np.int8)
