"""Fit the weight of the network in its mixture with n-grams on held-out text."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.language.neural.model import NeuralModel
from naturalness.text.parsing import short_memory, tokenise
from training.language.corpora import REGISTERS, sentences

EACH = 120
STEPS = np.arange(0.05, 1.0, 0.05)


def held_out(corpora: Path, register: str, *, fitting: bool, n: int | None = None) -> list[str]:
    """Return every other sentence of a held-out part: one half for fitting the weight, one for measuring."""
    lines = islice(sentences(corpora, register, ".dev"), 0 if fitting else 1, None, 2)
    return list(islice(lines, n))


def both(model: NeuralModel, texts: list[str]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return ln p of network, n-grams and mixture for every unit that all know."""
    parts: list[list[FloatArray]] = [[], [], []]
    with short_memory():
        for doc in tokenise(texts):
            (prediction,) = model.foretell([doc])
            known = ~prediction.counted.unknown
            for part, logs in zip(
                parts, (prediction.logs, prediction.counted.logprobs, prediction.mixed.logprobs), strict=True
            ):
                part.append(logs[known])
    network, counted, mixed = (np.concatenate(part) for part in parts)
    return network, counted, mixed


def fitted_weight(model: NeuralModel, corpora: Path, each: int = EACH) -> float:
    """Return the weight that maximises the likelihood of held-out text, registers weighted equally."""
    costs = np.zeros(len(STEPS))
    for register in REGISTERS:
        network, counted, _ = both(model, held_out(corpora, register, fitting=True, n=each))
        costs += [-np.logaddexp(network + np.log(w), counted + np.log1p(-w)).mean() for w in STEPS]
    return round(float(STEPS[costs.argmin()]), 2)
