"""The two files of a network: every array is compared with the sizes that the others give."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array
from naturalness.errors import AssetError, ModelError
from naturalness.files.archive import SMALL, unpack
from naturalness.models.parsers.chart.encoder import HEAD, MOST_PIECES, TINY, TINY_SPAN, Layer, Linear, Network, Norm
from naturalness.models.pieces import END, PADDING, SHAPES, START, UNKNOWN, Pieces

FORMAT_VERSION = 1
DESCRIPTION, WEIGHTS = "network.json", "network.npz"
SPECIAL = (PADDING, UNKNOWN, START, END)
LARGEST = np.float32(1e30)
"""Of numbers: times 127 they are still finite."""

Arrays = Mapping[str, NDArray[Any]]


def open_network(folder: Path) -> Network:
    """Read a network; the folder's checksums are the caller's to compare (`resources.locate`)."""
    try:
        about = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        arrays = unpack((folder / WEIGHTS).read_bytes(), SMALL)
        version = about["format_version"]
        if version != FORMAT_VERSION:
            raise ModelError(f"format version {version!r:.20}; this release reads {FORMAT_VERSION}")
        labels, vocabulary = (_names(name, about[name]) for name in ("labels", "vocabulary"))
        if missing := [piece for piece in SPECIAL if piece not in vocabulary]:
            raise ModelError(f"a vocabulary without {missing[0]}")
        layers = about["layers"]
        if not isinstance(layers, int) or not 0 <= layers <= len(arrays):
            raise ModelError(f"{layers!r:.20} layers")
        _check(arrays, _sizes(arrays, labels=len(labels), pieces=len(vocabulary), layers=layers))
        return _network(arrays, labels, vocabulary, layers)
    except (OSError, ValueError, LookupError, TypeError, RecursionError, ModelError) as error:
        raise AssetError(f"{folder} holds no network of the parser ({error!s:.300}); reinstall naturalness") from None


def _names(name: str, listed: Any) -> tuple[str, ...]:
    if not (isinstance(listed, list) and all(isinstance(x, str) and x for x in listed)):
        raise ModelError(f"{name} are no list of names")
    if not listed or len(set(listed)) < len(listed):
        raise ModelError(f"{name} repeat, or there are none")
    return tuple(listed)


def _sizes(arrays: Arrays, *, labels: int, pieces: int, layers: int) -> dict[str, tuple[int, ...]]:
    """The shape that each array must have; the widths are those of a few of them."""
    width, span = arrays["pieces.rows"].shape[-1], len(arrays["left.rows"])
    positions = len(arrays["positions.rows"])
    if width % HEAD or not width or positions < MOST_PIECES + 2:
        raise ModelError(
            f"{positions} positions of width {width}; expected at least {MOST_PIECES + 2}, and a multiple of {HEAD}"
        )
    found: dict[str, tuple[int, ...]] = {"shapes.weight": (len(SHAPES), width)}

    def rows(name: str, out: int, given: int, *, bias: bool = False) -> None:
        found[f"{name}.rows"], found[f"{name}.scales"] = (out, given), (out,)
        if bias:
            found[f"{name}.bias"] = (out,)

    def norm(name: str, size: int) -> None:
        found[f"{name}.weight"] = found[f"{name}.bias"] = (size,)

    rows("pieces", pieces, width)
    rows("positions", positions, width)
    norm("norm", width)
    for i in range(layers):
        inner = len(arrays[f"wide{i}.rows"])
        for name, out, given in (
            ("attend", 3 * width, width),
            ("gather", width, width),
            ("wide", inner, width),
            ("narrow", width, inner),
        ):
            rows(f"{name}{i}", out, given, bias=True)
        norm(f"first{i}", width)
        norm(f"second{i}", width)
    rows("left", span, 2 * width, bias=True)
    rows("right", span, 2 * width)
    norm("span", span)
    rows("label", labels, span, bias=True)
    return found


def _check(arrays: Arrays, sizes: Mapping[str, tuple[int, ...]]) -> None:
    if strange := sorted(arrays.keys() ^ sizes.keys()):
        raise ModelError(f"array {strange[0]!r} is missing, or not one of a network's")
    for name, array in arrays.items():
        if array.shape != sizes[name]:
            raise ModelError(f"array {name!r} has shape {array.shape}; expected {sizes[name]}")
        kind = np.int8 if name.endswith(".rows") else np.float32
        if array.dtype != kind:
            raise ModelError(f"array {name!r} is {array.dtype}; expected {np.dtype(kind)}")
        if kind == np.float32 and not (np.abs(array) < LARGEST).all():  # NaN is not, either
            raise ModelError(f"array {name!r} has numbers that are not finite, or huge")


def _network(arrays: Arrays, labels: tuple[str, ...], vocabulary: Sequence[str], layers: int) -> Network:
    def linear(name: str, bias: bool = True) -> Linear:
        weight = np.ascontiguousarray(dequantised(arrays, name).T)
        zero = np.zeros(weight.shape[1], np.float32)
        return Linear(weight, arrays[f"{name}.bias"] if bias else zero)

    def norm(name: str, tiny: np.float32 = TINY) -> Norm:
        return Norm(arrays[f"{name}.weight"], arrays[f"{name}.bias"], tiny)

    made = tuple(
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
        pieces=Pieces.of(vocabulary),
        rows=arrays["pieces.rows"],
        scales=arrays["pieces.scales"],
        positions=dequantised(arrays, "positions"),
        shapes=arrays["shapes.weight"],
        norm=norm("norm"),
        layers=made,
        left=linear("left"),
        right=linear("right", bias=False),
        span_norm=norm("span", TINY_SPAN),
        label=linear("label"),
    )


def _scaled(attend: Linear) -> Linear:
    """The weights of queries over the root of a head's width."""
    third = attend.weight.shape[1] // 3
    factor = np.ones(3 * third, np.float32)
    factor[:third] = 1 / math.sqrt(HEAD)
    return Linear(attend.weight * factor, attend.bias * factor)


def dequantised(arrays: Arrays, name: str) -> Float32Array:
    """Rows of whole numbers times their scales."""
    made: Float32Array = arrays[f"{name}.rows"] * arrays[f"{name}.scales"][:, None]
    return made
