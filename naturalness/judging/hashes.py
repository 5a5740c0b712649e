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
    spelled: bool = False
    """Whether these are hashes of the spelling, as in models of release 0.1.0, which do not recognise a text if its
    punctuation or spacing differs."""

    def __len__(self) -> int:
        return len(self.hashes)

    def __contains__(self, text: str) -> bool:
        number = text_hash(text, spelled=self.spelled)
        at = int(np.searchsorted(self.hashes, np.uint64(number)))
        return at < len(self.hashes) and int(self.hashes[at]) == number

    @property
    def note(self) -> str:
        """A warning if training texts are recognised only in their original spelling; otherwise empty."""
        if not self.spelled:
            return ""
        return (
            "the model is of release 0.1.0 and knows the texts it was trained on by their spelling "
            "alone: with other punctuation or tokenised they count as unseen; train it again to "
            "know them"
        )

    def share(self, texts: Iterable[str]) -> float:
        """Return the share of distinct texts that are known, 0..1; 0 if there are no texts."""
        asked = known_texts(texts, spelled=self.spelled).hashes
        return float(np.isin(asked, self.hashes).mean()) if len(asked) else 0.0


def known_texts(texts: Iterable[str], *, spelled: bool = False) -> KnownTexts:
    """Return the hashes of texts."""
    numbers = sorted({text_hash(text, spelled=spelled) for text in texts})
    return KnownTexts(np.array(numbers, dtype=np.uint64), spelled)


def text_hash(text: str, *, spelled: bool = False) -> int:
    """Return a hash of a text's `letters`.

    If ``spelled`` is true, return the hash of release 0.1.0, which ignores only case and the width of spaces.
    """
    plain = " ".join(text.lower().split()) if spelled else letters(text)
    return int.from_bytes(hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=8).digest())
