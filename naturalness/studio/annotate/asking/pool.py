"""The input of active learning: texts with their features, and the answers so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The texts to rate, with the features measured so far.

    A pool is immutable, so values derived from it can be cached by identity.
    """

    texts: tuple[str, ...]
    table: FloatArray
    """Features, (n, p); the row of an unmeasured text is all NaN."""
    columns: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def usable(self) -> BoolArray:
        """Whether each text has been measured and has values; a text that contains no words has none."""
        return np.asarray(~np.isnan(self.table).all(axis=1))


@dataclass(frozen=True, slots=True)
class GivenRating:
    """An answer that is in force; sequences of judgements are in the order in which they were given."""

    text: int
    value: float
    """Rating on the scale, higher is better."""
    test: bool
    """Whether the question was drawn at random for the test set."""
    again: bool
    """Whether this rater had already answered the question."""
    rater: str


def asked_texts(judgements: Sequence[GivenRating]) -> set[int]:
    """Return the texts that occur in the questions."""
    return {judgement.text for judgement in judgements}


def test_texts(judgements: Sequence[GivenRating]) -> set[int]:
    """Return the texts that any rater was asked about for the test set."""
    return asked_texts([judgement for judgement in judgements if judgement.test])


def means_of(judgements: Sequence[GivenRating]) -> tuple[IntArray, FloatArray]:
    """Return the rated texts and the mean of all answers to each, in the order of asking."""
    values: dict[int, list[float]] = {}
    for judgement in judgements:
        values.setdefault(judgement.text, []).append(judgement.value)
    means = [sum(answers) / len(answers) for answers in values.values()]
    return np.array(list(values), dtype=np.int64), np.array(means, dtype=np.float64)
