"""The network that scores spans, in numpy: words in, one score per span and label out.

A small transformer over word pieces (layers of a BERT encoder, Devlin et al. 2019, with rectified
feed-forward nets), then a net over the two ends of each span (Stern, Andreas & Klein 2017).
`training.constituency` trains it in torch and writes its weights in whole numbers of eight bits, a
scale per row; they are floats again when the file is opened (`opening`).

Sentences go through the matrices together, for reading the weights takes as long as the sums; where
their rows stand is told by `rows`, so that a sentence gets the same scores in any company.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array
from naturalness.models.parsers.chart.inside import corners
from naturalness.models.parsers.chart.rows import ROWS, Indices, Places
from naturalness.models.pieces import END, SHAPES, START, Pieces, shape

HEAD = 32
"""Width of an attention head."""
MOST_PIECES = 510
"""A sentence may have, beside the marks of its start and end."""
TINY = np.float32(1e-12)
TINY_SPAN = np.float32(1e-5)


@dataclass(frozen=True, slots=True)
class Linear:
    """x W + b."""

    weight: Float32Array
    bias: Float32Array

    def __call__(self, x: Float32Array) -> Float32Array:
        """(n, in) -> (n, out), for n a multiple of `ROWS`."""
        made: Float32Array = np.matmul(x.reshape(-1, ROWS, x.shape[1]), self.weight)
        made += self.bias
        return made.reshape(len(x), -1)


@dataclass(frozen=True, slots=True)
class Norm:
    """Mean 0 and deviation 1 in each row, then scaled and moved."""

    weight: Float32Array
    bias: Float32Array
    tiny: np.float32 = TINY

    def __call__(self, x: Float32Array) -> Float32Array:
        """(n, w) -> (n, w), in place."""
        n = np.float32(x.shape[1])
        x -= (np.add.reduce(x, axis=1) / n)[:, None]
        spread = np.einsum("ij,ij->i", x, x) / n
        x *= (1 / np.sqrt(spread + self.tiny))[:, None]
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class Layer:
    """Attention, then a wide and a narrow net; each adds to what came in."""

    attend: Linear
    gather: Linear
    norm_1: Norm
    wide: Linear
    narrow: Linear
    norm_2: Norm

    def __call__(self, x: Float32Array, places: Sequence[Indices]) -> Float32Array:
        """(pieces, width), ``places`` of sentences, which see only themselves -> the same size."""
        width = x.shape[1]
        attending = self.attend(x)
        mixed = np.zeros_like(x)
        for own in places:
            q, k, v = attending[own].reshape(-1, 3, width // HEAD, HEAD).transpose(1, 2, 0, 3)
            seen = np.matmul(q, k.transpose(0, 2, 1))  # the scale is in the weights of q
            seen -= np.maximum.reduce(seen, axis=2)[:, :, None]
            np.exp(seen, out=seen)
            seen /= np.add.reduce(seen, axis=2)[:, :, None]
            mixed[own] = np.matmul(seen, v).transpose(1, 0, 2).reshape(-1, width)
        x = self.norm_1(self.gather(mixed) + x)
        inner = self.wide(x)
        np.maximum(inner, 0, out=inner)
        return self.norm_2(self.narrow(inner) + x)


@dataclass(frozen=True, slots=True)
class Network:
    """Scores of spans. ``labels`` may be chains (`S+VP`)."""

    labels: tuple[str, ...]
    pieces: Pieces
    rows: NDArray[np.int8]
    scales: Float32Array
    positions: Float32Array
    shapes: Float32Array
    norm: Norm
    layers: tuple[Layer, ...]
    left: Linear
    right: Linear
    span_norm: Norm
    label: Linear

    def span_scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[Float32Array]:
        """For each sentence (spans, labels): unnormalised logs; spans by width, then by start.

        A sentence must not have more than `MOST_PIECES` pieces; see `n_pieces`.
        """
        if not sentences:
            return
        cut = [[self.pieces.of_word(word) for word in words] for words in sentences]
        look = [[shape(word, i) for i, word in enumerate(words)] for words in sentences]
        pieces = Places.of([2 + sum(map(len, parts)) for parts in cut])
        hidden = self._encode(cut, look, pieces)
        # Between two words: the piece before, and the one behind.
        ends = [np.add.accumulate([0, *map(len, parts)]) for parts in cut]
        before, behind = (
            np.concatenate([own[e + n] for own, e in zip(pieces.parts, ends, strict=True)]) for n in (0, 1)
        )
        fences = Places.of([len(words) + 1 for words in sentences])
        both = fences.fill(np.concatenate([hidden[before], hidden[behind]], 1))
        left, right = self.left(both), self.right(both)
        for words, own in zip(sentences, fences.parts, strict=True):
            starts, stops = corners(len(words))
            n = len(starts)
            spans = np.zeros((-(-n // ROWS) * ROWS, left.shape[1]), np.float32)
            np.add(left[own[starts]], right[own[stops + 1]], out=spans[:n])
            np.maximum(self.span_norm(spans[:n]), 0, out=spans[:n])
            yield self.label(spans)[:n]

    def n_pieces(self, words: Sequence[str]) -> int:
        """Pieces of a sentence."""
        return sum(len(self.pieces.of_word(word)) for word in words)

    def _encode(self, cut: list[list[tuple[int, ...]]], look: list[list[int]], pieces: Places) -> Float32Array:
        start, end = self.pieces.places[START], self.pieces.places[END]
        ids, shapes = [], []
        for parts, looks in zip(cut, look, strict=True):
            ids += [start, *(p for part in parts for p in part), end]
            repeated = (s for part, s in zip(parts, looks, strict=True) for _ in part)
            shapes += [NONE, *repeated, NONE]
        x = self.rows[ids] * self.scales[ids, None]
        x += self.shapes[shapes]
        x += self.positions[np.concatenate([np.arange(len(own)) for own in pieces.parts])]
        x = self.norm(pieces.fill(x))
        for layer in self.layers:
            x = layer(x, pieces.parts)
        return x


NONE = SHAPES.index("none")
