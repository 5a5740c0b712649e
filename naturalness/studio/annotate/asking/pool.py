"""What asking and teaching know: the texts with their features, and the answers so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray

MAX_SOURCE_SHARE = 0.1
"""Share of the texts up to which those after one context are tested on together, or not at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The texts to rate, as far as they are measured.

    A pool never changes, so what is derived from it holds as long as the same object comes again.
    """

    texts: tuple[str, ...]
    table: FloatArray
    """Features, (n, p); a row of a text that is not measured yet is NaN all through."""
    columns: tuple[str, ...]
    measured: BoolArray
    """(n,)"""
    contexts: tuple[str, ...] = ()
    """What a rater reads before each text, empty where that is nothing; an empty tuple where no text has any."""

    def __post_init__(self) -> None:
        n, p = len(self.texts), len(self.columns)
        if self.contexts and len(self.contexts) != n:
            raise ValueError(f"{len(self.contexts)} contexts for {n} texts")
        if self.table.shape != (n, p) or self.measured.shape != (n,):
            raise ValueError(
                f"a table of shape {self.table.shape} and {len(self.measured)} marks for {n} texts and {p} columns"
            )

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def pairable(self) -> tuple[str, ...]:
        """The contexts, if two texts have the same: only such texts are then compared. Otherwise empty."""
        return self.contexts if any(many > 1 for many in Counter(self.contexts).values()) else ()

    @property
    def sources(self) -> tuple[str, ...]:
        """What is on one side of the test share; see `sources_of`."""
        return sources_of(self.texts, self.contexts)

    @property
    def usable(self) -> BoolArray:
        """Texts that are measured and have any value; one without words has none."""
        usable: BoolArray = self.measured & ~np.isnan(self.table).all(axis=1)
        return usable


def sources_of(texts: Sequence[str], contexts: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what is on one side of the test share: the texts after one context, and else each text by itself.

    A context of more than `MAX_SOURCE_SHARE` of the texts ties none: most of them would be set apart with it.
    """
    many = Counter(contexts)
    limit = MAX_SOURCE_SHARE * len(texts)
    return tuple(
        context if context and many[context] <= limit else text
        for text, context in zip(texts, contexts or ("",) * len(texts), strict=True)
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer in force; judgements come in the order of answering."""

    text: int
    value: float
    """On the scale, higher is better; of pairs 1 the first, -1 the second is better, 0 the same."""
    test: bool
    """Asked at random, and set apart to measure on."""
    again: bool
    """This rater had answered it before."""
    rater: str
    cause: str = ""
    """The cause that the rater named, a key of `explaining.causes.TITLES`."""
    other: int | None = None
    """The second text of a pair."""

    @property
    def asked(self) -> tuple[int, ...]:
        """The texts of the question."""
        return (self.text,) if self.other is None else (self.text, self.other)


def rated_texts(judgements: Sequence[Judgement]) -> IntArray:
    """Return every text that was asked about, once, in the order of asking."""
    texts = dict.fromkeys(text for judgement in judgements for text in judgement.asked)
    return np.array(list(texts), dtype=np.int64)


def means_of(judgements: Sequence[Judgement]) -> tuple[IntArray, FloatArray]:
    """Return the rated texts and the mean of all answers to each, in the order of asking."""
    values: dict[int, list[float]] = {}
    for judgement in judgements:
        values.setdefault(judgement.text, []).append(judgement.value)
    means = [sum(answers) / len(answers) for answers in values.values()]
    return np.array(list(values), dtype=np.int64), np.array(means, dtype=np.float64)
