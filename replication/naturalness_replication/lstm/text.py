"""The training text of an LSTM as integers that stand for the units of an n-gram model.

The number of a unit is its frequency rank in the n-gram model's vocabulary, starting at 1; 0 stands for unknown units.
A network knows the units up to a maximum rank.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.language.training import stream_docs
from naturalness.models.language.units import OTHER, Reader, Vocabulary
from naturalness.text.view import view
from naturalness_replication.lstm.file import SPECIAL, UNKNOWN
from naturalness_replication.lstm.folder import rest_of

NEVER = -20.0
"""The initial log-probability of the start symbol; it is low because the symbol is never predicted."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """The numbers of the units of several sentences, concatenated."""

    flat: NDArray[np.int32]
    edges: IntArray
    """The index at which each sentence starts, followed by the index at which the last sentence ends."""

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __getitem__(self, i: int) -> NDArray[np.int32]:
        return self.flat[self.edges[i] : self.edges[i + 1]]

    @property
    def lengths(self) -> IntArray:
        """The number of units in each sentence."""
        return np.diff(self.edges)

    def part(self, start: int, stop: int) -> Sentences:
        """Return the sentences from ``start`` up to, but excluding, ``stop``."""
        edges = self.edges[start : stop + 1]
        return Sentences(self.flat[edges[0] : edges[-1]], edges - edges[0])


@dataclass(frozen=True, slots=True)
class Ranks:
    """The units of an n-gram model, ranked by frequency."""

    names: tuple[str, ...]
    numbers: dict[str, int]
    limit: int
    """The highest rank of the units that the network knows."""

    @classmethod
    def of(cls, vocabulary: Vocabulary, limit: int) -> Ranks:
        """Return the ranks of a vocabulary's units; units of equal frequency are in alphabetical order."""
        logs = vocabulary.frequencies
        names = tuple(sorted(logs, key=lambda unit: (-logs[unit], unit)))
        numbers = {unit: i for i, unit in enumerate(names, 1)}
        return cls(names, numbers, min(limit, len(names)))

    @property
    def known(self) -> tuple[str, ...]:
        """The units that the network knows."""
        return self.names[: self.limit]

    def rows(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the rows of the network's embedding table for units with these ranks."""
        known = (numbers > 0) & (numbers <= self.limit)
        return np.where(known, numbers + (len(SPECIAL) - 1), UNKNOWN).astype(np.int32)

    def units(self, numbers: NDArray[np.int32]) -> list[str]:
        """Return the units with these ranks, in the n-gram model's spelling."""
        return [self.names[n - 1] if n else OTHER for n in numbers.tolist()]

    def logs(self, vocabulary: Vocabulary) -> FloatArray:
        """Return the log of the relative frequency of the unit (or units) of each row of the embedding table."""
        known = dict.fromkeys(self.known)
        special = [rest_of(vocabulary, known), NEVER, vocabulary.end]
        return np.array([*special, *(vocabulary.frequencies[unit] for unit in self.known)])


class NumberedTexts(NamedTuple):
    """The sentences of a training text, with counts."""

    sentences: Sentences
    texts: int
    skipped: int
    """The number of texts that have no words and were skipped."""


def read_text(
    texts: Iterable[str], reader: Reader, numbers: dict[str, int], *, nlp: str, advance: Callable[[int], object]
) -> NumberedTexts:
    """Return one-sentence texts as numbers; ``advance`` is called with the number of texts done."""
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
    return NumberedTexts(sentences, n_texts, skipped)
