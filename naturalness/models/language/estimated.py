"""An n-gram model as tables: what is estimated, written as ARPA and packed for KenLM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import Float32Array, IntArray

UNKNOWN, START, STOP = 0, 1, 2
RESERVED = ("<unk>", "<s>", "</s>")
"""Words with a meaning of their own; their places are their ids in every vocabulary."""
LONGEST = 6
"""The longest n-grams that the kenlm package is built for."""

IdArray = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Ngrams:
    """Every n-gram of a model with its numbers, as an ARPA file has them.

    *Shapes:* of order k there are n_k n-grams: ``ids[k - 1]`` is (n_k, k), ``logprobs[k - 1]`` and
    ``backoffs[k - 1]`` are (n_k,). The longest n-grams have no back-off.
    """

    vocabulary: list[str]
    """Words by id; the first three are those of `RESERVED`."""
    ids: tuple[IdArray, ...]
    """Of each n-gram the ids of its words, first word first; single words stand in order of id."""
    logprobs: tuple[Float32Array, ...]
    """log10 of the probability of the last word after those before it; at most 0."""
    backoffs: tuple[Float32Array, ...]
    """log10 of what is left to shorter contexts after the n-gram; 0 where nothing follows it."""
    counts: IntArray | None = None
    """How often each word of the vocabulary occurred in the text: `</s>` once a sentence, `<unk>`
    once for each word outside the vocabulary, `<s>` never. None where it is not known (ARPA)."""
    raw: tuple[IntArray, ...] | None = None
    """How often each n-gram occurred in the text, by order; None where it is not known."""
    sentences: int = 0
    tokens: int = 0
    """Words of the text, sentence ends not counted."""
    notes: tuple[str, ...] = ()
    """What a reader should know of the estimate: discounts that could not be computed."""

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self.ids)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of n-grams by order."""
        return tuple(len(rows) for rows in self.ids)
