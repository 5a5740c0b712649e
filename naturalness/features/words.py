"""Hashed counts of words and pairs of neighbouring words, in a fixed number of columns.

A hash determines the column of a word, so no vocabulary is learned or saved. Words in the same column cannot be
told apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import NaturalnessError
from naturalness.features.base import NAN, Feature, Requirement, numbered_table
from naturalness.text.view import Doc, view

OWN_WORDS = "words:"
MIN_COLUMNS, MAX_COLUMNS = 16, 4096
"""The minimum and maximum number of columns."""


@dataclass(frozen=True)
class WordFeatures:
    """Counts of lower-case tokens, including punctuation, and of pairs of neighbouring tokens.

    About half of the tokens and pairs are counted negatively, so that hash collisions cancel out on average. Each row
    is scaled to a unit vector.
    """

    requires: ClassVar[tuple[Requirement, ...]] = ()
    name: str
    width: int
    """The number of columns."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """One feature for each column."""
        return numbered_table("named/words", self.width)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        table = np.zeros((len(docs), self.width))
        for row, doc in zip(table, docs, strict=True):
            for phrase in _phrases(view(doc).lower):
                column, sign = _column(phrase, self.width)
                row[column] += sign
            length = np.sqrt((row * row).sum())
            row[:] = row / length if length else NAN
        return table


def _phrases(words: Sequence[str]) -> Iterator[str]:
    yield from words
    for first, second in pairwise(words):
        yield f"{first} {second}"


def _column(phrase: str, width: int) -> tuple[int, int]:
    """Return the column and sign of a phrase. Unlike Python's own hash, they are the same on every machine."""
    number = int.from_bytes(hashlib.blake2b(phrase.encode(), digest_size=8).digest(), "little")
    return (number >> 1) % width, 1 if number & 1 else -1


def words_group(name: str) -> WordFeatures:
    """Return the group that has N columns, given its name, ``words:N``."""
    asked = name.removeprefix(OWN_WORDS)
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 10 and MIN_COLUMNS <= int(asked) <= MAX_COLUMNS):
        raise NaturalnessError(
            f"{name[:100]!r} asks for no number of columns; expected {OWN_WORDS}N with N from "
            f"{MIN_COLUMNS} to {MAX_COLUMNS}"
        )
    return WordFeatures(name, int(asked))
