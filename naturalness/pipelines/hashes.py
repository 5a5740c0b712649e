"""Numbers by which texts are known again, without keeping the texts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def text_hash(text: str) -> int:
    """A number by which a text is known again; white space and case do not count."""
    plain = " ".join(text.lower().split())
    return int.from_bytes(hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=8).digest())


def hashes_of(texts: Sequence[str]) -> NDArray[np.uint64]:
    """The hashes of texts, sorted."""
    return np.array(sorted({text_hash(text) for text in texts}), dtype=np.uint64)
