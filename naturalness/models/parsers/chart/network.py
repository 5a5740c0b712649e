"""The span scorer of the shipped parser, which gives each span of a sentence a score for each label.

It has no encoder of its own. Its inputs are the damage detector's vectors of word pieces, taken before and after the
detector's last layers (`models.detector`), and the capitalisation of words, which the detector does not see. A small
numpy network scores each span from its two ends (Stern, Andreas & Klein 2017). `training.constituency` trains the
network, and stores its weights in 8 bits, with a scale per row.

Sentences share matrix products, since loading the weights takes as long as the arithmetic. Scores must not depend on
the batch, but the order of summation depends on the number of rows in a product. Every product therefore has `ROWS`
rows, padded with zeros. On some processors, the order also depends on the position of a row. Each row is therefore put
at a position where it is summed as it would be if its sentence were alone (`Slots`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, ModelError
from naturalness.files.archive import SMALL, unpack
from naturalness.models.networks import read_description
from naturalness.models.parsers.chart.inside import corners
from naturalness.models.pieces import SHAPES, shape

TINY_SPAN = np.float32(1e-5)


@dataclass(frozen=True, slots=True)
class Affine:
    """The affine map x W + b."""

    weight: Float32Array
    bias: Float32Array

    def __call__(self, x: Float32Array) -> Float32Array:
        """Return x W + b, (n, out), for x of shape (n, in), with n a multiple of `ROWS`."""
        product: Float32Array = np.matmul(x.reshape(-1, ROWS, x.shape[1]), self.weight)
        product += self.bias
        return product.reshape(len(x), -1)


@dataclass(frozen=True, slots=True)
class LayerNorm:
    """Layer normalisation."""

    weight: Float32Array
    bias: Float32Array

    def __call__(self, x: Float32Array) -> Float32Array:
        """Normalise the rows of x, (n, w), in place, and return x."""
        n = np.float32(x.shape[1])
        x -= (np.add.reduce(x, axis=1) / n)[:, None]
        spread = np.einsum("ij,ij->i", x, x) / n
        x *= (1 / np.sqrt(spread + TINY_SPAN))[:, None]
        x *= self.weight
        x += self.bias
        return x


class EncodedSentence(NamedTuple):
    """A sentence and the detector's vectors of its pieces."""

    words: Sequence[str]
    lengths: Sequence[int]
    """Number of pieces of each word."""
    vectors: Float32Array
    """Vectors of the pieces, including start and end marks, (pieces, width)."""


