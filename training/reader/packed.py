"""Arrays in compressed files: weights in few bits, texts and damage, without pickles.

A weight of a product is stored as ``whole`` numbers of -7..7 times a ``step`` per row, counted from MPNet's weights
rounded to seven bits, or as ``four``, the same counted from 0: weights that compute in whole numbers. Everything
else is ``raw``.
"""

from __future__ import annotations

import io
import lzma
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Arrays = Mapping[str, Array]

SEVEN_BITS, FOUR_BITS = 63, 7
"""Whole numbers go so far on either side of 0."""
TINY = 1e-12
LITERALS = [{"id": lzma.FILTER_LZMA2, "preset": 1, "lc": 0, "lp": 0, "pb": 0}]
"""Weights repeat nothing: what counts is how frequent each number is."""
REPEATS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 26, "lc": 0, "lp": 1, "pb": 1}]
"""Sentences repeat one another, in numbers of sixteen bits."""
PRODUCTS = ("attention_in.weight", "attention_out.weight", "wide.weight", "narrow.weight")
TABLE = "body.pieces.weight"


def is_product(name: str) -> bool:
    """Tell whether a name is that of the weight of a layer's product."""
    return ".layers." in name and name.endswith(PRODUCTS)


def whole_rows(values: Array, largest: int) -> tuple[Array, Array]:
    """Return whole numbers of -``largest``..``largest`` and the step of each row."""
    step = np.maximum(np.abs(values).max(1, keepdims=True), TINY).astype(np.float32) / np.float32(largest)
    return np.rint(values / step).astype(np.int8), step


def rounded(values: Array) -> Array:
    """Return weights as a training begins with them, in seven bits."""
    whole, step = whole_rows(values, SEVEN_BITS)
    return whole.astype(np.float32) * step


def write(path: Path, arrays: Arrays, filters: Sequence[Mapping[str, int]]) -> None:
    """Write arrays into one file; it appears when it is complete."""
    part = path.with_name(path.name + ".part")
    buffer = io.BytesIO()
    np.savez(buffer, **dict(arrays))
    part.write_bytes(lzma.compress(buffer.getvalue(), filters=[dict(f) for f in filters]))
    part.rename(path)


def read(path: Path) -> dict[str, Array]:
    """Return what `write` wrote."""
    with np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def read_all(paths: Sequence[Path]) -> dict[str, Array]:
    """Return the arrays of several files, which are unpacked side by side."""
    with ThreadPoolExecutor(max(1, len(paths))) as pool:
        return {name: values for arrays in pool.map(read, paths) for name, values in arrays.items()}


def in_seven_bits(state: Arrays) -> dict[str, Array]:
    """Return a network to begin with: products and the table of pieces in seven bits, the rest in floats."""
    stored: dict[str, Array] = {}
    for name, values in state.items():
        if is_product(name) or name == TABLE:
            stored[f"whole|{name}"], stored[f"step|{name}"] = whole_rows(values, SEVEN_BITS)
        else:
            stored[f"raw|{name}"] = values
    return stored


def compact(state: Arrays, start: Arrays | None) -> dict[str, Array]:
    """Return a trained network without its table of pieces, which no training changes.

    With ``start``, the weights at which it began, products are differences. Without, they are whole numbers already,
    of the steps in the state.
    """
    stored: dict[str, Array] = {}
    for name, values in state.items():
        if name == TABLE or name.endswith(".step"):
            continue
        if is_product(name) and start is not None:
            stored[f"whole|{name}"], stored[f"step|{name}"] = whole_rows(values - start[name], FOUR_BITS)
        elif is_product(name):
            step = state[name.removesuffix("weight") + "step"]
            whole = np.clip(np.rint(values / step), -FOUR_BITS, FOUR_BITS)
            stored[f"four|{name}"], stored[f"step|{name}"] = whole.astype(np.int8), step
        else:
            stored[f"raw|{name}"] = values.astype(np.float16) if values.ndim == 2 else values
    return stored


def restored(stored: Arrays, start: Arrays | None = None) -> dict[str, Array]:
    """Return the weights of a stored network, in floats; ``start`` as `compact` had it."""
    state: dict[str, Array] = {}
    for name, values in stored.items():
        kind, _, key = name.partition("|")
        if kind == "raw":
            state[key] = values.astype(np.float32)
        elif kind in ("whole", "four"):
            state[key] = values.astype(np.float32) * stored[f"step|{key}"]
            if kind == "whole" and start is not None:
                state[key] += start[key]
            if kind == "four":
                state[key.removesuffix("weight") + "step"] = stored[f"step|{key}"]
    return state


def write_parts(folder: Path, name: str, stored: Arrays, parts: int) -> None:
    """Write a stored network as ``NAME.K.npz.xz``, its layers shared out among so many files."""
    layers = [int(key.split(".layers.")[1].split(".")[0]) for key in stored if ".layers." in key]
    each = -(-(max(layers) + 1) // parts)
    shares: list[dict[str, Array]] = [{} for _ in range(parts)]
    for key, values in stored.items():
        at = int(key.split(".layers.")[1].split(".")[0]) // each if ".layers." in key else 0
        shares[at][key] = values
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(lambda k: write(folder / f"{name}.{k}.npz.xz", shares[k], LITERALS), range(parts)))


def parts_of(folder: Path, name: str) -> list[Path]:
    """Return the files of a stored network."""
    return sorted(folder.glob(f"{name}.*.npz.xz"))
