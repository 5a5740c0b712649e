"""Likelihood under the small neural language model, also compared with an n-gram model of the same word pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.arrays import FloatArray
from naturalness.features.base import Columns, Requirement, stack
from naturalness.features.language import lowest_mean
from naturalness.features.requirements import asset, package
from naturalness.models.language import shipped
from naturalness.models.language.likelihood import belonging, slor
from naturalness.models.language.neural.model import Foretold
from naturalness.text.view import Doc


@dataclass(frozen=True)
class NeuralFeatures:
    """Surprisal of each piece given the pieces before it, compared with entropy and with n-grams."""

    name: str = "neural_lm"
    requires: tuple[Requirement, ...] = (asset(shipped.NEURAL), asset("pieces"), package("onnxruntime"))
    features = Columns("neural_lm")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return stack(map(_numbers, shipped.neural().foretell(docs)), len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it has no values although it has words; an empty string if it has values."""
        return [foretold.problem for foretold in shipped.neural().foretell(docs)]

    def prepare(self) -> None:
        """Open the model."""
        shipped.neural()


def _numbers(foretold: Foretold) -> tuple[float, ...] | None:
    n = len(foretold.mixed.units)
    if not n:
        return None
    surprisal = -foretold.mixed.logprobs
    inner = foretold.mixed.tokens >= 0
    gains = foretold.logs - foretold.counted.logprobs
    most = int(surprisal[inner].argmax())
    return (
        float(surprisal.sum()),
        float(surprisal.mean()),
        slor(foretold.mixed),
        belonging(foretold.mixed),
        belonging(foretold.mixed) * n,
        float(surprisal[inner][most]),
        -lowest_mean(-surprisal[inner]),
        most / int(inner.sum()),
        float(surprisal.var()),
        float(surprisal[~inner].mean()),
        float(foretold.entropies.mean()),
        float((-foretold.logs - foretold.entropies).mean()),
        float(gains.mean()),
        float(gains[inner].min()),
    )
