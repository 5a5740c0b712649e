"""Neural language models, each mixed with an n-gram model (its companion), which defines the units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.neural.network import NeuralNetwork
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.units import Reader
from naturalness.text.view import Doc, View, stored_beside, view


class Foretold(NamedTuple):
    """Scores of the same units, including sentence ends, by a network, its companion and their mixture."""

    mixed: TokenScores
    """Scores by the mixture."""
    counted: TokenScores
    """Scores by the companion."""
    logs: FloatArray
    """ln p of each unit under the network alone."""
    entropies: FloatArray
    """Entropy of the network's prediction at each position, in nats."""
    problem: str = ""
    """Why a text with words was not scored; empty if it was."""


MAX_UNITS = 1024
"""Maximum number of units in a sentence; texts with a longer sentence are not scored, since that would take seconds."""
TOO_LONG = f"a sentence of more than {MAX_UNITS} word pieces"


@dataclass(frozen=True, slots=True)
class NeuralModel:
    """A mixture of a network and an n-gram model over the same units.

    The n-gram model, its companion, also provides the unit frequencies for SLOR.
    """

    name: str
    signature: str
    network: NeuralNetwork
    companion: NgramModel
    weight: float
    """Weight of the network in the mixture, above 0 and at most 1, fitted on held-out text."""

    def __post_init__(self) -> None:
        """Raise `ModelError` unless both models use the same pieces."""
        if self.network.encoder != self.companion.read.encoder:
            raise ModelError(
                f"{self.name!r} was not trained with the pieces of {self.companion.name!r}; "
                "reinstall naturalness, or retrain the model"
            )

    @property
    def read(self) -> Reader:
        """The companion's reader, which converts a view into units."""
        return self.companion.read

    @property
    def checksum(self) -> str:
        """Short checksum of the model's files."""
        return self.signature.rpartition(":")[2]

    @property
    def order(self) -> int:
        """Length of the companion's longest n-gram; the network has none."""
        return self.companion.order

    @property
    def keeps_frequencies(self) -> bool:
        """Whether the companion has the frequencies of its units."""
        return self.companion.keeps_frequencies

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return each Doc's scores by the mixture."""
        return [foretold.mixed for foretold in self.foretell(docs)]

    def foretell(self, docs: Sequence[Doc]) -> list[Foretold]:
        """Return the scores of each Doc by both models and their mixture, stored beside the Doc."""
        return stored_beside(
            docs, f"naturalness.lm.{self.signature}", lambda new: (self._foretell(view(doc)) for doc in new)
        )

    def _foretell(self, seen: View) -> Foretold:
        stretches = self.read(seen)
        problem = TOO_LONG if any(len(stretch.units) > MAX_UNITS for stretch in stretches) else ""
        if problem:
            stretches = []
        counted = self.companion.scores([(stretches, seen.positions)])[0]
        foretold = [self.network.foretell(list(map(self.network.row, stretch.units))) for stretch in stretches]
        logs, entropies = (np.concatenate([np.empty(0), *(pair[i] for pair in foretold)]) for i in (0, 1))
        mixed = counted._replace(logprobs=self._mix(logs, counted))
        return Foretold(mixed, counted, logs, entropies, problem)

    def _mix(self, alone: FloatArray, counted: TokenScores) -> FloatArray:
        """Return ln of the mixed probability; units that the network lacks get the companion's probability."""
        if self.weight >= 1:
            return alone
        known = np.array([u == END or u in self.network.rows for u in counted.units], np.bool_)
        both = np.logaddexp(alone + math.log(self.weight), counted.logprobs + math.log1p(-self.weight))
        return np.where(known, both, counted.logprobs)
