"""The parts of GRUEN, measured on Docs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.metrics.clouds import word_cloud
from naturalness.models.metrics.gruen import focus, redundancy
from naturalness.models.metrics.gruen.judges import Judges
from naturalness.models.metrics.gruen.text import Text, problem_of
from naturalness.text.parsing import unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Constants(NamedTuple):
    """How the parts are weighed; `naturalness compare --tune` fits it to your ratings.

    The paper fitted thresholds and what a violation takes off on ratings of its own.
    """

    acceptability: float = 0.5
    """Weight of acceptability in grammaticality; the rest is that of likelihood."""
    least: float = 0.5
    """Weight of the worst sentence in a text's grammaticality; the rest is the mean's."""
    violation: float = 0.1
    """Taken off for a violation of non-redundancy or focus, as in the paper."""
    nat: float = 0.1
    """Taken off for a nat of order loss; the paper takes 1 off its own network's."""


DEFAULT = Constants()
PLAIN = Constants(least=0.0, nat=1.0)
"""The sum of the paper: the mean over sentences, and the loss of order as it is."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What GRUEN is the sum of.

    All NaN for a text without words, with a sentence that is too long, or with too many.
    """

    likelihoods: tuple[float, ...]
    """Of each sentence, 0..1, higher is better."""
    acceptabilities: tuple[float, ...]
    """Of each sentence, 0..1, higher is better."""
    repeated: float
    """Tests that call two sentences too similar, over all pairs; 0 or more, lower is better."""
    unrelated: float
    """Neighbours that have nothing to do with one another; 0 or more, lower is better."""
    disorder: float
    """Loss of the order of sentences, in nats, 0 or more, lower is better; NaN for one sentence."""

    @property
    def likelihood(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.likelihoods)

    @property
    def acceptability(self) -> float:
        """Mean over sentences, 0..1."""
        return _mean(self.acceptabilities)

    def grammaticality(self, constants: Constants = DEFAULT) -> float:
        """0..1: likelihood and acceptability of the sentences, the worst of them counted more."""
        if not self.likelihoods:
            return math.nan
        weight = constants.acceptability
        pairs = zip(self.acceptabilities, self.likelihoods, strict=True)
        each = [weight * a + (1 - weight) * b for a, b in pairs]
        return constants.least * min(each) + (1 - constants.least) * _mean(each)

    def sum_of(self, steps: str, constants: Constants = DEFAULT) -> float:
        """Grammaticality less what each named step takes off: ``r``, ``u``, ``n``; within 0..1.

        r: redundancy, u: focus, n: coherence; a text of one sentence loses nothing by any.
        """
        disorder = 0.0 if math.isnan(self.disorder) else self.disorder
        off = {
            "r": constants.violation * self.repeated,
            "u": constants.violation * self.unrelated,
            "n": constants.nat * disorder,
        }
        left = self.grammaticality(constants) - sum(off[step] for step in steps)
        return float(np.clip(left, 0.0, 1.0))


NOTHING = Parts((), (), *(math.nan,) * 3)


def gruen_parts(docs: Sequence[Doc], judges: Judges) -> list[Parts]:
    """The parts of each Doc, remembered beside it: steps and sub-scores share them."""
    key = f"naturalness.gruen.{judges.signature}"
    new = [doc for doc in docs if key not in doc.user_data]
    for doc in new:
        doc.user_data[key] = NOTHING
    new = [doc for doc in new if not unusable(doc) and not problem_of(doc)]
    for doc, likely in zip(new, judges.likelihood.of(new), strict=True):
        doc.user_data[key] = _parts(Text(doc), likely, judges)
    return [doc.user_data[key] for doc in docs]


def _parts(text: Text, likely: FloatArray, judges: Judges) -> Parts:
    if not len(likely) or len(likely) != len(text.seen.sentences):
        return NOTHING  # a sentence is too long for the language model
    acceptable = judges.acceptability.probabilities(text)
    clouds = [word_cloud(text.seen.lower[a:b]) for a, b in text.seen.sentences]
    return Parts(
        tuple(likely.tolist()),
        tuple(acceptable.tolist()),
        redundancy.violations(text.sentences),
        focus.violations(clouds),
        judges.order.loss(text),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan
