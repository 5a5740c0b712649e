"""Write grammar files, which the package reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import IntArray
from naturalness.files.archive import pack
from naturalness.models.parsers.generative.backoff import Counts
from naturalness.models.parsers.generative.store import FORMAT_VERSION, GRAMMAR, TYPES, Names


def write_grammar(path: Path, names: Names, counts: Mapping[str, Sequence[Counts]]) -> None:
    """Write a grammar file, with the counts of each table for each context length; the same content always gives the
    same bytes.
    """
    arrays: dict[str, Any] = {f"{GRAMMAR}.version": np.array([FORMAT_VERSION], np.int64)}
    for name, values in names._asdict().items():
        text = "\n".join(values) + "\n" * (name == "forms")  # only this list ends in a line end
        arrays[f"{GRAMMAR}.{name}"] = np.frombuffer(text.encode(), np.uint8)
    for name, radix in names.radices.items():
        arrays |= to_arrays(name, radix, counts[name])
    path.write_bytes(pack(arrays, TYPES))


def to_arrays(name: str, radix: Sequence[int], counts: Sequence[Counts]) -> dict[str, Any]:
    """Return a distribution as arrays for a file, with integers in the smallest types that fit."""
    steps = [np.diff(level.contexts, prepend=0) for level in counts]
    return {
        f"{name}.radix": np.array(radix, np.int64),
        f"{name}.scales": np.array([level.scale for level in counts]),
        f"{name}.lengths": np.array([len(level.contexts) for level in counts], np.int64),
        f"{name}.steps": _small(np.concatenate(steps)),
    } | {
        f"{name}.{part}": _small(np.concatenate([getattr(level, part) for level in counts]))
        for part in ("sizes", "dropped", "outcomes", "weights")
    }


def _small(values: IntArray) -> NDArray[Any]:
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))
