"""How likely and how acceptable the sentences of a text are, each on 0..1 (Zhu & Bhat, 2020).

The paper adds a masked language model's log-probability and an acceptability score and prints no
scaling. Here each goes through a logistic curve that was fitted to tell held-out corpus sentences
from the same under damage: 0.5 is where either is as likely. Likelihood is the mean per piece, not
the sum, which tells lengths first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from naturalness.models.detector import detect
from naturalness.models.language.base import END, FloatArray, IntArray
from naturalness.models.language.shipped import neural
from naturalness.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

Reading = Literal["masked", "causal"]


class Curve(NamedTuple):
    """A logistic curve."""

    slope: float
    middle: float
    """Where it is 0.5."""

    def __call__(self, values: FloatArray) -> FloatArray:
        """0..1, higher for higher values."""
        squashed: FloatArray = 1 / (1 + np.exp(-self.slope * (values - self.middle)))
        return squashed


def likelihoods(docs: Sequence[Doc], reading: Reading) -> list[FloatArray]:
    """Mean ln p of the pieces of each sentence, at most 0, for each Doc.

    *causal*: given those before them, by the shipped network and n-grams mixed. *masked*: given all
    others, by the network alone, which is slow. Empty for a text that cannot be read.
    """
    model = neural()
    if reading == "causal":
        found = []
        for scores in model.token_logprobs(docs):
            ends = np.flatnonzero([unit == END for unit in scores.units]) + 1
            found.append(_means(scores.logprobs, ends))
        return found
    pseudo = model.pseudo(docs)
    found = []
    for doc, logs in zip(docs, pseudo, strict=True):
        sizes = [len(stretch.units) for stretch in model.read(view(doc))] if len(logs) else []
        found.append(_means(logs, np.cumsum(sizes, dtype=np.int64)))
    return found


def acceptabilities(docs: Sequence[Doc]) -> list[FloatArray]:
    """The damage detector's logit of each sentence being sound, for each Doc."""
    return [np.array([part.soundness for part in found.parts]) for found in detect(docs)]


def _means(logs: FloatArray, ends: IntArray) -> FloatArray:
    parts = np.split(logs, ends[:-1]) if len(ends) else []
    return np.array([part.mean() for part in parts if len(part)])
