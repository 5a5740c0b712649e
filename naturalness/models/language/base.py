"""Protocol for language models, which give the log-probability of each unit of a Doc."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.text.view import Doc

END = "</s>"
OWN_MODEL = "lm:"
"""Prefix by which a feature group or metric refers to the user's own language model: `lm:FOLDER`."""


class TokenScores(NamedTuple):
    """Scores of the units (words, word pieces or tags) of a Doc, as parallel arrays.

    Each sentence is scored separately and ends with `END`, which is scored like a word: its probability tells how
    likely the sentence is to end there. A Doc without words has no entries.
    """

    units: list[str]
    tokens: IntArray
    """Index in the Doc of the token that the unit belongs to; -1 for `END`."""
    logprobs: FloatArray
    """Natural log of the probability of a unit given the previous units of its sentence."""
    unigrams: FloatArray
    """Natural log of the unit's relative frequency in the training text; NaN if the model has no table of
    frequencies."""
    lengths: IntArray
    """Length of the longest n-gram in the model that ends with this unit; 1 if that is the unit alone."""
    unknown: BoolArray
    """Whether the unit is unknown to the model; its probability and frequency are then those of unknown units."""


@runtime_checkable
class LanguageModel(Protocol):
    """Protocol for models that score the units of Docs. A Doc's scores do not depend on the other Docs in a batch."""

    @property
    def name(self) -> str:
        """Short name for columns and messages."""
        ...

    @property
    def signature(self) -> str:
        """Settings and checksum, which are recorded with every result."""
        ...

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]: ...