@dataclass(frozen=True, slots=True)
class SpanScorer:
    """The span scorer. A label may be a unary chain, such as `S+VP`."""

    labels: tuple[str, ...]
    body: Affine
    """Affine projection of the detector's vectors."""
    shapes: Float32Array
    left: Affine
    right: Affine
    span_norm: LayerNorm
    label: Affine

    def span_scores(self, sentences: Sequence[EncodedSentence]) -> Iterator[Float32Array]:
        """Yield each sentence's unnormalised log scores, (spans, labels); spans are ordered by width, then start."""
        if not sentences:
            return
        pieces = Slots.of([len(sentence.vectors) for sentence in sentences])
        hidden = self.body(pieces.fill(np.concatenate([sentence.vectors for sentence in sentences])))
        hidden[pieces.all] += self.shapes[[look for sentence in sentences for look in _looks(sentence)]]
        np.maximum(hidden, 0, out=hidden)
        # A boundary between words is represented by the pieces before and after it.
        ends = [np.add.accumulate([0, *sentence.lengths]) for sentence in sentences]
        before, behind = (
            np.concatenate([rows[e + n] for rows, e in zip(pieces.parts, ends, strict=True)]) for n in (0, 1)
        )
        fences = Slots.of([len(sentence.words) + 1 for sentence in sentences])
        both = fences.fill(np.concatenate([hidden[before], hidden[behind]], 1))
        left, right = self.left(both), self.right(both)
        for sentence, rows in zip(sentences, fences.parts, strict=True):
            starts, stops = corners(len(sentence.words))
            n = len(starts)
            spans = np.zeros((-(-n // ROWS) * ROWS, left.shape[1]), np.float32)
            np.add(left[rows[starts]], right[rows[stops + 1]], out=spans[:n])
            np.maximum(self.span_norm(spans[:n]), 0, out=spans[:n])
            yield self.label(spans)[:n]


def _looks(sentence: EncodedSentence) -> Iterator[int]:
    """Yield the index in `SHAPES` of each piece's word; start and end marks have the shape `none`."""
    yield NONE
    for i, (word, n) in enumerate(zip(sentence.words, sentence.lengths, strict=True)):
        yield from [shape(word, i)] * n
    yield NONE


NONE = SHAPES.index("none")


Indices = NDArray[np.intp]
ROWS = 96
"""Number of rows of every matrix product."""
SHAPES_TRIED = ((1536, 384), (1536, 256), (768, 384), (768, 256), (256, 40), (512, 128))
"""Shapes of the weight matrices with which `kinds` tests how this processor computes sums."""


@cache
def kinds() -> Indices:
    """Label each row of a matrix product by how its sums are computed.

    Rows with the same label get bit-identical results.

    OpenBLAS's AVX2 kernel takes twelve rows at a time, and sums the last six of them differently, which changes the
    last digit. With AVX-512, all rows have the same label.
    """
    rng = np.random.default_rng(0)
    sums = []
    for width, out in SHAPES_TRIED:
        row, weight = (rng.random(size, np.float32) - 0.5 for size in (width, (width, out)))
        sums.append(np.matmul(np.tile(row, (1, ROWS, 1)), weight)[0])
    _, kind_of_row = np.unique(np.concatenate(sums, axis=1), axis=0, return_inverse=True)
    return kind_of_row.astype(np.intp).reshape(-1)


class Slots(NamedTuple):
    """Positions (slots) of the rows of several sentences in shared products of `ROWS` rows each."""

    parts: list[Indices]
    """The slots of each sentence's rows."""
    total: int
    """Total number of slots, a multiple of `ROWS`."""

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Slots:
        """Assign each row the next free slot with the label (`kinds`) that it would have if its sentence were alone."""
        row = np.concatenate([np.arange(n) for n in lengths])
        kind_of_row = kinds()[row % ROWS]
        slots = np.empty_like(row)
        for kind in range(kinds().max() + 1):
            members, slots_of_kind = np.flatnonzero(kind_of_row == kind), np.flatnonzero(kinds() == kind)
            products, at = np.divmod(np.arange(len(members)), len(slots_of_kind))
            slots[members] = products * ROWS + slots_of_kind[at]
        total = (int(slots.max()) // ROWS + 1) * ROWS
        return cls(np.split(slots, np.cumsum(lengths[:-1])), total)

    @property
    def all(self) -> Indices:
        """Slots of the rows of all sentences, in order."""
        return np.concatenate(self.parts)

    def fill(self, x: Float32Array) -> Float32Array:
        """Return an array with the rows in their slots and zeros in all other slots."""
        filled = np.zeros((self.total, x.shape[1]), np.float32)
        filled[self.all] = x
        return filled


FORMAT_VERSION = 3
DESCRIPTION, WEIGHTS = "network.json", "network.npz"

Arrays = Mapping[str, NDArray[Any]]


def open_network(folder: Path) -> SpanScorer:
    """Read a network; the caller verifies checksums (`resources.locate`)."""
    try:
        labels = tuple(read_description(folder / DESCRIPTION, FORMAT_VERSION)["labels"])
        return _network(unpack((folder / WEIGHTS).read_bytes(), SMALL), labels)
    except (OSError, ValueError, LookupError, TypeError, RecursionError, ModelError) as error:
        raise AssetError(f"{folder} holds no network of the parser ({error!s:.300}); reinstall naturalness") from None


def _network(arrays: Arrays, labels: tuple[str, ...]) -> SpanScorer:
    def linear(name: str) -> Affine:
        weight = np.ascontiguousarray(dequantised(arrays, name).T)
        return Affine(weight, arrays.get(f"{name}.bias", np.zeros(weight.shape[1], np.float32)))

    return SpanScorer(
        labels=labels,
        body=linear("body"),
        shapes=arrays["shapes.weight"],
        left=linear("left"),
        right=linear("right"),
        span_norm=LayerNorm(arrays["span.weight"], arrays["span.bias"]),
        label=linear("label"),
    )


def dequantised(arrays: Arrays, name: str) -> Float32Array:
    """Return a weight matrix as floats: its quantised rows, multiplied by their scales."""
    return arrays[f"{name}.rows"] * arrays[f"{name}.scales"][:, None]
