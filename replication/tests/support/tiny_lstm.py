"""An LSTM with random weights in the files of a neural language model, and the same LSTM in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from naturalness.arrays import Float32Array, FloatArray
from naturalness.models.language.spec import open_single
from naturalness.models.language.units import Vocabulary
from naturalness_replication.lstm.file import COMMON, SPECIAL, TABLE, write_lstm
from naturalness_replication.lstm.folder import NamedModel, NeuralFolder, write_neural
from tests.support.language_models import HARBOUR, train

WIDTH, LAYERS = 8, 2


def weights(rows: int, seed: int = 0) -> dict[str, Float32Array]:
    """Return random weights under torch's names."""
    rng = np.random.default_rng(seed)
    sizes: dict[str, tuple[int, ...]] = {TABLE: (rows, WIDTH), COMMON: (rows,)}
    for layer in range(LAYERS):
        for part in ("ih", "hh"):
            sizes[f"lstm.weight_{part}_l{layer}"] = (4 * WIDTH, WIDTH)
            sizes[f"lstm.bias_{part}_l{layer}"] = (4 * WIDTH,)
    return {name: rng.normal(0, 0.7, size).astype(np.float32) for name, size in sizes.items()}


def reference(rows: Sequence[int], w: dict[str, Float32Array]) -> FloatArray:
    """Return ln p of every unit after each row of a sentence, computed step by step."""

    def sigmoid(x: FloatArray) -> FloatArray:
        gate: FloatArray = 1 / (1 + np.exp(-x))
        return gate

    inputs = [w[TABLE][row].astype(np.float64) for row in rows]
    for layer in range(LAYERS):
        h = c = np.zeros(WIDTH)
        outputs = []
        for x in inputs:
            ih, hh = (
                w[f"lstm.weight_{part}_l{layer}"] @ value + w[f"lstm.bias_{part}_l{layer}"]
                for part, value in (("ih", x), ("hh", h))
            )
            into, forget, new, out = np.split(ih + hh, 4)
            c = sigmoid(forget) * c + sigmoid(into) * np.tanh(new)
            h = sigmoid(out) * np.tanh(c)
            outputs.append(h)
        inputs = outputs
    logits = np.array(inputs) @ w[TABLE].T + w[COMMON]
    logprobs: FloatArray = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    return logprobs


def known_units(folder: Path) -> tuple[str, ...]:
    """Return the units of an n-gram model."""
    vocabulary = open_single(str(folder)).vocabulary
    assert isinstance(vocabulary, Vocabulary)
    return tuple(sorted(vocabulary.frequencies))


def write_tiny(folder: Path, *, units: int | None = None) -> Path:
    """Write a companion ``m`` into a folder, and beside it ``n``, a network with that many units."""
    train(folder / "m", HARBOUR)
    companion = open_single(str(folder / "m"))
    names = known_units(folder / "m")[:units]
    path = folder / "n"
    path.mkdir()
    write_lstm(weights(len(SPECIAL) + len(names)), path, units=names, encoder="")
    about = NeuralFolder("tiny", "words", NamedModel("../m", False, companion.checksum))
    write_neural(path, about, {"epochs": 0})
    return path
