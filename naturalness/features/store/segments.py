"""Segments, the files of a feature store.

Each holds the rows of one group for some texts, in an array format that cannot execute code when loaded.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError, damage_as
from naturalness.features.store.keys import KEY_BYTES, GroupKey
from naturalness.files.archive import TYPES, pack, unpack

BYTES = "|u1"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one group, one per text; all attributes have the same order, and ``keys`` identifies the texts."""

    keys: list[bytes]
    table: FloatArray
    """The measured values, including values of texts that cannot be judged."""
    reasons: list[str]
    """Why each text cannot be judged; an empty string if it can."""
    gaps: list[str]
    """Why the group has no values for each text; an empty string if it has values."""

    def __len__(self) -> int:
        return len(self.keys)

    def part(self, indices: Sequence[int]) -> Rows:
        """Return the rows at these indices."""
        return Rows(
            [self.keys[i] for i in indices],
            self.table[list(indices)],
            [self.reasons[i] for i in indices],
            [self.gaps[i] for i in indices],
        )


def joined(parts: Sequence[Rows], width: int) -> Rows:
    """Join rows, without duplicate texts and sorted by key, so that the same rows always give the same file."""
    rows = Rows(
        [key for part in parts for key in part.keys],
        np.vstack([np.empty((0, width)), *(part.table for part in parts)]),
        [reason for part in parts for reason in part.reasons],
        [gap for part in parts for gap in part.gaps],
    )
    first: dict[bytes, int] = {}
    for i, key in enumerate(rows.keys):
        first.setdefault(key, i)
    return rows.part([first[key] for key in sorted(first)])


def pack_rows(rows: Rows, group: GroupKey) -> bytes:
    """Return the bytes of a segment."""
    # Distinct strings are stored as a JSON list, with one index per row. An array of fixed-width strings would need the
    # width of the longest string in every row, and would lose a final NUL.
    reasons, reason_of = _listed(rows.reasons)
    gaps, gap_of = _listed(rows.gaps)
    arrays: dict[str, NDArray[Any]] = {
        "group.key": np.frombuffer(group.digest, dtype=np.uint8),
        "texts.keys": np.frombuffer(b"".join(rows.keys), dtype=np.uint8).reshape(-1, KEY_BYTES),
        "values.table": np.ascontiguousarray(rows.table, dtype=np.float64),
        "reasons.words": reasons,
        "reasons.places": reason_of,
        "gaps.words": gaps,
        "gaps.places": gap_of,
    }
    return pack(arrays, (*TYPES, BYTES))


def _listed(words: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    distinct = {word: i for i, word in enumerate(dict.fromkeys(words))}
    spelt = json.dumps(list(distinct)).encode()
    indices = np.array([distinct[word] for word in words], dtype=np.int32)
    return np.frombuffer(spelt, dtype=np.uint8), indices


def unpack_rows(data: bytes, group: GroupKey) -> Rows:
    """Return the rows of a segment; raise `ModelError` if it is damaged or belongs to another group."""
    arrays = unpack(data, (*TYPES, BYTES))
    with damage_as(ModelError, "a segment of features", "it is measured again"):
        if arrays["group.key"].tobytes() != group.digest:
            raise ModelError("a segment of another group")
        raw = _of_type(arrays["texts.keys"], BYTES).tobytes()
        keys = [raw[at : at + KEY_BYTES] for at in range(0, len(raw), KEY_BYTES)]
        table: FloatArray = _of_type(arrays["values.table"], "<f8")
        if table.shape != (len(keys), group.width) or len(raw) != len(keys) * KEY_BYTES:
            raise ModelError(f"a table of shape {table.shape} for {len(keys)} texts")
        reasons = _words(arrays, "reasons", len(keys))
        gaps = _words(arrays, "gaps", len(keys))
    return Rows(keys, table, reasons, gaps)


def _of_type(array: NDArray[Any], kind: str) -> NDArray[Any]:
    if array.dtype.str != kind:
        raise ModelError(f"an array of type {array.dtype}, expected {kind}")
    return array


def _words(arrays: dict[str, NDArray[Any]], name: str, n: int) -> list[str]:
    """Return the string of each row (``name`` is "reasons" or "gaps"), decoded from the JSON list and the indices."""
    words = json.loads(_of_type(arrays[f"{name}.words"], BYTES).tobytes())
    indices = _of_type(arrays[f"{name}.places"], "<i4")
    sound = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not sound or indices.shape != (n,) or (n and int(indices.min()) < 0):
        raise ModelError(f"{name} that fit no {n} texts")
    return [words[i] for i in indices.tolist()]
