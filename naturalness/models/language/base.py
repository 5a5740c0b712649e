"""Protocol of language models: the log-probability of every unit of a Doc."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from naturalness.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from spacy.tokens import Doc

END = "</s>"
OWN_MODEL = "lm:"
"""Prefix by which a feature group or metric refers to the user's own language model: `lm:FOLDER`."""


class TokenScores(NamedTuple):
    """Parallel entries over the units of a Doc: words, word pieces or tags.

    Each sentence is scored separately and ends with `END`, which is scored like a word and measures how likely the
    sentence is to end there. A Doc without words has no entries.
    """

    units: list[str]
    tokens: IntArray
    """Index in the Doc of the token that a unit belongs to; -1 for `END`."""
    logprobs: FloatArray
    """Natural log of the probability of a unit given the previous units of its sentence."""
    unigrams: FloatArray
    """Natural log of the relative frequency of the unit in the training text; NaN if the model has no such table."""
    lengths: IntArray
    """Length of the longest n-gram in the model that ends in the unit; 1 for the unit alone."""
    unknown: BoolArray
    """Whether the model does not know the unit; both probabilities are then those of `<unk>`."""


@runtime_checkable
class LanguageModel(Protocol):
    """Protocol of models that score the units of Docs. A Doc gets the same numbers alone and in any batch."""

    @property
    def name(self) -> str:
        """Short name for columns and messages."""
        ...

    @property
    def signature(self) -> str:
        """Settings and checksum, recorded beside numbers."""
        ...

    @property
    def order(self) -> int:
        """Length of the longest n-gram; 0 for a model without n-grams."""
        ...

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]: ...


@runtime_checkable
class SpellingModel(LanguageModel, Protocol):
    """A language model over parts of words that also gives the probability of a word on its own."""

    def spelled(self, units: Sequence[str]) -> float:
        """Return ln of the frequency of the first unit times the probability of each later unit given the previous
        ones."""
        ...
