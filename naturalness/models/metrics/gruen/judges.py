"""Who judges likelihood, acceptability and order: the shipped networks, or one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from naturalness.arrays import FloatArray
from naturalness.models.metrics.gruen.acceptability import acceptability_head
from naturalness.models.metrics.gruen.coherence import order_head
from naturalness.models.metrics.gruen.likelihood import Alone, Causal, Likelihood, Masked
from naturalness.models.metrics.gruen.text import Text


class Acceptability(Protocol):
    """Says how acceptable sentences are."""

    @property
    def signature(self) -> str: ...
    def probabilities(self, text: Text) -> FloatArray:
        """0..1 for each sentence, higher is better."""
        ...


class Order(Protocol):
    """Says how surely sentences stand in their order."""

    @property
    def signature(self) -> str: ...
    def loss(self, text: Text) -> float:
        """Mean -ln p(right) over splits and their swaps; NaN for fewer than two sentences."""
        ...


@dataclass(frozen=True, slots=True)
class Judges:
    """One for each part that a network decides."""

    likelihood: Likelihood
    acceptability: Acceptability
    order: Order

    @property
    def signature(self) -> str:
        """Of all three."""
        return "|".join((self.likelihood.signature, self.acceptability.signature, self.order.signature))


def shipped_judges(*, masked: bool, alone: bool = False) -> Judges:
    """The shipped networks, opened once per process.

    ``masked``: likelihood from both sides; ``alone``: of each word by itself, as in the paper.
    """
    return Judges(shipped_likelihood(masked, alone), acceptability_head(), order_head())


def shipped_likelihood(masked: bool, alone: bool) -> Likelihood:
    """The reading of the shipped network that is asked for."""
    if not masked:
        return Causal()
    return Alone() if alone else Masked()
