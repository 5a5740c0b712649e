"""Mixtures of n-gram models: the probability of each unit is the weighted mean of the models' probabilities.

A unit that no model knows gets the weighted mean of the models' probabilities for unknown units. If only some models
know a unit, the others contribute 0 to its mean, because the probability that they give an unknown unit is the total
for all words that they do not know. The probabilities of all words, including the unknown word, therefore sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.errors import ModelError
from naturalness.files.resources import short_checksum
from naturalness.models.language.base import TokenScores
from naturalness.models.language.ngram import NgramModel, score_beside
from naturalness.models.language.units import Reader
from naturalness.text.view import Doc, View

ROUNDING = 1e-6
"""Maximum deviation of the sum of the weights from 1."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """A linear interpolation of models over the same kind of units."""

    name: str
    signature: str
    models: tuple[NgramModel, ...]
    weights: tuple[float, ...]
    readers: tuple[Reader, ...]
    """One reader per model. All readers give units at the same positions, but may spell them differently."""

    @property
    def read(self) -> Reader:
        """Reader of the first model; the scores list the units as it spells them."""
        return self.readers[0]

    @property
    def order(self) -> int:
        """Length of the longest n-gram of any model."""
        return max(model.order for model in self.models)

    @property
    def keeps_frequencies(self) -> bool:
        """Whether all models know the frequencies of their units."""
        return all(model.keeps_frequencies for model in self.models)

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the scores of each Doc, and store them beside it."""
        return score_beside(docs, self.signature, lambda views: map(self.score, views))

    def score(self, seen: View) -> TokenScores:
        """Return the scores of a view."""
        parts = self.score_apart(seen)
        return interpolate(parts, self.weights) if parts[0].units else parts[0]

    def spelled(self, units: Sequence[str]) -> float:
        """Return ln of a word's probability without context, which is the weighted mean over the models."""
        logs = np.array([model.spelled(units) for model in self.models])
        return float(np.logaddexp.reduce(logs + np.log(self.weights)))

    def score_apart(self, seen: View) -> list[TokenScores]:
        """Return each model's scores of the same units, which their readers may spell differently."""
        parts = []
        reader, stretches = self.read, self.read(seen)
        for model, model_reader in zip(self.models, self.readers, strict=True):
            if model_reader is not reader:
                reader, stretches = model_reader, model_reader(seen)
            parts.append(model.score_stretches(stretches, seen.positions))
        return parts


def combine(models: Sequence[NgramModel], weights: Sequence[float], *, name: str, checksum: str = "") -> Mixture:
    """Return a mixture of models over the same kind of units; ``weights`` must be above 0 and sum to 1."""
    if len(models) < 2 or len(models) != len(weights):
        raise ModelError(
            f"{len(models)} models and {len(weights)} weights; expected two models or more and a weight for each"
        )
    total = sum(weights)
    if any(not 0 < weight < 1 for weight in weights) or abs(total - 1) > ROUNDING:
        raise ModelError(f"weights are {', '.join(map(str, weights))}; expected numbers above 0 that sum to 1")
    scaled = tuple(weight / total for weight in weights)
    if not checksum:
        signatures = (model.signature for model in models)
        checksum = short_hash(zip(signatures, scaled, strict=True))
    return Mixture(name, f"{name}:{checksum}", tuple(models), scaled, readers_of(models))


def readers_of(models: Sequence[NgramModel]) -> tuple[Reader, ...]:
    """Return a reader for each model; raise `ModelError` if their units do not correspond one to one.

    A word is one unit whether or not it is capitalised, so each model over words has its own reader, which restores the
    capitals that the model knows. The pieces of a word depend on its capitals, so models over pieces share one reader,
    which restores the capitals that any of the models knows.
    """
    first = models[0].read
    for model in models[1:]:
        if model.read.kind != first.kind:
            raise ModelError(
                f"{models[0].name!r} is a model of {first.kind} and {model.name!r} of "
                f"{model.read.kind}; only models of the same units can be mixed"
            )
        if model.read.encoder != first.encoder:
            raise ModelError(
                f"{models[0].name!r} and {model.name!r} cut words into other pieces "
                "(pieces.model differs); train both with the same release"
            )
    if first.kind == "words":
        return tuple(model.read for model in models)
    without = [model.name for model in models if not model.read.capitals]
    if first.kind == "pieces" and 0 < len(without) < len(models):
        raise ModelError(
            f"{without[0]!r} knows no word with a capital and other models do, so that they would "
            "cut a text in small letters into other pieces; train all on text with capitals or "
            "all on text without, or mix models of words"
        )
    capitals: dict[str, str] = {}
    for model in reversed(models):
        capitals |= model.read.capitals
    return (replace(first, capitals=capitals),) * len(models)


def interpolate(parts: Sequence[TokenScores], weights: Sequence[float]) -> TokenScores:
    """Return the mixture's scores, given each model's scores of the same units."""
    unknown = np.array([part.unknown for part in parts])
    counted = who_counts(unknown)
    return TokenScores(
        units=parts[0].units,
        tokens=parts[0].tokens,
        logprobs=log_mean(np.array([part.logprobs for part in parts]), weights, counted),
        unigrams=log_mean(np.array([part.unigrams for part in parts]), weights, counted),
        lengths=np.where(counted, [part.lengths for part in parts], 0).max(axis=0),
        unknown=np.asarray(unknown.all(axis=0)),
    )


def who_counts(unknown: BoolArray) -> BoolArray:
    """Return a mask of the models that contribute to each unit: those that know it, or all models if none knows it.

    *Shapes:* (n_models, n_units), in and out.
    """
    return ~unknown | unknown.all(axis=0)


def log_mean(logs: FloatArray, weights: Sequence[float], counted: BoolArray) -> FloatArray:
    """Return ln of each unit's weighted mean probability over the ``counted`` models; all NaN if any input is NaN."""
    if np.isnan(logs).any():
        return np.full(logs.shape[1], np.nan)
    rows = logs + np.log(weights)[:, None] + np.where(counted, 0.0, -np.inf)
    means: FloatArray = np.logaddexp.reduce(rows, axis=0)
    return means


def short_hash(rows: Iterable[Iterable[object]]) -> str:
    """Return a short checksum of rows of values."""
    return short_checksum(";".join(":".join(map(str, row)) for row in rows))
