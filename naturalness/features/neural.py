"""What the small neural language model says of a text, beside the n-grams of the same pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, TOKENS_ALONE, Feature
from naturalness.features.language import GROVES, KANN, lowest_mean
from naturalness.features.requirements import Requirement, asset, package
from naturalness.models.language import shipped
from naturalness.models.language.likelihood import belonging, slor
from naturalness.models.language.neural.model import Foretold

if TYPE_CHECKING:
    from spacy.tokens import Doc

REQUIRES = (asset(shipped.NEURAL), asset("pieces"), package("onnxruntime"))
SURPRISAL = "-ln p(piece | those before), network and n-grams mixed"
ENDS = "ends of sentences included"
INNER = "ends of sentences left out"


@dataclass(frozen=True)
class NeuralFeatures:
    """Surprisal from the left; how it compares with what could be expected, and with counting."""

    parsed: ClassVar = TOKENS_ALONE
    name: str = "neural_lm"
    requires: tuple[Requirement, ...] = REQUIRES
    features: tuple[Feature, ...] = (
        Feature("total", f"sum of {SURPRISAL}, {ENDS}", "0..", "less likely", GROVES, words="surprise in all"),
        Feature("mean", f"mean of {SURPRISAL}, {ENDS}", "0..", "less likely per piece", KANN, words="mean surprise"),
        Feature(
            "slor",
            "(ln p(text) - ln of the product of unigram probabilities) / n, p mixed",
            "any",
            "likelier than the pieces alone would be",
            KANN,
            words="likelihood of the text, word frequency aside",
        ),
        Feature(
            "belonging",
            f"mean of ln(p / (p + u)), p mixed, u unigram, {ENDS}",
            "..0",
            "each piece follows from those before it",
            words="fit of each word to what precedes it",
        ),
        Feature(
            "belonging_total",
            f"sum of ln(p / (p + u)), p mixed, u unigram, {ENDS}",
            "..0",
            "few pieces that do not follow from those before them",
            words="fit of the words to what precedes them, in all",
        ),
        Feature(
            "most",
            f"largest of {SURPRISAL}, {INNER}",
            "0..",
            "an unlikely place",
            words="surprise at the most surprising word",
        ),
        Feature(
            "most_three",
            f"mean of the three largest, {INNER}",
            "0..",
            "several unlikely places",
            words="surprise at the three most surprising words",
        ),
        Feature(
            "most_place",
            f"place of the largest / pieces, {INNER}",
            "0..1",
            "the unlikely place is late",
            words="position of the most surprising word",
        ),
        Feature(
            "variance",
            f"variance of {SURPRISAL}, {ENDS}",
            "0..",
            "likely and unlikely places mixed",
            words="unevenness of surprise",
        ),
        Feature(
            "end",
            "mean surprisal of the ends of sentences",
            "0..",
            "sentences end where none may end",
            words="surprise at the ends of sentences",
        ),
        Feature(
            "entropy",
            f"mean entropy of what the network foretells, in nats, {ENDS}",
            "0..",
            "open places",
            words="openness of what may follow",
        ),
        Feature(
            "excess",
            f"mean of (-ln p of the network - the entropy there), {ENDS}",
            "any",
            "more surprising than could be expected",
            words="surprise beyond what was expected",
        ),
        Feature(
            "over_counting",
            f"mean of (ln p of the network - ln p of the n-grams), {ENDS}",
            "any",
            "the whole sentence explains what the last words do not",
            words="likelihood gained from the whole sentence",
        ),
        Feature(
            "least_over_counting",
            f"smallest of these differences, {INNER}",
            "any",
            "no place that only the last words explain",
            words="least likelihood gained from the whole sentence",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        rows = [_numbers(foretold) for foretold in shipped.neural().foretell(docs)]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [foretold.problem for foretold in shipped.neural().foretell(docs)]

    def prepare(self) -> None:
        """Open the model."""
        shipped.neural()


def _numbers(foretold: Foretold) -> tuple[float, ...]:
    n = len(foretold.mixed.units)
    if not n:
        return (NAN,) * len(NeuralFeatures.features)
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


@dataclass(frozen=True)
class PseudoFeatures:
    """Each piece foretold from all others: slow, a run of the network for every piece."""

    parsed: ClassVar = TOKENS_ALONE
    name: str = "pll"
    requires: tuple[Requirement, ...] = REQUIRES
    features: tuple[Feature, ...] = (
        Feature(
            "total",
            "sum of ln p(piece | all other words, earlier pieces of its own)",
            "..0",
            "more likely",
            "Kauf & Ivanova 2023",
            words="log-probability, read from both sides",
        ),
        Feature(
            "mean",
            "the same / pieces",
            "..0",
            "more likely per piece",
            "Zhu & Bhat 2020",
            words="likelihood, read from both sides",
        ),
        Feature(
            "lowest",
            "the least of them",
            "..0",
            "no unlikely place",
            words="likelihood of the least likely word, read from both sides",
        ),
        Feature(
            "lowest_three",
            "mean of the three least",
            "..0",
            "few unlikely places",
            words="likelihood of the three least likely words, read from both sides",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        table = np.full((len(docs), len(self.features)), NAN)
        for row, logs in zip(table, shipped.neural().pseudo(docs), strict=True):
            if len(logs):
                row[:] = logs.sum(), logs.mean(), logs.min(), lowest_mean(logs)
        return table

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [foretold.problem for foretold in shipped.neural().foretell(docs)]
