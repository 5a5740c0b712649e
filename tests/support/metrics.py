"""Language models with chosen probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from spacy.tokens import Doc

from naturalness.models.language.base import END, TokenScores


def scores(
    logprobs: Sequence[float],
    unigrams: Sequence[float],
    units: Sequence[str] | None = None,
    tokens: Sequence[int] | None = None,
) -> TokenScores:
    """Return entries with these numbers, each a token unless ``tokens`` names them."""
    n = len(logprobs)
    return TokenScores(
        units=list(units) if units else [f"w{i}" for i in range(n)],
        tokens=np.arange(n) if tokens is None else np.array(tokens, dtype=np.int64),
        logprobs=np.array(logprobs, dtype=np.float64),
        unigrams=np.array(unigrams, dtype=np.float64),
        lengths=np.ones(n, dtype=np.int64),
        unknown=np.zeros(n, dtype=np.bool_),
    )


@dataclass(frozen=True)
class ChosenPairs:
    """A model of the word pairs of some sentences: p is 1/10 after the right word, otherwise 1/200.

    Every unit, including the end, has the relative frequency 1/100, so SLOR per unit is ln 10 or ln 1/2.
    """

    sentences: tuple[str, ...] = ()
    name: str = "pairs"
    signature: str = "pairs:chosen"
    order: int = 2

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the entries of each Doc, read as one sentence."""
        return [self._one([t.lower_ for t in doc if not t.is_space]) for doc in docs]

    def _one(self, words: list[str]) -> TokenScores:
        if not any(any(map(str.isalnum, word)) for word in words):
            return scores([], [])
        units = [*words, END]
        known = self._pairs()
        hits = [pair in known for pair in zip(["<s>", *words], units, strict=True)]
        logprobs = [math.log(1 / 10 if yes else 1 / 200) for yes in hits]
        tokens = [*range(len(words)), -1]
        return scores(logprobs, [math.log(1 / 100)] * len(units), units, tokens)

    def _pairs(self) -> set[tuple[str, str]]:
        rows = [["<s>", *sentence.lower().split(), END] for sentence in self.sentences]
        return {pair for row in rows for pair in pairwise(row)}
