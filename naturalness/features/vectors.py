"""The vectors of a text's first words, one after the other: what a recurrent network reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import NaturalnessError
from naturalness.features.base import NAN, OPAQUE, TOKENS_ALONE, Feature
from naturalness.features.requirements import Requirement, named_model
from naturalness.models.vectors import WIDTH, vector_of
from naturalness.text.parsing import pipeline_checksum
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

OWN_VECTORS = "vectors:"
MAX_TOKENS = 200
"""Words that may be asked for."""


@dataclass(frozen=True)
class VectorFeatures:
    """Vectors of the first tokens, marks included, in lower case; a token without one is left out.

    They are those of the shipped pipeline, whatever pipeline parses.
    """

    parsed: ClassVar = TOKENS_ALONE
    name: str
    n_tokens: int
    """How many tokens are looked at."""

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The table of vectors."""
        return (named_model(OWN_VECTORS, str(self.n_tokens), vectors_checksum, english=True),)

    @property
    def features(self) -> tuple[Feature, ...]:
        """One for each coordinate of each token."""
        return tuple(
            Feature(
                f"w{token}_{i}",
                f"coordinate {i} of the vector of token {token}",
                "[-1, 1]",
                OPAQUE,
                "Bojanowski et al. 2017",
                undefined=f"fewer than {token + 1} tokens with a vector",
                words=f"coordinate {i} of word {token + 1}",
            )
            for token in range(self.n_tokens)
            for i in range(WIDTH)
        )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
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


def vectors_group(name: str) -> VectorFeatures:
    """The group of so many words, named ``vectors:N``."""
    asked = name.removeprefix(OWN_VECTORS)
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 10 and 1 <= int(asked) <= MAX_TOKENS):
        raise NaturalnessError(
            f"{name[:100]!r} asks for no number of words; expected {OWN_VECTORS}N with N from 1 to {MAX_TOKENS}"
        )
    return VectorFeatures(name, int(asked))


def vectors_checksum(n_tokens: str) -> str:
    """Of the pipeline that holds the vectors."""
    return pipeline_checksum()
