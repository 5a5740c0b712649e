"""How likely the sentences of a text are, on 0..1, by a language model.

The paper adds up ln p(word | all others) over a sentence and prints no scaling, though its score
lies in 0..1. Ours is the geometric mean over word pieces of p / (p + u), u the piece's frequency:
how surely a piece stands there because of the others (`belonging`). It needs no constants, lets no
length in, and takes it out that some words are rare. The geometric mean of p, which is what the
paper's sum is on 0..1, is that of `Alone`, and of a model that keeps no frequencies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.models.language.base import END, PseudoModel, TokenScores
from naturalness.models.language.shipped import neural
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Likelihood(Protocol):
    """Says how likely sentences are."""

    @property
    def signature(self) -> str: ...
    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """0..1 for each sentence of each Doc; empty for a text that cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class Causal:
    """Each piece given those before it, by the shipped network and n-grams mixed; ends count."""

    @property
    def signature(self) -> str:
        """Of the model."""
        return f"causal:{neural().signature}"

    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """One run of the network per sentence."""
        found = []
        for scores in neural().token_logprobs(docs):
            ends = np.flatnonzero([unit == END for unit in scores.units]) + 1
            found.append(belongings(scores.logprobs, scores.unigrams, ends))
        return found


@dataclass(frozen=True, slots=True)
class Masked:
    """Each word given the others, by the shipped network alone.

    Words six apart are hidden together: six runs for a sentence, where the paper has one for each
    word, which takes several times as long.
    """

    @property
    def signature(self) -> str:
        """Of the model."""
        return f"masked:{neural().signature}"

    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """Six runs of the network per sentence, and one for the frequencies."""
        model = neural()
        scored = zip(docs, model.token_logprobs(docs), model.skipping(docs), strict=True)
        # The ends of sentences have no masked reading.
        return [
            belongings(logs, scores.unigrams[scores.places >= 0], _sentence_ends(doc, logs))
            for doc, scores, logs in scored
        ]


@dataclass(frozen=True, slots=True)
class Alone:
    """Each word given all others, by the shipped network; frequencies are not asked for."""

    @property
    def signature(self) -> str:
        """Of the model."""
        return f"alone:{neural().signature}"

    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """As many runs of the network as there are pieces."""
        return [
            belongings(logs, np.full(len(logs), np.nan), _sentence_ends(doc, logs))
            for doc, logs in zip(docs, neural().pseudo(docs), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Foreign:
    """By a masked model that is not shipped; the tokens of its pieces part the sentences."""

    model: PseudoModel

    @property
    def signature(self) -> str:
        """Of the model."""
        return f"masked:{self.model.signature}"

    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """As many runs of the network as there are pieces."""
        scored = zip(docs, self.model.token_logprobs(docs), self.model.pseudo(docs), strict=True)
        return [self._by_sentence(doc, scores, logs) for doc, scores, logs in scored]

    def _by_sentence(self, doc: Doc, scores: TokenScores, logs: FloatArray) -> FloatArray:
        seen = view(doc)
        last = [seen.places[b - 1] for _, b in seen.sentences]
        owners = np.searchsorted(last, scores.places)
        ends = np.searchsorted(owners, np.arange(len(last)), side="right")
        return belongings(logs, scores.unigrams, np.unique(ends[ends > 0]).astype(np.int64))


def _sentence_ends(doc: Doc, logs: FloatArray) -> IntArray:
    """Where the pieces of each sentence end; none for a text that was not read."""
    stretches = neural().read(view(doc)) if len(logs) else []
    return np.cumsum([len(stretch.units) for stretch in stretches], dtype=np.int64)


def belongings(logs: FloatArray, unigrams: FloatArray, ends: IntArray) -> FloatArray:
    """Geometric means of p / (p + u), or of p where there is no u, up to each of the ends."""
    if not len(ends):
        return np.empty(0)
    gains, known = logs.copy(), ~np.isnan(unigrams)
    gains[known] = -np.logaddexp(0.0, unigrams[known] - logs[known])
    means: FloatArray = np.exp([part.mean() for part in np.split(gains, ends[:-1])])
    return means
