"""The concatenated word vectors of a text's first tokens, as input for a recurrent network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import NaturalnessError
from naturalness.features.base import NAN, Feature, Requirement, expand_table
from naturalness.features.requirements import named_model
from naturalness.models.vectors import WIDTH, vector_of
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import Doc, view

OWN_VECTORS = "vectors:"
MAX_TOKENS = 200
"""The maximum number of tokens that can be requested."""


@dataclass(frozen=True)
class VectorFeatures:
    """Word vectors of the first tokens, lower-cased and including punctuation; tokens without a vector are skipped.

    The vectors come from the shipped pipeline, even if another pipeline parses the text.
    """

    name: str
    n_tokens: int
    """The number of tokens whose vectors are used."""

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The pipeline that contains the vectors."""
        return (named_model(OWN_VECTORS, str(self.n_tokens), vectors_checksum, english=True),)

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
    coordinates = ({"token": token, "count": token + 1, "i": i} for token in range(n_tokens) for i in range(WIDTH))
    return expand_table("named/vectors", coordinates)


def vectors_group(name: str) -> VectorFeatures:
    """Return the group that reads the first N tokens, given its name, ``vectors:N``."""
    asked = name.removeprefix(OWN_VECTORS)
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 10 and 1 <= int(asked) <= MAX_TOKENS):
        raise NaturalnessError(
            f"{name[:100]!r} asks for no number of words; expected {OWN_VECTORS}N with N from 1 to {MAX_TOKENS}"
        )
    return VectorFeatures(name, int(asked))


def vectors_checksum(n_tokens: str) -> str:
    """Return the checksum of the pipeline that contains the vectors, whatever ``n_tokens`` is."""
    return pipeline_checksum()
