"""The network that scores spans, in numpy: words in, one score per span and label out.

A small transformer over word pieces (layers of a BERT encoder, Devlin et al. 2019, with rectified feed-forward nets),
then a net over the two ends of each span (Stern, Andreas & Klein 2017). `training.constituency` trains it in torch on
the shared piece vectors and writes its weights as integers of eight bits, with a scale per row; they become floats
again when the file is opened, which compares every array with the sizes that the others imply.

Sentences share the matrix products, because reading the weights takes as long as the sums. How a library adds up a
product depends on the number of its rows, so every product has `ROWS` of them, filled up with zeros. Some processors
add up some rows differently from others: a row may only stand where sums are made as they would be if its sentence were
alone (`Places`). So a sentence gets the same scores in any company.
"""

from __future__ import annotations

import json
import math
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
from naturalness.models.parsers.chart.inside import corners
from naturalness.models.piece_vectors import PieceVectors
from naturalness.models.pieces import END, SHAPES, START, shape

HEAD = 32
"""Width of an attention head."""
MAX_PIECES = 510
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
        product: Float32Array = np.matmul(x.reshape(-1, ROWS, x.shape[1]), self.weight)
        product += self.bias
        return product.reshape(len(x), -1)


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

    def __call__(self, x: Float32Array, sentences: Sequence[Indices]) -> Float32Array:
        """(pieces, width), ``sentences``: rows of each, which see only themselves -> the same size."""
        width = x.shape[1]
        attending = self.attend(x)
        mixed = np.zeros_like(x)
        for rows in sentences:
            q, k, v = attending[rows].reshape(-1, 3, width // HEAD, HEAD).transpose(1, 2, 0, 3)
            seen = np.matmul(q, k.transpose(0, 2, 1))  # the scale is in the weights of q
            seen -= np.maximum.reduce(seen, axis=2)[:, :, None]
            np.exp(seen, out=seen)
            seen /= np.add.reduce(seen, axis=2)[:, :, None]
            mixed[rows] = np.matmul(seen, v).transpose(1, 0, 2).reshape(-1, width)
        x = self.norm_1(self.gather(mixed) + x)
        inner = self.wide(x)
        np.maximum(inner, 0, out=inner)
        return self.norm_2(self.narrow(inner) + x)


@dataclass(frozen=True, slots=True)
class Network:
    """Scores of spans. ``labels`` may be chains (`S+VP`)."""

    labels: tuple[str, ...]
    vectors: PieceVectors
    positions: Float32Array
    shapes: Float32Array
    norm: Norm
    layers: tuple[Layer, ...]
    left: Linear
    right: Linear
    span_norm: Norm
    label: Linear

    def span_scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[Float32Array]:
        """Yield (spans, labels) of each sentence: unnormalised logs; spans by width, then by start.

        A sentence must not have more than `MAX_PIECES` pieces; see `n_pieces`.
        """
        if not sentences:
            return
        cut = [[self.vectors.pieces.of_word(word) for word in words] for words in sentences]
        look = [[shape(word, i) for i, word in enumerate(words)] for words in sentences]
        pieces = Slots.of([2 + sum(map(len, parts)) for parts in cut])
        hidden = self._encode(cut, look, pieces)
        # Between two words: the piece before, and the one behind.
        ends = [np.add.accumulate([0, *map(len, parts)]) for parts in cut]
        before, behind = (
            np.concatenate([rows[e + n] for rows, e in zip(pieces.parts, ends, strict=True)]) for n in (0, 1)
        )
        fences = Slots.of([len(words) + 1 for words in sentences])
        both = fences.fill(np.concatenate([hidden[before], hidden[behind]], 1))
        left, right = self.left(both), self.right(both)
        for words, rows in zip(sentences, fences.parts, strict=True):
            starts, stops = corners(len(words))
            n = len(starts)
            spans = np.zeros((-(-n // ROWS) * ROWS, left.shape[1]), np.float32)
            np.add(left[rows[starts]], right[rows[stops + 1]], out=spans[:n])
            np.maximum(self.span_norm(spans[:n]), 0, out=spans[:n])
            yield self.label(spans)[:n]

    def n_pieces(self, words: Sequence[str]) -> int:
        """Return the number of pieces in a sentence."""
        return sum(len(self.vectors.pieces.of_word(word)) for word in words)

    def _encode(self, cut: list[list[tuple[int, ...]]], look: list[list[int]], pieces: Slots) -> Float32Array:
        start, end = self.vectors.pieces.rows[START], self.vectors.pieces.rows[END]
        ids, shapes = [], []
        for parts, looks in zip(cut, look, strict=True):
            ids += [start, *(p for part in parts for p in part), end]
            repeated = (s for part, s in zip(parts, looks, strict=True) for _ in part)
            shapes += [NONE, *repeated, NONE]
        x = self.vectors.of(ids)
        x += self.shapes[shapes]
        x += self.positions[np.concatenate([np.arange(len(rows)) for rows in pieces.parts])]
        x = self.norm(pieces.fill(x))
        for layer in self.layers:
            x = layer(x, pieces.parts)
        return x


NONE = SHAPES.index("none")


Indices = NDArray[np.intp]
ROWS = 96
"""Of every product of matrices."""
SHAPES_TRIED = ((384, 1152), (384, 384), (384, 768), (768, 384), (768, 256), (256, 40), (512, 128))
"""Of matrices, to find out how this processor sums."""


@cache
def kinds() -> Indices:
    """Return, for each row of a product, in which way its sums are computed: 0, or another number.

    The kernel of OpenBLAS for AVX2 takes twelve rows at a time, of which the last six come out
    otherwise in the last place; that for AVX-512 makes all alike.
    """
    rng = np.random.default_rng(0)
    sums = []
    for width, out in SHAPES_TRIED:
        row, weight = (rng.random(size, np.float32) - 0.5 for size in (width, (width, out)))
        sums.append(np.matmul(np.tile(row, (1, ROWS, 1)), weight)[0])
    _, kind_of_row = np.unique(np.concatenate(sums, axis=1), axis=0, return_inverse=True)
    return kind_of_row.astype(np.intp).reshape(-1)


class Slots(NamedTuple):
    """Where the rows of several sentences stand in one product."""

    parts: list[Indices]
    """For each sentence the slots of its rows."""
    total: int
    """How many slots there are, a multiple of `ROWS`."""

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Slots:
        """Give each row the next slot of the kind that it would have alone."""
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
        """The slots of all rows, in their order."""
        return np.concatenate(self.parts)

    def fill(self, x: Float32Array) -> Float32Array:
        """Put rows into their slots, with zeros elsewhere."""
        filled = np.zeros((self.total, x.shape[1]), np.float32)
        filled[self.all] = x
        return filled


FORMAT_VERSION = 2
DESCRIPTION, WEIGHTS = "network.json", "network.npz"
MAX_NUMBER = np.float32(1e30)
"""Of numbers: times 127 they are still finite."""

Arrays = Mapping[str, NDArray[Any]]


def open_network(folder: Path, vectors: PieceVectors) -> Network:
    """Read a network on ``vectors``; the folder's checksums are the caller's to compare (`resources.locate`)."""
    try:
        about = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        arrays = unpack((folder / WEIGHTS).read_bytes(), SMALL)
        version = about["format_version"]
        if version != FORMAT_VERSION:
            raise ModelError(f"format version {version!r:.20}; this release reads {FORMAT_VERSION}")
        labels = _names("labels", about["labels"])
        layers = about["layers"]
        if not isinstance(layers, int) or not 0 <= layers <= len(arrays):
            raise ModelError(f"{layers!r:.20} layers")
        _check(arrays, _sizes(arrays, labels=len(labels), width=vectors.width, layers=layers))
        return _network(arrays, labels, vectors, layers)
    except (OSError, ValueError, LookupError, TypeError, RecursionError, ModelError) as error:
        raise AssetError(f"{folder} holds no network of the parser ({error!s:.300}); reinstall naturalness") from None


def _names(name: str, listed: Any) -> tuple[str, ...]:
    if not (isinstance(listed, list) and all(isinstance(x, str) and x for x in listed)):
        raise ModelError(f"{name} are not a list of names")
    if not listed or len(set(listed)) < len(listed):
        raise ModelError(f"{name} repeat, or there are none")
    return tuple(listed)


def _sizes(arrays: Arrays, *, labels: int, width: int, layers: int) -> dict[str, tuple[int, ...]]:
    """Return the shape that each array must have; the widths are those of a few of them."""
    span = len(arrays["left.rows"])
    positions = len(arrays["positions.rows"])
    if width % HEAD or not width or positions < MAX_PIECES + 2:
        raise ModelError(
            f"{positions} positions of width {width}; expected at least {MAX_PIECES + 2}, and a multiple of {HEAD}"
        )
    shapes: dict[str, tuple[int, ...]] = {"shapes.weight": (len(SHAPES), width)}

    def rows(name: str, out: int, inputs: int, *, bias: bool = False) -> None:
        shapes[f"{name}.rows"], shapes[f"{name}.scales"] = (out, inputs), (out,)
        if bias:
            shapes[f"{name}.bias"] = (out,)

    def norm(name: str, size: int) -> None:
        shapes[f"{name}.weight"] = shapes[f"{name}.bias"] = (size,)

    rows("positions", positions, width)
    norm("norm", width)
    for i in range(layers):
        inner = len(arrays[f"wide{i}.rows"])
        for name, out, inputs in (
            ("attend", 3 * width, width),
            ("gather", width, width),
            ("wide", inner, width),
            ("narrow", width, inner),
        ):
            rows(f"{name}{i}", out, inputs, bias=True)
        norm(f"first{i}", width)
        norm(f"second{i}", width)
    rows("left", span, 2 * width, bias=True)
    rows("right", span, 2 * width)
    norm("span", span)
    rows("label", labels, span, bias=True)
    return shapes


def _check(arrays: Arrays, sizes: Mapping[str, tuple[int, ...]]) -> None:
    if strange := sorted(arrays.keys() ^ sizes.keys()):
        raise ModelError(f"array {strange[0]!r} is missing or unknown")
    for name, array in arrays.items():
        if array.shape != sizes[name]:
            raise ModelError(f"array {name!r} has shape {array.shape}; expected {sizes[name]}")
        kind = np.int8 if name.endswith(".rows") else np.float32
        if array.dtype != kind:
            raise ModelError(f"array {name!r} is {array.dtype}; expected {np.dtype(kind)}")
        if kind == np.float32 and not (np.abs(array) < MAX_NUMBER).all():  # NaN is not, either
            raise ModelError(f"array {name!r} has numbers that are huge or not finite")


def _network(arrays: Arrays, labels: tuple[str, ...], vectors: PieceVectors, layers: int) -> Network:
    def linear(name: str, bias: bool = True) -> Linear:
        weight = np.ascontiguousarray(dequantised(arrays, name).T)
        zero = np.zeros(weight.shape[1], np.float32)
        return Linear(weight, arrays[f"{name}.bias"] if bias else zero)

    def norm(name: str, tiny: np.float32 = TINY) -> Norm:
        return Norm(arrays[f"{name}.weight"], arrays[f"{name}.bias"], tiny)

    stack = tuple(
        Layer(
            _scaled(linear(f"attend{i}")),
            linear(f"gather{i}"),
            norm(f"first{i}"),
            linear(f"wide{i}"),
            linear(f"narrow{i}"),
            norm(f"second{i}"),
        )
        for i in range(layers)
    )
    return Network(
        labels=labels,
        vectors=vectors,
        positions=dequantised(arrays, "positions"),
        shapes=arrays["shapes.weight"],
        norm=norm("norm"),
        layers=stack,
        left=linear("left"),
        right=linear("right", bias=False),
        span_norm=norm("span", TINY_SPAN),
        label=linear("label"),
    )


def _scaled(attend: Linear) -> Linear:
    """Divide the weights of queries by the root of a head's width."""
    third = attend.weight.shape[1] // 3
    factor = np.ones(3 * third, np.float32)
    factor[:third] = 1 / math.sqrt(HEAD)
    return Linear(attend.weight * factor, attend.bias * factor)


def dequantised(arrays: Arrays, name: str) -> Float32Array:
    """Return rows of whole numbers times their scales."""
    floats: Float32Array = arrays[f"{name}.rows"] * arrays[f"{name}.scales"][:, None]
    return floats
