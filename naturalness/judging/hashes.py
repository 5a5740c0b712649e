"""Recognise texts by their hashes, without storing the texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.text.normalisation import letters


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """The texts that a model was trained on, as hashes of 64 bits."""

    hashes: NDArray[np.uint64]
    """Hashes in ascending order."""

    def __len__(self) -> int:
        return len(self.hashes)

    def __contains__(self, text: str) -> bool:
        number = np.uint64(text_hash(text))
        at = int(np.searchsorted(self.hashes, number))
        return at < len(self.hashes) and bool(self.hashes[at] == number)

    def share(self, texts: Iterable[str]) -> float:
        """Return the share of distinct texts that are known, 0..1; 0 if there are no texts."""
        asked = known_texts(texts).hashes
        return float(np.isin(asked, self.hashes).mean()) if len(asked) else 0.0


def known_texts(texts: Iterable[str]) -> KnownTexts:
    """Return the hashes of texts."""
    return KnownTexts(np.array(sorted(set(map(text_hash, texts))), dtype=np.uint64))


def text_hash(text: str) -> int:
    """Return a hash of a text's `letters`."""
    return int.from_bytes(hashlib.blake2b(letters(text).encode("utf-8", "replace"), digest_size=8).digest())
