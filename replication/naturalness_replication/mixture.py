"""Mixtures of n-gram models of words: the probability of each unit is the weighted mean of the models' probabilities.

A unit that no model knows gets the weighted mean of the models' probabilities for unknown units. If only some models
know a unit, the others contribute 0 to its mean, because the probability that they give an unknown unit is the total
for all words that they do not know. The probabilities of all words, including the unknown word, therefore sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.models.language.base import TokenScores
from naturalness.models.language.ngram import NgramModel
from naturalness.text.view import Doc


@dataclass(frozen=True, slots=True)
class Mixture:
    """A linear interpolation of word models; each restores the capitals that it knows."""

    name: str
    models: tuple[NgramModel, ...]
    weights: tuple[float, ...]
    """The weights of the models, above 0; they sum to 1."""
    keeps_frequencies: bool = True

    @property
    def signature(self) -> str:
        """The name, and the signature and weight of each model."""
        pairs = zip(self.models, self.weights, strict=True)
        return f"{self.name}:{'+'.join(f'{weight:g}*{model.signature}' for model, weight in pairs)}"

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the scores of each Doc; units are spelled as the first model reads them."""
        parts = zip(*(model.token_logprobs(docs) for model in self.models), strict=True)
        return [interpolate(part, self.weights) if part[0].units else part[0] for part in parts]


def interpolate(parts: Sequence[TokenScores], weights: Sequence[float]) -> TokenScores:
    """Return the mixture's scores, given each model's scores of the same units."""
    unknown = np.array([part.unknown for part in parts])
    counted = ~unknown | unknown.all(axis=0)
    return TokenScores(
        units=parts[0].units,
        tokens=parts[0].tokens,
        logprobs=_log_mean(np.array([part.logprobs for part in parts]), weights, counted),
        unigrams=_log_mean(np.array([part.unigrams for part in parts]), weights, counted),
        lengths=np.where(counted, [part.lengths for part in parts], 0).max(axis=0),
        unknown=np.asarray(unknown.all(axis=0)),
    )


def _log_mean(logs: FloatArray, weights: Sequence[float], counted: BoolArray) -> FloatArray:
    """Return ln of each unit's weighted mean probability over the ``counted`` models."""
    rows = logs + np.log(weights)[:, None] + np.where(counted, 0.0, -np.inf)
    means: FloatArray = np.logaddexp.reduce(rows, axis=0)
    return means
