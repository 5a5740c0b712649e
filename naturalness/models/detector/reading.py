"""Docs read by a detector, sentence by sentence, once: groups and metrics share what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.detector.network import Network
from naturalness.models.detector.shipped import Detector, detector
from naturalness.text.parsing import unusable
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST = 1024
"""Pieces of a sentence that is still read: what is longer is none, and would take seconds."""
DOUBTFUL = 0.5
"""Probability of damage from which a word is doubtful."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence, or a stretch of one that is too long for the network."""

    start: int
    end: int
    """Of its tokens, in the View."""
    soundness: float
    """Logit: the higher, the sounder."""


@dataclass(frozen=True, slots=True)
class Detected:
    """What a detector says of a text."""

    parts: tuple[Part, ...]
    tokens: tuple[int, ...]
    """Indices in the View of the tokens that were read."""
    logs: FloatArray
    """(tokens, kinds) log-probabilities; the first kind is *sound*."""
    problem: str = ""
    """Why a text with words was not read."""

    @property
    def damage(self) -> FloatArray:
        """Probability of each token read that something is wrong there."""
        wrong: FloatArray = 1.0 - np.exp(self.logs[:, 0])
        return np.clip(wrong, 0.0, 1.0)

    @property
    def log_odds(self) -> FloatArray:
        """Of damage against soundness, of each token read."""
        odds: FloatArray = np.logaddexp.reduce(self.logs[:, 1:], axis=1) - self.logs[:, 0]
        return odds


NOTHING = Detected((), (), np.empty((0, 2)))
"""Of a text without words, or one that cannot be judged."""
TOO_LONG = replace(NOTHING, problem=f"a sentence of more than {MOST} word pieces")


def detect(docs: Sequence[Doc], own: Detector | None = None) -> list[Detected]:
    """What the detector, the shipped one unless another is given, says of each Doc."""
    with_it = own or detector()
    key = f"naturalness.damage.{with_it.signature}"
    for doc in docs:
        if key not in doc.user_data:
            doc.user_data[key] = _read(doc, with_it.network)
    return [doc.user_data[key] for doc in docs]


def _read(doc: Doc, network: Network) -> Detected:
    if unusable(doc):
        return NOTHING
    tokens = view(doc)
    parts: list[Part] = []
    read: list[int] = []
    logs: list[FloatArray] = []
    # Texts of thousands of lines repeat them: "-", "n/a", the same reply again.
    seen: dict[tuple[tuple[int, ...], ...], tuple[float, FloatArray]] = {}
    for start, end in tokens.sentences:
        cut = tuple(network.cut(text) for text in tokens.lower[start:end])
        if sum(map(len, cut)) > MOST:
            return TOO_LONG
        for first, last in stretches(cut, network.places - 2):
            stretch = cut[first:last]
            if stretch not in seen:
                seen[stretch] = network.read(stretch)
            soundness, found = seen[stretch]
            parts.append(Part(start + first, start + last, soundness))
            read += range(start + first, start + last)
            logs.append(found)
    return Detected(tuple(parts), tuple(read), np.concatenate(logs)) if logs else NOTHING


def stretches(cut: Sequence[Sequence[int]], most: int) -> list[tuple[int, int]]:
    """Starts and ends of equal stretches of words that have at most so many pieces each."""
    ends = np.cumsum([len(pieces) for pieces in cut])
    wanted = -(-int(ends[-1]) // most)
    found: list[tuple[int, int]] = []
    first = 0
    while first < len(cut):
        before = int(ends[first - 1]) if first else 0
        left = max(1, wanted - len(found))
        goal = min(most, -(-(int(ends[-1]) - before) // left))
        last = max(first + 1, int(np.searchsorted(ends, before + goal, side="right")))
        found.append((first, last))
        first = last
    return found
