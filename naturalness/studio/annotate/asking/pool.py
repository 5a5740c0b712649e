"""The input of active learning: texts with their features, and the answers so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray

MAX_SOURCE_SHARE = 0.1
"""Maximum share of the texts, 0 to 1, that may share a context and still be kept on one side of the test split."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The texts to rate, with the features measured so far.

    A pool is immutable, so values derived from it can be cached by identity.
    """

    texts: tuple[str, ...]
    table: FloatArray
    """Features, (n, p); the row of an unmeasured text is all NaN."""
    columns: tuple[str, ...]
    contexts: tuple[str, ...] = ()
    """Context shown before each text, possibly empty; an empty tuple if no text has a context."""

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def pairable(self) -> tuple[str, ...]:
        """The contexts if any two texts share one (then only texts with the same context are compared); else empty."""
        return self.contexts if any(many > 1 for many in Counter(self.contexts).values()) else ()

    @property
    def sources(self) -> tuple[str, ...]:
        """Key of each text for the test split: its context, or the text itself if it has none.

        Texts with the same key are either all in the test set or all outside it. A context of more than
        `MAX_SOURCE_SHARE` of the texts is not used as a key: it could move most texts into the test set.
        """
        many = Counter(self.contexts)
        limit = MAX_SOURCE_SHARE * len(self)
        return tuple(
            context if context and many[context] <= limit else text
            for text, context in zip(self.texts, self.contexts or ("",) * len(self), strict=True)
        )

    @property
    def usable(self) -> BoolArray:
        """Whether each text has been measured and has values; a text that contains no words has none."""
        return np.asarray(~np.isnan(self.table).all(axis=1))


@dataclass(frozen=True, slots=True)
class GivenRating:
    """An answer that is in force; sequences of judgements are in the order in which they were given."""

    asked: tuple[int, ...]
    """The text, or the two texts, that were asked about."""
    value: float
    """Rating on the scale, higher is better; for pairs 1 if the first text is better, -1 if the second is, 0 if
    neither."""
    test: bool
    """Whether the question was drawn at random for the test set."""
    again: bool
    """Whether this rater had already answered the question."""
    rater: str


def asked_texts(judgements: Sequence[GivenRating]) -> set[int]:
    """Return the texts that occur in the questions."""
    return {text for judgement in judgements for text in judgement.asked}


def test_texts(judgements: Sequence[GivenRating]) -> set[int]:
    """Return the texts that any rater was asked about for the test set."""
    return asked_texts([judgement for judgement in judgements if judgement.test])


def means_of(judgements: Sequence[GivenRating]) -> tuple[IntArray, FloatArray]:
    """Return the rated texts and the mean of all answers to each, in the order of asking."""
    values: dict[int, list[float]] = {}
    for judgement in judgements:
        values.setdefault(judgement.asked[0], []).append(judgement.value)
    means = [sum(answers) / len(answers) for answers in values.values()]
    return np.array(list(values), dtype=np.int64), np.array(means, dtype=np.float64)
