"""The concatenated word vectors of a text's first tokens, as input for a recurrent network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, OPAQUE, Feature, Requirement
from naturalness.features.requirements import asset
from naturalness.models.vectors import WIDTH, vector_of
from naturalness.text.view import Doc, view


@dataclass(frozen=True)
class VectorFeatures:
    """Word vectors of the first tokens, lower-cased and including punctuation; tokens without a vector are skipped.

    The vectors come from the shipped pipeline, even if another pipeline parses the text.
    """

    n_tokens: int = 40
    """The number of tokens whose vectors are used."""
    requires: ClassVar[tuple[Requirement, ...]] = (asset("pipeline"), asset("wordlist"))

    @property
    def name(self) -> str:
        """The name of the group."""
        return f"vectors:{self.n_tokens}"

    @property
    def features(self) -> tuple[Feature, ...]:
        """One feature for each coordinate of each token."""
        return vector_features(self.n_tokens)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        table = np.full((len(docs), self.n_tokens, WIDTH), NAN)
        for row, doc in zip(table, docs, strict=True):
            token = 0
            for word in view(doc).lower:
                if token == self.n_tokens:
                    break
                if (vector := vector_of(word)) is not None:
                    row[token] = vector
                    token += 1
        return table.reshape(len(docs), self.n_tokens * WIDTH)


@cache
def vector_features(n_tokens: int) -> tuple[Feature, ...]:
    """Return one feature for each coordinate of each of the first ``n_tokens`` vectors."""
    return tuple(
        Feature(
            f"w{token}_{i}",
            f"coordinate {i} of the vector of token {token}",
            "[-1, 1]",
            OPAQUE,
            source="Bojanowski et al. 2017",
            undefined=f"fewer than {token + 1} tokens with a vector",
            words=f"coordinate {i} of word {token + 1}",
            parsed=False,
        )
        for token in range(n_tokens)
        for i in range(WIDTH)
    )
