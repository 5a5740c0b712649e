"""Networks of neural language models: values compared with numpy, and damaged files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import AssetError
from naturalness.models.language.neural.model import DESCRIPTION, NETWORK, NeuralNetwork, open_network
from tests.support.damage import Damage, content, cut, entries
from tests.support.tiny_neural import END, PLACES, START, VOCABULARY, reference, weights, write_tiny

SENTENCE = [VOCABULARY.index(unit) for unit in ("▁the", "▁cat", "s", "▁saw", "▁a", "▁dog", "▁.")]
CLOSE = 0.2
"""Tolerance of weights and sums in eight-bit integers."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small model."""
    return write_tiny(tmp_path_factory.mktemp("neural"))


@pytest.fixture(scope="module")
def network(folder: Path) -> NeuralNetwork:
    """Open the small model."""
    return open_network(folder)


def test_values_equal_those_of_numpy(network: NeuralNetwork) -> None:
    """Log-probabilities and entropies agree for each piece and for the end."""
    logs = reference([START, *SENTENCE], weights(), causal=True)
    logprobs, entropies = network.foretell(SENTENCE)
    wanted = logs[np.arange(len(logs)), [*SENTENCE, END]]
    assert np.abs(logprobs - wanted).max() < CLOSE
    assert np.abs(entropies + (np.exp(logs) * logs).sum(1)).max() < CLOSE


def test_probabilities_sum_to_one(network: NeuralNetwork) -> None:
    """The probabilities of all first pieces sum to 1; the mask piece has none."""
    first = [network.foretell([row])[0][0] for row in range(len(VOCABULARY))]
    assert np.exp(first).sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("n", [PLACES - 1, PLACES, 3 * PLACES + 1])
def test_long_sentences_are_read_in_windows(network: NeuralNetwork, n: int) -> None:
    """Each window after the first begins with half a window of context; every piece is scored once."""
    rows = [3 + i % 7 for i in range(n)]
    logprobs, entropies = network.foretell(rows)
    assert len(logprobs) == len(entropies) == n + 1
    assert np.isfinite(logprobs).all()
    window = reference([START, *rows[: PLACES - 1]], weights(), causal=True)
    assert np.abs(logprobs[: PLACES - 1] - window[np.arange(PLACES - 1), rows[: PLACES - 1]]).max() < (CLOSE)
    if n > PLACES:
        half = PLACES // 2
        again = reference([START, *rows[half : PLACES + half - 1]], weights(), causal=True)
        assert abs(logprobs[PLACES] - again[half, rows[PLACES]]) < CLOSE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (entries(DESCRIPTION, format_version=9), "format version 9; this release reads 1"),
        (entries(DESCRIPTION, start=99), "rows outside the table"),
        (entries(DESCRIPTION, hidden=None), "its inputs and outputs are not"),
        (entries(DESCRIPTION, places=1), "1 positions"),
        (entries(DESCRIPTION, weight=0), "a weight of 0"),
        (content(DESCRIPTION, b"[1]"), "holds no neural language model"),
        (cut(NETWORK), "not a network that onnxruntime"),
    ],
)
def test_damaged_files_are_refused(change: Damage, message: str, tmp_path: Path) -> None:
    """A damaged file raises an error that says what was found and what to do."""
    change(write_tiny(tmp_path))
    with pytest.raises(AssetError, match=message):
        open_network(tmp_path)
