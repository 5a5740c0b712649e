"""Training text of an LSTM as numbers, with the units of the n-gram model.

A unit's number is its frequency rank in the n-gram model's vocabulary, starting at 1; 0 stands for unknown units. A
network therefore knows the units up to a certain rank.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.language.neural.model import rest_of
from naturalness.models.language.training.corpus import stream_docs
from naturalness.models.language.units import Reader
from naturalness.models.language.vocabulary import OTHER, Vocabulary
from naturalness.research.lstm.file import SPECIAL, UNKNOWN
from naturalness.text.view import view

NEVER = -20.0
"""Initial log-probability of the start symbol, which follows nothing."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Concatenated sentences."""

    flat: NDArray[np.int32]
    edges: IntArray
    """Index of the start of each sentence, and of the end of the last."""

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __getitem__(self, i: int) -> NDArray[np.int32]:
        return self.flat[self.edges[i] : self.edges[i + 1]]

    @property
    def lengths(self) -> IntArray:
        """Number of units per sentence."""
        return np.diff(self.edges)

    def part(self, start: int, stop: int) -> Sentences:
        """Return the sentences from start to stop."""
        edges = self.edges[start : stop + 1]
        return Sentences(self.flat[edges[0] : edges[-1]], edges - edges[0])


@dataclass(frozen=True, slots=True)
class Ranks:
    """The units of an n-gram model by frequency."""

    names: tuple[str, ...]
    numbers: dict[str, int]
    limit: int
    """Highest rank of a unit that the network knows."""

    @classmethod
    def of(cls, vocabulary: Vocabulary, limit: int) -> Ranks:
        """Rank the units of a vocabulary; ties in alphabetical order."""
        logs = vocabulary.frequencies
        names = tuple(sorted(logs, key=lambda unit: (-logs[unit], unit)))
        numbers = {unit: i for i, unit in enumerate(names, 1)}
        return cls(names, numbers, min(limit, len(names)))

    @property
    def known(self) -> tuple[str, ...]:
        """The units that the network knows."""
        return self.names[: self.limit]

    def rows(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the rows of units in the network's table, given their ranks."""
        known = (numbers > 0) & (numbers <= self.limit)
        return np.where(known, numbers + (len(SPECIAL) - 1), UNKNOWN).astype(np.int32)

    def units(self, numbers: NDArray[np.int32]) -> list[str]:
        """Return the units with these ranks, in the n-gram model's spelling."""
        return [self.names[n - 1] if n else OTHER for n in numbers.tolist()]

    def logs(self, vocabulary: Vocabulary) -> FloatArray:
        """Return ln of the frequency of each row of the network."""
        known = dict.fromkeys(self.known)
        special = [rest_of(vocabulary, known), NEVER, vocabulary.end]
        return np.array([*special, *(vocabulary.frequencies[unit] for unit in self.known)])


@dataclass(frozen=True, slots=True)
class Text:
    """The sentences of a text, with counts."""

    sentences: Sentences
    texts: int
    skipped: int
    """Number of texts without a word."""


def read_text(
    texts: Iterable[str], reader: Reader, numbers: dict[str, int], *, nlp: str, advance: Callable[[int], object]
) -> Text:
    """Read texts of one sentence each as numbers; ``advance`` receives the number of texts done."""
    flat, edges = array("i"), array("q", [0])
    n_texts = skipped = 0
    for doc in stream_docs(texts, reader.kind, nlp=nlp, advance=advance):
        n_texts += 1
        stretches = reader(view(doc))
        skipped += not stretches
        for stretch in stretches:
            flat.extend([numbers.get(unit, 0) for unit in stretch.units])
            edges.append(len(flat))
    sentences = Sentences(np.array(flat, np.int32), np.array(edges, np.int64))
    return Text(sentences, n_texts, skipped)
