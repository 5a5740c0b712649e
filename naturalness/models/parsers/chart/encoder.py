"""The network that scores spans, in numpy: words in, one score per span and label out.

A small transformer over word pieces (layers of a BERT encoder, Devlin et al. 2019, with rectified
feed-forward nets), then a net over the two ends of each span (Stern, Andreas & Klein 2017).
`training.constituency` trains it in torch and writes its weights in whole numbers of eight bits, a
scale per row; they are floats again when the file is opened (`opening`).

Sentences go through the matrices together, for reading the weights takes as long as the sums. How a
library adds up a product depends on the number of its rows, so every product here has `ROWS` of
them, filled up with zeros; and on some processors it adds up some rows otherwise than others, so
each sentence begins where this comes round again (`period`). So a sentence gets the same scores
alone and in any company.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

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
SHAPES_TRIED = ((384, 1152), (384, 384), (768, 384), (512, 128))
"""Of matrices, to find out how this processor sums."""
TINY = np.float32(1e-12)
TINY_SPAN = np.float32(1e-5)


@cache
def period() -> int:
    """After how many rows of a product sums are made in the same way again: 1, or more.

    The kernel of OpenBLAS for AVX2 takes twelve rows at a time, of which the last six come out
    otherwise in the last place; that for AVX-512 makes all alike.
    """
    rng = np.random.default_rng(0)
    found = 1
    for width, out in SHAPES_TRIED:
        row, weight = (rng.random(size, np.float32) - 0.5 for size in (width, (width, out)))
        made = np.matmul(np.tile(row, (1, ROWS, 1)), weight)[0]
        steps = (n for n in range(found, ROWS + 1) if ROWS % n == 0 and n % found == 0)
        found = next(n for n in steps if (made == np.tile(made[:n], (ROWS // n, 1))).all())
    return found


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
        bounds = spaced([2 + sum(map(len, parts)) for parts in cut])
        hidden = self._encode(cut, look, bounds)
        ends = [np.add.accumulate([0, *map(len, parts), 1]) for parts in cut]
        before = np.concatenate([e[:-1] + b for e, (b, _) in zip(ends, bounds, strict=True)])
        fences = spaced([len(words) + 1 for words in sentences])
        both = spread(np.concatenate([hidden[before], hidden[before + 1]], 1), fences)
        left, right = self.left(both), self.right(both)
        for words, (at, _) in zip(sentences, fences, strict=True):
            starts, stops = corners(len(words))
            spans = self.span_norm(left[at + starts] + right[at + 1 + stops])
            n = len(spans)
            spans = np.maximum(spans, 0, out=spans)
            yield self.label(spread(spans, [(0, n)]))[:n]

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
        x = self.norm(spread(x, bounds))
        for layer in self.layers:
            x = layer(x, bounds)
        return x


def spaced(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Where each of them begins and ends, so that each begins at a multiple of `period`."""
    every = period()
    begins = accumulate((-(-length // every) * every for length in lengths), initial=0)
    return [(at, at + length) for at, length in zip(begins, lengths, strict=False)]


def spread(x: Floats, bounds: Sequence[tuple[int, int]]) -> Floats:
    """Rows at their places, with rows of zeros between and behind, a multiple of `ROWS` in all."""
    made = np.zeros((-(-bounds[-1][1] // ROWS) * ROWS, x.shape[1]), np.float32)
    at = 0
    for start, stop in bounds:
        made[start:stop] = x[at : at + stop - start]
        at += stop - start
    return made


NONE = SHAPES.index("none")
