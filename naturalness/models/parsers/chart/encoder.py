"""The network that scores spans, in numpy: words in, one score per span and label out.

A small transformer over word pieces (layers of a BERT encoder, Devlin et al. 2019, with rectified
feed-forward nets), then a net over the two ends of each span (Stern, Andreas & Klein 2017).
`training.constituency` trains it in torch and writes its weights in whole numbers of eight bits, a
scale per row; they are floats again when the file is opened (`opening`).

Sentences go through the matrices together, for reading the weights takes as long as the sums. How a
library adds up a product depends on the number of its rows, so every product here has `ROWS` of
them, filled up with zeros: a sentence gets the same scores alone and in any company.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.models.parsers.chart.inside import corners
from naturalness.models.pieces import END, SHAPES, START, Pieces, shape

Floats = NDArray[np.float32]
HEAD = 32
"""Width of an attention head."""
MOST_PIECES = 510
"""A sentence may have, beside the marks of its start and end."""
ROWS = 96
"""Of every product of matrices."""
TINY = np.float32(1e-12)
TINY_SPAN = np.float32(1e-5)


@dataclass(frozen=True, slots=True)
class Linear:
    """x W + b."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """(n, in) -> (n, out), for n a multiple of `ROWS`."""
        made: Floats = np.matmul(x.reshape(-1, ROWS, x.shape[1]), self.weight)
        made += self.bias
        return made.reshape(len(x), -1)


@dataclass(frozen=True, slots=True)
class Norm:
    """Mean 0 and deviation 1 in each row, then scaled and moved."""

    weight: Floats
    bias: Floats
    tiny: np.float32 = TINY

    def __call__(self, x: Floats) -> Floats:
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

    def __call__(self, x: Floats, bounds: Sequence[tuple[int, int]]) -> Floats:
        """(pieces, width), ``bounds`` of sentences, which see only themselves -> the same size."""
        n, width = x.shape
        parts = self.attend(x).reshape(n, 3, width // HEAD, HEAD).transpose(1, 2, 0, 3)
        mixed = np.zeros((n, width), np.float32)
        for start, stop in bounds:
            q, k, v = parts[:, :, start:stop]
            seen = np.matmul(q, k.transpose(0, 2, 1))  # the scale is in the weights of q
            seen -= np.maximum.reduce(seen, axis=2)[:, :, None]
            np.exp(seen, out=seen)
            seen /= np.add.reduce(seen, axis=2)[:, :, None]
            mixed[start:stop] = np.matmul(seen, v).transpose(1, 0, 2).reshape(-1, width)
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
    scales: Floats
    positions: Floats
    shapes: Floats
    norm: Norm
    layers: tuple[Layer, ...]
    left: Linear
    right: Linear
    span_norm: Norm
    label: Linear

    def span_scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[Floats]:
        """For each sentence (spans, labels): unnormalised logs; spans by width, then by start.

        A sentence must not have more than `MOST_PIECES` pieces; see `n_pieces`.
        """
        if not sentences:
            return
        cut = [[self.pieces.of_word(word) for word in words] for words in sentences]
        look = [[shape(word, i) for i, word in enumerate(words)] for words in sentences]
        lengths = np.array([2 + sum(map(len, parts)) for parts in cut])
        stops = np.cumsum(lengths)
        bounds = list(zip((stops - lengths).tolist(), stops.tolist(), strict=True))
        hidden = self._encode(cut, look, bounds)
        ends = [np.add.accumulate([0, *map(len, parts), 1]) for parts in cut]
        before = np.concatenate([e[:-1] + b for e, (b, _) in zip(ends, bounds, strict=True)])
        fences = padded(np.concatenate([hidden[before], hidden[before + 1]], 1))
        left, right = self.left(fences), self.right(fences)
        at = 0
        for words in sentences:
            starts, stops = corners(len(words))
            spans = self.span_norm(left[at + starts] + right[at + 1 + stops])
            n = len(spans)
            yield self.label(padded(np.maximum(spans, 0, out=spans)))[:n]
            at += len(words) + 1

    def n_pieces(self, words: Sequence[str]) -> int:
        """Pieces of a sentence."""
        return sum(len(self.pieces.of_word(word)) for word in words)

    def _encode(
        self,
        cut: list[list[tuple[int, ...]]],
        look: list[list[int]],
        bounds: list[tuple[int, int]],
    ) -> Floats:
        start, end = self.pieces.places[START], self.pieces.places[END]
        ids, shapes = [], []
        for parts, looks in zip(cut, look, strict=True):
            ids += [start, *(p for part in parts for p in part), end]
            repeated = (s for part, s in zip(parts, looks, strict=True) for _ in part)
            shapes += [NONE, *repeated, NONE]
        x = self.rows[ids] * self.scales[ids, None]
        x += self.shapes[shapes]
        x += self.positions[np.concatenate([np.arange(b - a) for a, b in bounds])]
        x = self.norm(padded(x))
        for layer in self.layers:
            x = layer(x, bounds)
        return x


def padded(x: Floats) -> Floats:
    """With rows of zeros up to a multiple of `ROWS`."""
    missing = -len(x) % ROWS
    return np.concatenate([x, np.zeros((missing, x.shape[1]), np.float32)]) if missing else x


NONE = SHAPES.index("none")
