"""Word pieces: WordPiece (Schuster & Nakajima 2012) with a vocabulary that ignores case and accents.

Each word of a Doc is split separately: first into parts, at punctuation marks; then the longest known piece is
repeatedly cut off from the left of each part. If at some point no known piece fits, the whole part becomes one unknown
piece.

`PieceVectors` are the input vectors of the narrow detector, quantised to four bits. Each block of `BLOCK` values has
its own scale.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, ModelError
from naturalness.files.archive import SMALL, unpack
from naturalness.files.resources import locate, opened_once
from naturalness.models.networks import read_description

ASSET = "vectors"
DESCRIPTION, TABLE = "vectors.json", "vectors.npz"
NIBBLES, SCALES = "vectors.nibbles", "vectors.scales"
FORMAT_VERSION = 1
BLOCK = 128
"""Number of values of a vector that share a scale."""
MIDDLE = 8
"""Number that is added to a value, -8 to 7, to store it as a nibble, 0 to 15."""
INSIDE = "##"
"""Prefix of a piece that does not begin a word."""
PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
MAX_LETTERS = 100
"""Maximum number of letters of a part that is split; a longer part becomes one unknown piece."""
WORDS_REMEMBERED = 1 << 13
"""Maximum number of cached words."""
SPECIAL = (PADDING, UNKNOWN, START, END)
SHAPES = ("lower", "title", "upper", "mixed", "digit", "other", "first", "none")
"""Shapes of a word's spelling, which networks receive separately because pieces do not distinguish case."""


class Pieces:
    """Splits words into pieces, with a cache; a piece's index in the vocabulary is its row in the table of vectors."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.rows = {piece: i for i, piece in enumerate(vocabulary)}
        self.of_word = lru_cache(WORDS_REMEMBERED)(self._of_word)

    def _of_word(self, word: str) -> tuple[int, ...]:
        """Return the rows of a word's pieces; every word has at least one piece."""
        return tuple(p for s in _stretches(word) for p in self._longest_first(s)) or (self.rows[UNKNOWN],)

    def _longest_first(self, stretch: str) -> Iterator[int]:
        if len(stretch) > MAX_LETTERS:
            yield self.rows[UNKNOWN]
            return
        rows: list[int] = []
        start = 0
        while start < len(stretch):
            for stop in range(len(stretch), start, -1):
                piece = (INSIDE if start else "") + stretch[start:stop]
                if piece in self.rows:
                    rows.append(self.rows[piece])
                    start = stop
                    break
            else:
                rows = [self.rows[UNKNOWN]]
                break
        yield from rows


def _stretches(word: str) -> list[str]:
    """Lower-case a word, strip its accents, and split it into alphanumeric runs and individual other characters."""
    plain = unicodedata.normalize("NFD", word.replace("’", "'").lower())
    stretches: list[str] = []
    glued = False
    for character in plain:
        if unicodedata.category(character) == "Mn" or not character.isprintable():
            continue
        if not character.isalnum():
            stretches.append(character)
            glued = False
        elif glued:
            stretches[-1] += character
        else:
            stretches.append(character)
            glued = True
    return stretches


def shape(word: str, position: int) -> int:
    """Return the index in `SHAPES` of a word's shape; ``position`` is the word's position in its sentence."""
    if word.islower():
        name = "lower"
    elif word.isupper() and len(word) > 1:
        name = "upper"
    elif word[:1].isupper() and (word[1:].islower() or len(word) == 1):
        name = "title" if position else "first"
    elif any(map(str.isdigit, word)):
        name = "digit"
    else:
        name = "mixed" if word.isalpha() else "other"
    return SHAPES.index(name)


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


def join_nibbles(whole: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return values, -8..7, packed into bytes in pairs; the inverse of `split`."""
    halves = (whole + np.int8(MIDDLE)).astype(np.uint8)
    return (halves[..., ::2] | halves[..., 1::2] << 4).view(np.int8)
